// What is counted when a task ends, or is tried again.
#pragma once

#include <array>
#include <cstdint>

#include "core/action.h"
#include "telemetry/duration_buckets.h"
#include "telemetry/family.h"

namespace sluice::telemetry {

// Plain numbers in arrays by lane, outcome and reason: no look-up by name and no lock where a task
// ends. Read and written by the one thread that runs the scheduler.
class TaskMetrics {
 public:
  // Once for every Finish, when the driver carries it out; `now` is when the answer was whole.
  // O(1), allocates nothing, ~10 ns.
  void on_finish(const core::Finish& finish, TimePoint now);

  // Once for every Requeued. What was preempted has not failed, and is not counted.
  void on_requeued(const core::Requeued& requeued) {
    ++retries_[static_cast<std::size_t>(requeued.cause)];
  }

  // Appends the families of kTasks .. kRetries. A series that can occur is there from
  // the start, with 0: rate() misses the first increase of one that appears later.
  void collect(Families& families) const;

 private:
  using ByReason = std::array<std::uint64_t, core::kReasons>;

  struct Lane {
    std::array<ByReason, core::kOutcomes> ended{};
    std::uint64_t in_budget = 0;
    DurationBuckets queue;
    DurationBuckets latency;
  };

  void collect_retries(Families& families) const;

  std::array<Lane, core::kLanes> lanes_{};
  ByReason retries_{};
};

}  // namespace sluice::telemetry
