// How many requests a second are meant to arrive, over time: phases with a linear rate.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace sluice::workload {

struct Phase {
  std::string name;
  Duration duration{};       // > 0
  double rate_from_rps = 0;  // ≥ 0, at the start of the phase
  double rate_to_rps = 0;    // ≥ 0, at its end; linear in between

  double expected_arrivals() const;
};

// Answers in both directions: arrivals expected until a time, and the time at which so many are
// expected. The second is how every arrival process is drawn (time rescaling): gaps of mean 1
// on the axis of expected arrivals become gaps that follow the rate.
class RateCurve {
 public:
  // Phases follow one another without a gap; at least one.
  explicit RateCurve(std::vector<Phase> phases);

  const std::vector<Phase>& phases() const { return phases_; }
  Duration duration() const { return ends_.back(); }
  Duration phase_begin(std::size_t phase) const;
  Duration phase_end(std::size_t phase) const { return ends_[phase]; }

  struct Position {
    Duration at;  // since the start of the first phase
    std::size_t phase;
  };
  // When the expected number of arrivals reaches `expected` (≥ 0); nullopt when it never does.
  // O(phases).
  std::optional<Position> reach(double expected) const;

  // The phase with the largest mean rate: the first of equals.
  std::size_t peak_phase() const;

  // The same shape at `factor` (> 0) times the rate.
  RateCurve scaled(double factor) const;

 private:
  std::vector<Phase> phases_;
  std::vector<Duration> ends_;
};

}  // namespace sluice::workload
