// What a lane shows the control loop.
#pragma once

#include "base/state.h"
#include "base/time.h"
#include "core/smoothing.h"

namespace sluice::core {

// Kept as tasks come and end; read once a period. O(1).
class LaneMeter {
 public:
  void arrived(Duration budget, TimePoint now) {
    arrivals_.add(now, kMemory);
    const auto value = static_cast<double>(budget.count());
    mean_budget_ns_ += mean_budget_ns_ == 0 ? value : kAlpha * (value - mean_budget_ns_);
  }
  // Ended in any way; a hit was answered in budget.
  void ended(bool hit) { hit_share_ += kAlpha * ((hit ? 1 : 0) - hit_share_); }

  double arrivals_per_s(TimePoint now) const { return arrivals_.per_s(now, kMemory); }
  Duration mean_budget() const { return Duration(static_cast<std::int64_t>(mean_budget_ns_)); }
  // Of the last hundred or so, 0..1; 1 where nothing comes any more: there is nothing to mend.
  double hit_share(TimePoint now) const {
    return arrivals_per_s(now) < kIdlePerSecond ? 1 : hit_share_;
  }

  SLUICE_STATE(arrivals, mean_budget_ns, hit_share);

 private:
  static constexpr Duration kMemory = std::chrono::milliseconds(500);
  static constexpr double kAlpha = 0.02;
  static constexpr double kIdlePerSecond = 0.01;

  EventRate arrivals_;
  double mean_budget_ns_ = 0;
  double hit_share_ = 1;
};

}  // namespace sluice::core
