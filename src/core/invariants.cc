// What must hold after every event, and what must hold if everything is counted again.
#include "base/check.h"
#include "core/scheduler_impl.h"

namespace sluice::core {

void Scheduler::Impl::check_sums() const {
  SLUICE_CHECK(
      counters_.conserved(),
      "submitted = completed + refused + expired + cancelled + failed + waiting + running");
  const std::uint32_t in_lanes = flows_.totals(Lane::kHigh).tasks +
                                 flows_.totals(Lane::kLatency).tasks +
                                 flows_.totals(Lane::kLow).tasks;
  SLUICE_CHECK(in_lanes == counters_.waiting, "the lanes hold the waiting tasks");
  SLUICE_CHECK(tasks_.live_count() == counters_.waiting + counters_.running,
               "every live task waits or runs");
  SLUICE_CHECK(attempts_.live_count() == counters_.attempts, "every attempt is counted");
}

void Scheduler::Impl::check_invariants() const {
  check_sums();
  check_tasks();
  check_credits();
  residency_.check();
  flows_.check_ranks();
  placement_.check_breakers();
}

void Scheduler::Impl::check_tasks() const {
  std::uint32_t waiting = 0;
  std::uint32_t running = 0;
  std::array<std::uint64_t, kLanes> bytes{};
  std::vector<Duration> work(eligibility_.class_count() * kLanes, Duration::zero());
  for (std::uint32_t slot = 0; slot < tasks_.slot_count(); ++slot) {
    if (!tasks_.alive(slot)) continue;
    const Task& task = tasks_[slot];
    if (task.state == TaskState::kRunning) {
      ++running;
      SLUICE_CHECK(
          attempts_[task.attempt.slot].task == tasks_.id_of(slot) &&
              (!task.hedge.valid() || attempts_[task.hedge.slot].task == tasks_.id_of(slot)),
          "a running task and its attempts name each other");
      continue;
    }
    ++waiting;
    bytes[static_cast<std::size_t>(task.lane)] += task.size_bytes;
    work[Flows::group_of(task.lane, flows_.class_of(task.flow))] += task.expected_service;
    SLUICE_CHECK(lane_of(task.priority) == task.lane, "a task waits in the lane of its priority");
  }
  SLUICE_CHECK(waiting == counters_.waiting && running == counters_.running, "states are counted");
  for (int i = 0; i < kLanes; ++i) {
    SLUICE_CHECK(bytes[static_cast<std::size_t>(i)] == flows_.totals(Lane(i)).bytes,
                 "a lane's bytes are its tasks' bytes");
  }
  for (Flows::GroupId group = 0; group < work.size(); ++group) {
    SLUICE_CHECK(work[group] == flows_.totals(group).work, "a group's work is its tasks' work");
  }
}

void Scheduler::Impl::check_credits() const {
  std::vector<std::uint32_t> in_flight(options_.nodes.size());
  for (std::uint32_t slot = 0; slot < attempts_.slot_count(); ++slot) {
    if (attempts_.alive(slot)) ++in_flight[attempts_[slot].node.value];
  }
  for (std::uint32_t n = 0; n < in_flight.size(); ++n) {
    SLUICE_CHECK(in_flight[n] == placement_.node({n}).in_flight(),
                 "credits in use are the attempts not yet ended");
  }
}

}  // namespace sluice::core
