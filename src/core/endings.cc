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
  if (answered && attempt.teaches) learn_from(attempt);
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

void Scheduler::Impl::learn_from(const Attempt& attempt) {
  const TimePoint answered = std::min(attempt.answer_started, now_);
  // An attempt that was thought to wait at the node overtook the others there: nothing is known
  // of when it began.
  if (attempt.began > answered) return;
  placement_.learn(attempt.node, attempt.model, answered - attempt.began, attempt.size_bytes, now_);
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
  ++counters_.outcomes[static_cast<std::size_t>(outcome)];
  tasks_.release(id);
  actions_->push_back(finish);
}

}  // namespace sluice::core
