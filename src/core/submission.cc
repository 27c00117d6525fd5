// From a request to a waiting task, or to a refusal.
#include <algorithm>

#include "base/check.h"
#include "core/lanes/ordering.h"
#include "core/scheduler_impl.h"

namespace sluice::core {

TaskId Scheduler::Impl::create(const Submitted& event) {
  SLUICE_CHECK(event.labels.model.value < options_.models.size(), "a label names no model");
  SLUICE_CHECK(event.labels.tenant.value < options_.tenants.size(), "a label names no tenant");
  const Classification found = classify(event.labels, options_);
  const TaskId id = tasks_.acquire();
  Task& created = task(id);
  created.request = event.request;
  created.arrival = std::min(event.arrival, now_);
  created.deadline = saturating_add(created.arrival, std::max(found.budget, Duration::zero()));
  created.expected_service = found.prior_service;
  created.prior_service = found.prior_service;
  created.size_bytes = event.labels.size_bytes;
  created.teaches = event.labels.teaches;
  created.retriable = event.labels.retriable;
  created.model = event.labels.model;
  created.tenant = event.labels.tenant;
  created.task_type = found.task_type;
  const int steps = found.priority + tenants_.priority_steps(created.tenant);
  created.priority = static_cast<Priority>(std::min(steps, kPriorities - 1));
  created.lane = lane_of(created.priority);
  note_arrival(created);
  ++counters_.submitted;
  tenants_.submitted(created.tenant);
  return id;
}

void Scheduler::Impl::note_arrival(const Task& arrived) {
  const Duration budget = arrived.deadline - arrived.arrival;
  history_[arrived.task_type.value].arrived(budget, now_);
  meters_[static_cast<std::size_t>(arrived.lane)].arrived(budget, now_);
  if (adapts()) active_kinds_.mark(arrived.task_type);
  wake_control();
}

ClassId Scheduler::Impl::bind(ModelId model) {
  if (options_.policy.binding == Binding::kLate) return eligibility_.class_of(model);
  const NodeId node = placement_.next_in_turn(model);
  return node.valid() ? eligibility_.class_of(node) : ClassId{};
}

std::optional<Scheduler::Impl::Refusal> Scheduler::Impl::refusal(
    const Task& task, ClassId klass, bool may_queue, const std::optional<Prediction>& best) {
  if (task.deadline <= now_ && options_.policy.reclaim == Reclaim::kAtDeadline) {
    return Refusal{.outcome = Outcome::kExpired, .reason = Reason::kDeadlinePassed};
  }
  if (!klass.valid() || placement_.down(klass)) {
    return Refusal{.reason = Reason::kNoReplica, .retry_after = std::chrono::seconds(1)};
  }
  // Ready, but every breaker is open, or half-open with its probe under way.
  if (placement_.ready(klass) && !best) {
    return Refusal{.reason = Reason::kNoReplica, .retry_after = time_to_probe()};
  }
  if (auto over = refusal_by_tenant(task)) return over;
  if (auto full = refusal_by_room(task)) return full;
  if (!may_queue && !(placement_.open(klass) && nothing_waits(klass))) {
    return would_queue(task, klass, best);
  }
  if (!best || options_.policy.admission == Admission::kCapacityOnly) return std::nullopt;
  return refusal_by_budget(task, klass, *best);
}

// Until what waits is served, and the next of those that run makes room.
Scheduler::Impl::Refusal Scheduler::Impl::would_queue(const Task& task, ClassId klass,
                                                      const std::optional<Prediction>& best) const {
  WorkAhead ahead = work_ahead(task, klass);
  ahead.work += best ? best->service : task.prior_service;
  return {.reason = Reason::kWouldQueue,
          .retry_after = time_to_return(task.lane, predicted_wait(ahead))};
}

// The first breaker that lets a probe through may bring a replica back.
Duration Scheduler::Impl::time_to_probe() const {
  const TimePoint due = placement_.next_due();
  return due == kNever ? Duration(std::chrono::seconds(1)) : std::max(due - now_, Duration(1));
}

bool Scheduler::Impl::nothing_waits(ClassId klass) const {
  return backlog(Lane::kHigh, klass).tasks + backlog(Lane::kLatency, klass).tasks +
             backlog(Lane::kLow, klass).tasks ==
         0;
}

std::optional<Scheduler::Impl::Refusal> Scheduler::Impl::refusal_by_tenant(const Task& task) {
  const auto refused = tenants_.admit(task.tenant, task.lane, task.size_bytes, now_);
  if (!refused) return std::nullopt;
  Duration retry_after = refused->retry_after;
  if (refused->reason == Reason::kTenantQueueFull) {
    retry_after = time_to_return(task.lane, time_to_drain(task.lane)) / 2;
  }
  return Refusal{.reason = refused->reason, .retry_after = std::max(retry_after, Duration(1))};
}

std::optional<Scheduler::Impl::Refusal> Scheduler::Impl::refusal_by_room(const Task& task) const {
  const LaneOptions& lane = options_.lanes[static_cast<std::size_t>(task.lane)];
  const Flows::Totals& totals = flows_.totals(task.lane);
  const bool room = totals.tasks < lane.capacity && task.size_bytes <= lane.capacity_bytes &&
                    totals.bytes <= lane.capacity_bytes - task.size_bytes;
  if (room) return std::nullopt;
  // Half of a full lane is gone when half of its work is done.
  return Refusal{.reason = Reason::kQueueFull,
                 .retry_after = time_to_return(task.lane, time_to_drain(task.lane)) / 2};
}

// What waits leaves at its maximum age at the latest, even where no node is left to serve it.
Duration Scheduler::Impl::time_to_return(Lane lane, Duration predicted) const {
  const Duration oldest = options_.lanes[static_cast<std::size_t>(lane)].max_age;
  return std::clamp(predicted, std::min<Duration>(std::chrono::milliseconds(1), oldest), oldest);
}

Duration Scheduler::Impl::time_to_drain(Lane lane) const {
  Duration longest = Duration::zero();
  for (std::uint32_t c = 0; c < eligibility_.class_count(); ++c) {
    const ClassId klass{c};
    if (backlog(lane, klass).tasks == 0) continue;
    const WorkAhead ahead{.work = backlog(lane, klass).work,
                          .slots = static_cast<double>(placement_.ready_slots(klass)),
                          .share = lane_share(lane, klass)};
    longest = std::max(longest, predicted_wait(ahead));
  }
  return longest;
}

std::optional<Scheduler::Impl::Refusal> Scheduler::Impl::refusal_by_budget(
    const Task& task, ClassId klass, const Prediction& best) const {
  const auto retry_after =
      refuse_late(work_ahead(task, klass), best, now_, task.deadline, options_.predictor);
  if (!retry_after) return std::nullopt;
  return Refusal{.reason = Reason::kWouldMissDeadline, .retry_after = *retry_after};
}

// The share of its class's slots that a lane gets while the lanes that wait there now keep waiting.
double Scheduler::Impl::lane_share(Lane lane, ClassId klass) const {
  if (options_.policy.lane_service == LaneServiceKind::kMerged) return 1;
  double sum = 0;
  for (int i = 0; i < kLanes; ++i) {
    const Lane other = Lane(i);
    if (other != lane && backlog(other, klass).tasks == 0) continue;
    sum += lane_service_.weight(other);
  }
  return lane_service_.weight(lane) / sum;
}

WorkAhead Scheduler::Impl::work_ahead(const Task& task, ClassId klass) const {
  WorkAhead ahead;
  ahead.slots = static_cast<double>(placement_.ready_slots(klass));
  ahead.share = lane_share(task.lane, klass);
  if (options_.policy.lane_service == LaneServiceKind::kWeighted) {
    ahead.work = flows_.work_before(Flows::group_of(task.lane, klass), competitor(task));
  } else if (options_.policy.ordering == Ordering::kArrival) {
    for (int i = 0; i < kLanes; ++i) ahead.work += backlog(Lane(i), klass).work;
  }
  // Merged lanes in another order than that of arrival: a newcomer may pass all of them, and how
  // many it passes nobody has counted.
  return ahead;
}

void Scheduler::Impl::refuse(TaskId id, const Refusal& refusal) {
  end(id, refusal.outcome, refusal.reason, refusal.retry_after);
}

void Scheduler::Impl::enqueue(std::uint32_t slot, ClassId klass) {
  Task& entering = tasks_[slot];
  const TimePoint oldest = saturating_add(now_, lane_options(entering.lane).max_age);
  const bool minds_deadline = options_.policy.reclaim == Reclaim::kAtDeadline;
  entering.expires = minds_deadline ? std::min(entering.deadline, oldest) : oldest;
  const double drops = history_[entering.task_type.value].drop_share();
  entering.key = order_key(options_.policy.ordering, entering, drops, options_.score);
  wait(slot, klass);
}

// For the first time, or again.
void Scheduler::Impl::wait(std::uint32_t slot, ClassId klass) {
  Task& waiting = tasks_[slot];
  waiting.state = TaskState::kWaiting;
  waiting.flow = flows_.push(
      {.lane = waiting.lane, .klass = klass, .tenant = competitor(waiting), .model = waiting.model},
      waiting.task_type, waiting.key, item_of(slot));
  wheel_.insert(slot, waiting.expires);
  const bool again = waiting.attempts > 0;
  auto& lane = arrived_[static_cast<std::size_t>(waiting.lane)];
  again ? arrivals_.push_front(lane, slot) : arrivals_.push_back(lane, slot);
  tenants_.entered(waiting.tenant, waiting.lane, waiting.size_bytes);
  ++counters_.waiting;
}

}  // namespace sluice::core
