// How attempts and tasks end, and what is learnt from it.
#include <algorithm>

#include "base/check.h"
#include "core/scheduler_impl.h"

namespace sluice::core {
namespace {

// What a task that is not tried again comes to.
struct Ending {
  Outcome outcome;
  Reason reason;
};

Ending ending_of(AttemptResult result) {
  switch (result) {
    case AttemptResult::kAnswered:
    case AttemptResult::kRejected:
      return {Outcome::kCompleted, Reason::kNone};
    case AttemptResult::kError:
      return {Outcome::kFailed, Reason::kReplicaError};
    case AttemptResult::kBusy:
      return {Outcome::kFailed, Reason::kReplicaBusy};
    case AttemptResult::kUnreachable:
      return {Outcome::kFailed, Reason::kReplicaUnreachable};
    case AttemptResult::kTimeout:
      return {Outcome::kFailed, Reason::kReplicaTimeout};
    case AttemptResult::kBadAnswer:
      return {Outcome::kFailed, Reason::kBadAnswer};
    case AttemptResult::kStopped:
      return {Outcome::kFailed, Reason::kAttemptLost};
  }
  __builtin_unreachable();
}

// What the tenant had a part in. Oversize is met before there is a task.
Conduct conduct_of(Reason reason) {
  switch (reason) {
    case Reason::kReplicaTimeout:
      return Conduct::kTimeout;
    case Reason::kReplicaError:
    case Reason::kBadAnswer:
      return Conduct::kFailure;
    case Reason::kCallerGone:
      return Conduct::kDisconnect;
    default:
      return Conduct::kGood;
  }
}

}  // namespace

void Scheduler::Impl::on(const AttemptFinished& event) {
  end_attempt(event.attempt, event.result);
}

// Its fate is unknown, and whether anything ran twice: never tried again.
void Scheduler::Impl::on(const AttemptLost& event) {
  end_attempt(event.attempt, std::nullopt);
}

void Scheduler::Impl::end_attempt(AttemptId id, std::optional<AttemptResult> result) {
  const Attempt* const found = attempts_.find(id);
  if (found == nullptr) {
    ++counters_.ignored_events;
    return;
  }
  if (found->task.valid()) tasks_.prefetch(found->task.slot);
  flows_.prefetch_share(found->share);
  tenants_.prefetch(found->tenant);
  keep_slot(id.slot);
  const Attempt attempt = *found;
  attempts_.release(id);
  --counters_.attempts;
  settle(attempt, result);
  residency_.ended(attempt.replica, now_);
  if (attempt.task.valid()) {
    task_gone_from(attempt);
    end_task_of(attempt, id, result);
  } else {
    --counters_.abandoned;
  }
  // The credit last: whatever it lets in sees the figures of the attempt that gave it.
  if (const auto next = placement_.end(attempt, id.slot, now_)) attempts_[*next].began = now_;
  if (attempt.preempted) dispatch_urgent();
}

// What the end of an attempt is for its task. Of two attempts a failed one is no end: the other may
// bring the answer; and one that has brought it needs no other.
void Scheduler::Impl::end_task_of(const Attempt& attempt, AttemptId id,
                                  std::optional<AttemptResult> result) {
  Task& of_attempt = task(attempt.task);
  const bool answered = result == AttemptResult::kAnswered || result == AttemptResult::kRejected;
  if (const AttemptId other = other_of(of_attempt, id); other.valid()) {
    leave_to(of_attempt, other);
    if (!answered) return;
    abandon(other);
    of_attempt.attempt = id;
    of_attempt.node = attempt.node;
  }
  --counters_.running;
  end_or_retry(attempt, result);
}

// Whoever paid for the attempt paid what it was expected to take; now that is put right. And what
// it says of its replica is learnt.
void Scheduler::Impl::settle(const Attempt& attempt, std::optional<AttemptResult> result) {
  const std::optional<Duration> service = measured_service(attempt);
  const Duration more = service.value_or(attempt.charged) - attempt.charged;
  flows_.settle(attempt.share, attempt.reserved ? Duration::zero() : more);
  lane_service_.settle(attempt.lane, more);
  tenants_.finished(attempt.tenant, attempt.charged + more, more, now_);
  if (!result) return placement_.forget(attempt, now_);
  placement_.judge(attempt, verdict_of(*result), service.value_or(Duration::zero()), now_);
  if (result == AttemptResult::kAnswered && attempt.teaches && service) {
    placement_.learn(attempt, *service, now_);
  }
}

// Nothing for an attempt that was thought to wait at the node and overtook the others there:
// nobody knows when it began.
std::optional<Duration> Scheduler::Impl::measured_service(const Attempt& attempt) const {
  const TimePoint answered = std::min(attempt.answer_started, now_);
  if (attempt.began > answered) return std::nullopt;
  return answered - attempt.began;
}

void Scheduler::Impl::end_or_retry(const Attempt& attempt, std::optional<AttemptResult> result) {
  const Ending ending =
      result ? ending_of(*result) : Ending{Outcome::kFailed, Reason::kAttemptLost};
  if (result && may_retry(attempt, *result) && retry(attempt, ending.reason)) return;
  end(attempt.task, ending.outcome, ending.reason);
}

// Only while nothing has been sent to the caller, and only in time.
bool Scheduler::Impl::may_retry(const Attempt& attempt, AttemptResult result) const {
  const Task& tried = tasks_[attempt.task.slot];
  const bool failed =
      result == AttemptResult::kBusy || verdict_of(result) == AttemptVerdict::kFailure;
  // What may not wait any longer would leave at once, for another reason than what has failed it.
  const TimePoint latest = std::min(tried.deadline, tried.expires);
  return failed && adapts() && tried.retriable && attempt.answer_started == kNever &&
         tried.attempts < options_.retry.most_attempts && now_ < latest;
}

// R29: elsewhere, and while the retry budget lasts. False: the task is still to be ended.
bool Scheduler::Impl::retry(const Attempt& attempt, Reason cause) {
  Task& again = task(attempt.task);
  const auto free = std::find(again.tried.begin(), again.tried.end(), NodeId{});
  if (free != again.tried.end()) *free = attempt.node;
  // Once: with early binding each look takes a node's turn.
  const ClassId klass = bind(again);
  if (!klass.valid() || !placement_.untried(again, klass, now_)) return false;
  if (!retry_budget_.retry(now_)) return false;
  requeue(attempt, klass, cause);
  return true;
}

// Back to the queue, with its age and rank.
void Scheduler::Impl::requeue(const Attempt& attempt, ClassId klass, Reason cause) {
  Task& again = task(attempt.task);
  forget_hedge(attempt.task.slot);
  actions_->push_back(Requeued{.request = again.request,
                               .task = attempt.task,
                               .cause = cause,
                               .attempt = again.attempt,
                               .node = attempt.node});
  again.attempt = AttemptId{};
  wait(attempt.task.slot, klass, Turn::kAgain);
}

void Scheduler::Impl::abandon(AttemptId id) {
  keep_slot(id.slot);
  Attempt& attempt = attempts_[id.slot];
  attempt.task = TaskId{};
  task_gone_from(attempt);
  ++counters_.abandoned;
  actions_->push_back(CancelAttempt{.attempt = id, .node = attempt.node});
}

// Caps count the attempts that somebody waits for.
void Scheduler::Impl::task_gone_from(const Attempt& attempt) {
  --running_[static_cast<std::size_t>(attempt.lane)];
  --model_shares_[attempt.model.value].running;
}

void Scheduler::Impl::end(TaskId id, Outcome outcome, Reason reason, Duration retry_after,
                          RuleId rule) {
  const Task& ending = task(id);
  forget_hedge(id.slot);
  const bool ran = ending.state == TaskState::kRunning;
  actions_->emplace_back(Finish{.request = ending.request,
                                .task = id,
                                .outcome = outcome,
                                .reason = reason,
                                .lane = ending.lane,
                                .priority = ending.priority,
                                .model = ending.model,
                                .tenant = ending.tenant,
                                .node = ending.node,
                                .attempt = ran ? ending.attempt : AttemptId{},
                                .arrival = ending.arrival,
                                .deadline = ending.deadline,
                                .waited = (ran ? ending.dispatched : now_) - ending.arrival,
                                .service = ran ? now_ - ending.dispatched : Duration::zero(),
                                .retry_after = retry_after,
                                .rule = rule});
  remember(ending, outcome, reason);
  ++counters_.outcomes[static_cast<std::size_t>(outcome)];
  tasks_.release(id);
}

// What became of it is news for its kind and its tenant.
void Scheduler::Impl::remember(const Task& ended, Outcome outcome, Reason reason) {
  KindHistory& history = history_[ended.task_type.value];
  switch (outcome) {
    case Outcome::kCompleted:
      history.answered(now_ - ended.arrival, ended.deadline - ended.arrival);
      break;
    case Outcome::kRefused:
    case Outcome::kExpired:
      history.dropped();
      break;
    case Outcome::kFailed:
      history.failed();
      break;
    case Outcome::kCancelled:
      break;
  }
  tenants_.ended(ended.tenant, outcome, reason);
  const bool hit = outcome == Outcome::kCompleted && now_ <= ended.deadline;
  meters_[static_cast<std::size_t>(ended.lane)].ended(hit);
  if (outcome == Outcome::kRefused || outcome == Outcome::kExpired || !adapts()) return;
  penalties_.ended(ended.tenant, conduct_of(reason), now_);
  active_tenants_.mark(ended.tenant);
}

}  // namespace sluice::core
