// The rate of a stream as it is in one run: its phases, times what modulates them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/random.h"
#include "base/time.h"
#include "sim/scenario.h"
#include "workload/rate_curve.h"

namespace sluice::sim {

// A stretch of time in which the rate is linear.
struct RateSegment {
  Duration begin{0};
  Duration end{0};
  std::size_t phase = 0;
  double from_rps = 0;
  double to_rps = 0;

  double expected_arrivals() const { return (from_rps + to_rps) / 2 * to_seconds(end - begin); }
  // When so many of the expected arrivals have come; within [begin, end).
  Duration reach(double expected) const;
};

// Cuts the phases wherever a factor changes, in one pass over time.
class RateSegments {
 public:
  RateSegments(std::vector<workload::Phase> phases, const Arrivals& arrivals, std::uint64_t seed);

  // The segment after the one before; nothing when the phases are over. O(1).
  std::optional<RateSegment> next();

 private:
  void draw_modulation();
  void switch_spell();

  std::vector<workload::Phase> phases_;
  Modulation modulation_;
  std::optional<OnOff> on_off_;
  Random modulation_random_;
  Random spell_random_;

  Duration now_{0};
  std::size_t phase_ = 0;
  Duration phase_begin_{0};
  double factor_ = 1;
  Duration factor_ends_;
  bool on_ = false;
  Duration spell_ends_;
};

}  // namespace sluice::sim
