// A second attempt at what takes longer than it should (hedged requests: Dean and Barroso, "The
// Tail at Scale", 2013), for models that ask for it and tasks that may run twice.
//
// Bounds: one hedge a task, after 95 % of such attempts would have ended; paid from the retry
// budget; only on a credit that nobody waits for, and within its tenant's limits. So it takes
// capacity from no task, and at most the retry budget's share of all attempts. The first answer is
// the task's; the other attempt is stopped where it can be.
#include "core/scheduler_impl.h"

namespace sluice::core {

void Scheduler::Impl::plan_hedge(std::uint32_t slot, const Choice& choice) {
  Task& starting = tasks_[slot];
  const bool wanted = adapts() && starting.retriable && starting.attempts == 1 &&
                      options_.models[starting.model.value].hedge &&
                      options_.policy.binding == Binding::kLate;
  if (!wanted) return;
  hedges_.insert(slot, now_ + choice.prediction.until_slot + choice.prediction.p95);
  starting.hedge_planned = true;
}

void Scheduler::Impl::forget_hedge(std::uint32_t slot) {
  if (!tasks_[slot].hedge_planned) return;
  hedges_.remove(slot);
  tasks_[slot].hedge_planned = false;
}

void Scheduler::Impl::hedge_due() {
  while (const auto slot = hedges_.pop_due(now_)) {
    tasks_[*slot].hedge_planned = false;
    hedge(*slot);
  }
}

void Scheduler::Impl::hedge(std::uint32_t slot) {
  Task& slow = tasks_[slot];
  const std::uint32_t first = slow.attempt.slot;
  const ClassId klass = eligibility_.class_of(slow.model, slow.accepted_as);
  if (slow.deadline <= now_ || attempts_[first].answer_started != kNever ||
      !placement_.open(klass) || !nothing_waits(klass) || flows_.blocked(slow.tenant)) {
    return;
  }
  // Elsewhere, for the time of this choice.
  const auto tried = slow.tried;
  slow.tried.back() = slow.node;
  const Choice choice = placement_.choose(slow, klass, now_, true);
  slow.tried = tried;
  if (choice.verdict != Verdict::kRun || choice.node == slow.node || !retry_budget_.retry(now_)) {
    return;
  }
  tell_placement(slot, Verdict::kRun);
  keep_slot(first);
  const Flows::ShareId share = attempts_[first].share;
  const bool reserved = tenants_.began(slow.tenant, choice.prediction.service, now_);
  flows_.charge_more(share, reserved ? Duration::zero() : choice.prediction.service);
  slow.hedge = begin_attempt(slot, choice, {.share = share, .reserved = reserved});
  ++counters_.hedges;
  ++counters_.hedged;
}

// The other attempt of the task, if two are under way.
AttemptId Scheduler::Impl::other_of(const Task& task, AttemptId one) const {
  if (!task.hedge.valid()) return {};
  return task.hedge == one ? task.attempt : task.hedge;
}

// One of the two is gone: the task goes on with the other, or for it.
void Scheduler::Impl::leave_to(Task& task, AttemptId other) {
  task.attempt = other;
  task.node = attempts_[other.slot].node;
  task.hedge = AttemptId{};
  --counters_.hedged;
}

}  // namespace sluice::core
