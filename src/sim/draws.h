// What chance decides in a run, apart from the arrivals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "base/time.h"
#include "sim/scenario.h"

namespace sluice::sim {

// Common random numbers: every draw is a function of the seed, the request's number and what is
// drawn, never of what was drawn before. Two policies see the same request take the same time on
// the same kind of node, so that their figures differ by what they do and not by luck.
class Draws {
 public:
  // The scenario must outlive this.
  Draws(const Scenario& scenario, std::uint64_t seed);

  // One execution of the model on a node of the kind, undisturbed; at least 1 ns. The kind can run
  // the model.
  Duration service(std::uint64_t request, std::size_t model, std::size_t kind) const;

  enum class Way : std::uint8_t { kThere, kBack, kCancel, kProbeThere, kProbeBack };
  // One way along the path. `attempt` counts the attempts of one request, the probes of a node, or
  // the orders of a replica.
  Duration delay(std::uint64_t request, std::uint32_t attempt, std::size_t path, Way way) const;

  // A load of the replica, its `order`th order: lognormal around the mean, at least 1 ns.
  Duration load(std::uint64_t replica, std::uint32_t order, Duration mean) const;

  // Uniform in [0, 1): whether this answer is among those that a fault loses.
  double fate(std::uint64_t request, std::uint32_t attempt) const;

 private:
  struct Service {
    double mean_ns = 0;
    double mu = 0;  // of the logarithm
    double sigma = 0;
  };

  Random stream(std::uint64_t request, std::uint64_t what) const;

  const Scenario& scenario_;
  std::uint64_t seed_;
  std::vector<Service> services_;  // by model × kinds + kind
};

}  // namespace sluice::sim
