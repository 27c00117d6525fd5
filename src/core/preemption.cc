// R15: a task of the high lane that would be late takes the slot of a task of the low lane.
//
// Bounds: an urgent task takes at most one slot; a task loses its slot at most
// `preemption.most` times, keeps its age and its rank, and is chosen because the least of its work
// is lost. Only what may run twice loses a slot, and only on a node that stops when told to: its
// credit comes back on proof, and goes to the high lane first.
#include <algorithm>

#include "core/scheduler_impl.h"

namespace sluice::core {
namespace {

// Of nodes that are looked at for a victim.
constexpr std::size_t kMostNodes = 32;

}  // namespace

bool Scheduler::Impl::preemptible(const Task& running) const {
  return adapts() && running.lane == Lane::kLow && running.retriable &&
         running.preemptions < options_.preemption.most &&
         options_.nodes[running.node.value].cancel == CancelMode::kStops;
}

// Until its answer starts, and no longer.
void Scheduler::Impl::hold_slot(std::uint32_t attempt_slot) {
  Attempt& attempt = attempts_[attempt_slot];
  attempt.stoppable = true;
  stoppable_.push_back(stoppable_on_[attempt.node.value], attempt_slot);
}

void Scheduler::Impl::keep_slot(std::uint32_t attempt_slot) {
  Attempt& attempt = attempts_[attempt_slot];
  if (!attempt.stoppable) return;
  attempt.stoppable = false;
  stoppable_.remove(stoppable_on_[attempt.node.value], attempt_slot);
}

// The attempt of the low lane that has done least among those whose slot would make the task be in
// time. The newest of a node has done least there.
std::optional<AttemptId> Scheduler::Impl::victim_for(const Task& urgent, ClassId klass) {
  if (urgent.lane != Lane::kHigh || !adapts()) return std::nullopt;
  const auto nodes = eligibility_.nodes(klass);
  const std::size_t looked_at = std::min(nodes.size(), kMostNodes);
  std::optional<AttemptId> best;
  Duration least = Duration::max();
  for (std::size_t i = 0; i < looked_at; ++i) {
    const std::size_t position = (next_victim_node_ + i) % nodes.size();
    const std::uint32_t newest = stoppable_on_[nodes[position].value].last;
    if (newest == ArrivalThreads::kNone) continue;
    // What may not wait any longer would not get another slot: all of its work would be lost.
    if (tasks_[attempts_[newest].task.slot].expires <= now_) continue;
    const Duration lost =
        std::max(now_ - std::min(attempts_[newest].began, now_), Duration::zero());
    if (lost >= least || !placement_.in_time_without_one(urgent, klass, position, now_)) continue;
    least = lost;
    best = attempts_.id_of(newest);
  }
  next_victim_node_ += nodes.size() > kMostNodes ? kMostNodes : 0;
  return best;
}

void Scheduler::Impl::preempt(AttemptId id) {
  const Attempt victim = attempts_[id.slot];
  abandon(id);
  --counters_.running;
  attempts_[id.slot].preempted = true;
  Task& loser = task(victim.task);
  ++loser.preemptions;
  --loser.attempts;
  ++counters_.preemptions;
  requeue(victim, bind(loser), Reason::kNone);
}

// A slot was taken for the high lane: it is served before the lanes are weighed, lest the victim
// gets its own slot back.
void Scheduler::Impl::dispatch_urgent() {
  const bool waits = flows_.runnable_lanes()[static_cast<std::size_t>(Lane::kHigh)];
  if (waits && tasks_left_ > 0) serve(flows_.next_in(Lane::kHigh));
}

}  // namespace sluice::core
