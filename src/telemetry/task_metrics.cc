#include "telemetry/task_metrics.h"

#include <utility>

namespace sluice::telemetry {

namespace {

using core::Outcome;
using core::Reason;

// The outcome that a reason is given with: the series that exist before anything has happened.
constexpr Outcome usual_outcome(Reason reason) {
  switch (reason) {
    case Reason::kNone:
      return Outcome::kCompleted;
    case Reason::kQueueFull:
    case Reason::kWouldMissDeadline:
    case Reason::kWouldQueue:
    case Reason::kNoReplica:
    case Reason::kNotAccepted:
    case Reason::kRateLimited:
    case Reason::kTenantQueueFull:
    case Reason::kTenantSuspended:
    case Reason::kRuleRefused:
    case Reason::kRuleRateLimited:
      return Outcome::kRefused;
    case Reason::kDeadlinePassed:
    case Reason::kDeadlineUnreachable:
    case Reason::kQueueTimeout:
    case Reason::kShed:
    case Reason::kLoadFailed:
      return Outcome::kExpired;
    case Reason::kCallerGone:
      return Outcome::kCancelled;
    case Reason::kReplicaError:
    case Reason::kReplicaBusy:
    case Reason::kReplicaUnreachable:
    case Reason::kReplicaTimeout:
    case Reason::kBadAnswer:
    case Reason::kAttemptLost:
      return Outcome::kFailed;
  }
  return Outcome::kFailed;
}

bool is_listed(std::size_t outcome, std::size_t reason, std::uint64_t count) {
  return count > 0 || usual_outcome(static_cast<Reason>(reason)) == static_cast<Outcome>(outcome);
}

}  // namespace

void TaskMetrics::on_finish(const core::Finish& finish, TimePoint now) {
  Lane& lane = lanes_[static_cast<std::size_t>(finish.lane)];
  ++lane.ended[static_cast<std::size_t>(finish.outcome)][static_cast<std::size_t>(finish.reason)];
  if (finish.outcome != Outcome::kRefused) lane.queue.observe(finish.waited);
  if (finish.outcome == Outcome::kCompleted) lane.latency.observe(now - finish.arrival);
  if (finish.in_budget(now)) ++lane.in_budget;
}

void TaskMetrics::collect(Families& families) const {
  auto tasks = family_of(kTasks);
  auto in_budget = family_of(kTasksInBudget);
  auto queue = family_of(kTaskQueueSeconds);
  auto latency = family_of(kTaskLatencySeconds);
  for (std::size_t l = 0; l < lanes_.size(); ++l) {
    const Lane& lane = lanes_[l];
    const auto name = core::kLaneNames[l];
    for (std::size_t o = 0; o < core::kOutcomes; ++o) {
      for (std::size_t r = 0; r < core::kReasons; ++r) {
        const auto count = lane.ended[o][r];
        if (!is_listed(o, r, count)) continue;
        add_value(tasks, kTasks, {name, core::kOutcomeNames[o], core::kReasonNames[r]},
                  static_cast<double>(count));
      }
    }
    add_value(in_budget, kTasksInBudget, {name}, static_cast<double>(lane.in_budget));
    add_histogram(queue, kTaskQueueSeconds, {name}, lane.queue.snapshot());
    add_histogram(latency, kTaskLatencySeconds, {name}, lane.latency.snapshot());
  }
  for (auto* family : {&tasks, &in_budget, &queue, &latency}) {
    families.push_back(std::move(*family));
  }
  collect_retries(families);
}

void TaskMetrics::collect_retries(Families& families) const {
  auto retries = family_of(kRetries);
  for (std::size_t r = 0; r < core::kReasons; ++r) {
    if (usual_outcome(static_cast<Reason>(r)) != Outcome::kFailed) continue;
    add_value(retries, kRetries, {core::kReasonNames[r]}, static_cast<double>(retries_[r]));
  }
  families.push_back(std::move(retries));
}

}  // namespace sluice::telemetry
