// Who asks for a model: what decides whether it should be in memory (R18).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <numeric>

#include "base/state.h"
#include "base/time.h"
#include "core/labels.h"
#include "core/placement/residency_options.h"
#include "core/smoothing.h"

namespace sluice::core {

// A bit a priority.
using PrioritySet = std::uint16_t;
constexpr PrioritySet only(Priority priority) {
  return static_cast<PrioritySet>(1u << priority);
}
// The most urgent one; the set is not empty.
constexpr Priority first_of(PrioritySet set) {
  return static_cast<Priority>(std::countr_zero(set));
}

// Of one model: the tasks that wait for it now, and how many urgent ones have come of late. All
// calls are O(1), and a model that nobody asks for costs nothing.
class ModelDemand {
 public:
  // An urgent request came, whatever becomes of it. Priorities here are those by which nodes accept
  // tasks (R26).
  void urgent_arrived(Priority accepted_as, TimePoint now, const ResidencyOptions& options) {
    urgent_as_ = accepted_as;
    urgent_.add(now, options.demand_memory);
    in_demand_ = in_demand_ || urgent_per_s(now, options) >= options.demand_from_per_s;
  }
  // A task waits, or waits no longer.
  void entered(Lane lane, Priority accepted_as, Duration work) {
    ++waiting_[static_cast<std::size_t>(lane)];
    ++waiting_as_[accepted_as];
    priorities_ |= only(accepted_as);
    work_ += work;
  }
  void left(Lane lane, Priority accepted_as, Duration work) {
    --waiting_[static_cast<std::size_t>(lane)];
    if (--waiting_as_[accepted_as] == 0)
      priorities_ &= static_cast<PrioritySet>(~only(accepted_as));
    work_ -= work;
  }

  std::uint32_t waiting() const { return std::accumulate(waiting_.begin(), waiting_.end(), 0u); }
  std::uint32_t waiting(Lane lane) const { return waiting_[static_cast<std::size_t>(lane)]; }
  // Of what waits.
  PrioritySet priorities() const { return priorities_; }
  // Of the latest urgent request.
  Priority urgent_as() const { return urgent_as_; }
  // Expected device time of what waits.
  Duration work() const { return work_; }

  double urgent_per_s(TimePoint now, const ResidencyOptions& options) const {
    return urgent_.per_s(now, options.demand_memory);
  }
  // Urgent requests come, or have come until lately: with a gap between the rates at which that
  // begins and ends, so that a model is not fetched and dropped by turns.
  bool in_demand(TimePoint now, const ResidencyOptions& options) {
    in_demand_ = in_demand_ && urgent_per_s(now, options) >= options.demand_until_per_s;
    return in_demand_;
  }

  SLUICE_STATE(waiting, waiting_as, priorities, urgent_as, work, urgent, in_demand);

 private:
  std::array<std::uint32_t, kLanes> waiting_{};
  std::array<std::uint32_t, kPriorities> waiting_as_{};
  PrioritySet priorities_ = 0;
  Priority urgent_as_ = 0;
  Duration work_{0};
  EventRate urgent_;
  bool in_demand_ = false;
};

// How long a model takes to be loaded, as far as is known.
class LoadTime {
 public:
  explicit LoadTime(Duration prior) : expected_(prior) {}

  void learn(Duration took) {
    constexpr double kAlpha = 0.3;
    const double off = static_cast<double>((took - expected_).count());
    expected_ += Duration(static_cast<std::int64_t>(measured_ ? kAlpha * off : off));
    measured_ = true;
  }
  Duration expected() const { return expected_; }
  bool measured() const { return measured_; }

  SLUICE_STATE(expected, measured);

 private:
  Duration expected_;
  bool measured_ = false;
};

}  // namespace sluice::core
