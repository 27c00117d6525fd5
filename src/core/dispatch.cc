// When a credit and a task meet.
#include "core/scheduler_impl.h"

namespace sluice::core {

void Scheduler::Impl::expire_due() {
  while (tasks_left_ > 0) {
    const auto slot = wheel_.pop_due(now_);
    if (!slot) return;
    --tasks_left_;
    const auto reason = lost_cause(*slot);
    // Out of the wheel already: until its next moment, or because leave_queue() does not know.
    wheel_.insert(*slot, tasks_[*slot].latest_start);
    if (!reason) continue;
    if (*reason == Reason::kDeadlineUnreachable) tell_placement(*slot, Verdict::kHopeless);
    expire(*slot, *reason);
  }
}

// R17: why a task leaves whose latest start, as it was known, has come; or nothing, when it may
// still be in time: predictions have become shorter, or are not to be trusted any more.
std::optional<Reason> Scheduler::Impl::lost_cause(std::uint32_t slot) {
  Task& due = tasks_[slot];
  if (due.expires <= now_) return expiry_reason(due);
  const auto soonest = placement_.soonest(due, flows_.class_of(due.flow), now_);
  // At least a little later, so that it is not asked for ever.
  constexpr Duration kLeast = std::chrono::milliseconds(1);
  TimePoint latest = due.expires;
  if (soonest) {
    if (due.deadline - *soonest < now_) return Reason::kDeadlineUnreachable;
    latest = std::min(latest, std::max(due.deadline - *soonest, now_ + kLeast));
  }
  due.latest_start = latest;
  slack_.update(due.lane, slot, latest);
  return std::nullopt;
}

void Scheduler::Impl::dispatch() {
  while (tasks_left_ > 0 && ((flows_.any_runnable() && dispatch_one()) || placement_.call_back())) {
  }
}

bool Scheduler::Impl::dispatch_one() {
  const auto flow = next_flow();
  if (flow) serve(*flow);
  return flow.has_value();
}

// Its head runs, or leaves, or waits for a better moment.
void Scheduler::Impl::serve(Flows::FlowId flow) {
  const std::uint32_t slot = flows_.head(flow);
  const Task& head = tasks_[slot];
  if (head.expires <= now_) {
    --tasks_left_;
    return expire(slot, expiry_reason(head));
  }
  if (load_comes_too_late(head, flows_.class_of(flow))) {
    --tasks_left_;
    return expire(slot, Reason::kLoadFailed);
  }
  const ModelShare& of_model = model_shares_[head.model.value];
  if (of_model.running >= of_model.cap) return flows_.park(flow);
  const bool mind_deadline = options_.policy.admission == Admission::kPredictive;
  const Choice choice = placement_.choose(head, flows_.class_of(flow), now_, mind_deadline);
  tell_placement(slot, choice.verdict);
  switch (choice.verdict) {
    case Verdict::kRun:
      --tasks_left_;
      start(slot, choice);
      break;
    case Verdict::kWait:
      if (choice.withheld) {
        flows_.keep_out(flow, placement_.is_heavy(head.model));
      } else {
        flows_.park(flow);
      }
      break;
    case Verdict::kAway:
      placement_.wait_for_room(head.model, flows_.class_of(flow), head.lane);
      flows_.send_away(flow);
      break;
    case Verdict::kHopeless:
      --tasks_left_;
      expire(slot, Reason::kDeadlineUnreachable);
      break;
  }
}

std::optional<Flows::FlowId> Scheduler::Impl::next_flow() {
  if (options_.policy.lane_service == LaneServiceKind::kMerged) return flows_.next();
  std::array<bool, kLanes> lanes = flows_.runnable_lanes();
  for (std::size_t i = 0; i < kLanes; ++i) lanes[i] = lanes[i] && running_[i] < caps_[i];
  const auto lane = lane_service_.pick(lanes);
  return lane ? std::optional(flows_.next_in(*lane)) : std::nullopt;
}

void Scheduler::Impl::start(std::uint32_t slot, const Choice& choice) {
  Task& starting = tasks_[slot];
  const bool reserved = tenants_.began(starting.tenant, choice.prediction.service, now_);
  const Flows::ShareId share =
      flows_.charge(starting.flow, reserved ? Duration::zero() : choice.prediction.service);
  leave_queue(slot);
  starting.state = TaskState::kRunning;
  starting.dispatched = now_;
  starting.node = choice.node;
  if (++starting.attempts > 1) {
    ++counters_.retries;
  } else if (starting.preemptions == 0) {
    retry_budget_.first_attempt(now_);
  }
  ++counters_.running;
  starting.attempt = begin_attempt(slot, choice, {.share = share, .reserved = reserved});
  if (preemptible(starting)) hold_slot(starting.attempt.slot);
  plan_hedge(slot, choice);
}

AttemptId Scheduler::Impl::begin_attempt(std::uint32_t slot, const Choice& choice,
                                         const Payment& payment) {
  const Task& starting = tasks_[slot];
  lane_service_.charge(starting.lane, choice.prediction.service);
  const AttemptId id = attempts_.acquire();
  Attempt& attempt = attempts_[id.slot];
  attempt.task = tasks_.id_of(slot);
  attempt.node = choice.node;
  attempt.model = starting.model;
  attempt.size_bytes = starting.size_bytes;
  attempt.share = payment.share;
  attempt.lane = starting.lane;
  attempt.tenant = starting.tenant;
  attempt.reserved = payment.reserved;
  attempt.charged = choice.prediction.service;
  attempt.teaches = starting.teaches;
  attempt.dispatched = now_;
  attempt.budget = starting.deadline - starting.arrival;
  ++running_[static_cast<std::size_t>(starting.lane)];
  ++model_shares_[starting.model.value].running;
  ++counters_.attempts;
  placement_.begin(choice.node, id.slot, attempt, now_);
  residency_.began(attempt.replica);
  actions_->emplace_back(Dispatch{.request = starting.request,
                                  .task = attempt.task,
                                  .attempt = id,
                                  .node = choice.node,
                                  .model = starting.model,
                                  .lane = starting.lane,
                                  .priority = starting.priority,
                                  .deadline = starting.deadline,
                                  .rank = starting.key,
                                  .expected = choice.prediction.service});
  return id;
}

// What its leaving the queue will look at.
void Scheduler::Impl::prefetch_waiting(std::uint32_t slot) const {
  tasks_.prefetch(slot);
  wheel_.prefetch(slot);
  arrivals_.prefetch(slot);
}

void Scheduler::Impl::leave_queue(std::uint32_t slot) {
  const Task& leaving = tasks_[slot];
  flows_.remove(leaving.flow, item_of(slot));
  arrivals_.remove(arrived_[static_cast<std::size_t>(leaving.lane)], slot);
  tenants_.left(leaving.tenant, leaving.lane, leaving.size_bytes);
  residency_.left(leaving.model, leaving.lane, leaving.accepted_as, leaving.expected_service);
  wheel_.remove(slot);
  slack_.remove(leaving.lane, slot);
  promoted_waiting_ -= leaving.promoted ? 1 : 0;
  --counters_.waiting;
}

Reason Scheduler::Impl::expiry_reason(const Task& task) const {
  if (load_has_failed(task, flows_.class_of(task.flow))) return Reason::kLoadFailed;
  return task.expires >= task.deadline ? Reason::kDeadlinePassed : Reason::kQueueTimeout;
}

void Scheduler::Impl::expire(std::uint32_t slot, Reason reason) {
  leave_queue(slot);
  end(tasks_.id_of(slot), Outcome::kExpired, reason);
}

}  // namespace sluice::core
