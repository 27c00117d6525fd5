// How attempts and tasks end, and what is learnt from it.
#include "base/check.h"
#include "core/scheduler_impl.h"

namespace sluice::core {

void Scheduler::Impl::end_attempt(AttemptId id, Outcome outcome, Reason reason, bool answered) {
  const Attempt* const found = attempts_.find(id);
  if (found == nullptr) {
    ++counters_.ignored_events;
    return;
  }
  const Attempt attempt = *found;
  attempts_.release(id);
  --counters_.attempts;
  settle(attempt, answered && attempt.teaches);
  if (attempt.task.valid()) {
    --counters_.running;
    end(attempt.task, outcome, reason);
  } else {
    --counters_.abandoned;
  }
  // The credit last: whatever it lets in sees the figures of the attempt that gave it.
  if (const auto next = placement_.end(attempt.node, id.slot)) attempts_[*next].began = now_;
  dispatch();
}

// Whoever paid for the attempt paid what it was expected to take; now that is put right.
void Scheduler::Impl::settle(const Attempt& attempt, bool teaches) {
  const std::optional<Duration> service = measured_service(attempt);
  const Duration more = service.value_or(attempt.charged) - attempt.charged;
  flows_.settle(attempt.share, attempt.reserved ? Duration::zero() : more);
  lane_service_.settle(attempt.lane, more);
  tenants_.finished(attempt.tenant, attempt.charged + more, more, now_);
  if (teaches && service) {
    placement_.learn(attempt.node, attempt.model, *service, attempt.size_bytes, now_);
  }
}

// Nothing for an attempt that was thought to wait at the node and overtook the others there:
// nobody knows when it began.
std::optional<Duration> Scheduler::Impl::measured_service(const Attempt& attempt) const {
  const TimePoint answered = std::min(attempt.answer_started, now_);
  if (attempt.began > answered) return std::nullopt;
  return answered - attempt.began;
}

void Scheduler::Impl::abandon(AttemptId id) {
  Attempt& attempt = attempts_[id.slot];
  attempt.task = TaskId{};
  --counters_.running;
  ++counters_.abandoned;
  actions_->push_back(CancelAttempt{.attempt = id, .node = attempt.node});
}

void Scheduler::Impl::end(TaskId id, Outcome outcome, Reason reason, Duration retry_after) {
  const Task& ending = task(id);
  const bool ran = ending.state == TaskState::kRunning;
  Finish finish{.request = ending.request,
                .task = id,
                .outcome = outcome,
                .reason = reason,
                .lane = ending.lane,
                .priority = ending.priority,
                .model = ending.model,
                .tenant = ending.tenant,
                .node = ran ? ending.node : NodeId{},
                .arrival = ending.arrival,
                .deadline = ending.deadline,
                .waited = (ran ? ending.dispatched : now_) - ending.arrival,
                .service = ran ? now_ - ending.dispatched : Duration::zero(),
                .retry_after = retry_after};
  KindHistory& history = history_[ending.task_type.value];
  if (outcome == Outcome::kCompleted) {
    history.answered(now_ - ending.arrival, ending.deadline - ending.arrival);
  }
  if (outcome == Outcome::kRefused || outcome == Outcome::kExpired) history.dropped();
  tenants_.ended(ending.tenant, outcome, reason);
  ++counters_.outcomes[static_cast<std::size_t>(outcome)];
  tasks_.release(id);
  actions_->push_back(finish);
}

}  // namespace sluice::core
