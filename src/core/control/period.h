// When the control loop ticks next (R14).
#pragma once

#include <cstdint>

#include "base/time.h"

namespace sluice::core {

struct PeriodOptions {
  Duration shortest = std::chrono::milliseconds(10);
  Duration longest = std::chrono::milliseconds(50);
  double easy_load = 0.5;  // up to here the load is no reason to hurry
  double full_load = 1;    // from here on it is every reason; > easy_load
  std::uint32_t many = 4;  // changes in one tick that are every reason to hurry; > 0
  double lengthen = 1.25;  // most factor a tick: > 1
};

// What the tick that just ended saw.
struct TickFigures {
  double load = 0;            // SystemFigures::load()
  std::uint32_t active = 0;   // kinds, lanes and tenants that have traffic or are not settled
  std::uint32_t changes = 0;  // corrections, weights, penalties that moved
};

// Shortens at once when load or changes say so, lengthens gradually. With nothing active and
// nothing left to undo there is no next tick, so an idle scheduler wakes for nothing; the next
// arrival starts the ticking again. The loops measure in time, not in ticks, so the period does not
// change what they do, only how soon they see it. O(1).
class Period {
 public:
  explicit Period(const PeriodOptions& options) : options_(options), period_(options.shortest) {}

  // The time of the next tick, kNever for none.
  TimePoint next(const TickFigures& figures, TimePoint now);
  // After a rest: something became active.
  TimePoint wake(TimePoint now);

  Duration current() const { return period_; }

  // For snapshots (base/state.h).
  template <class Self, class Archive>
  static void visit_state(Self& self, Archive& archive) {
    auto& [options, period] = self;
    archive(period);
  }

 private:
  PeriodOptions options_;
  Duration period_;
};

}  // namespace sluice::core
