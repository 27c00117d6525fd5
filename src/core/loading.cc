// Models come into the memory of nodes, and leave it (R18, R25): what Residency decides is passed
// on, and who waits for it is told.
#include <algorithm>

#include "core/scheduler_impl.h"

namespace sluice::core {
namespace {

// Whoever is refused is told to come again, if only in a moment: a load may be overdue.
Duration at_least_something(Duration left) {
  return std::max(left, Duration(1));
}

}  // namespace

void Scheduler::Impl::on(const ModelLoaded& event) {
  if (!residency_.loaded(event.node, event.model, event.ok, now_)) ++counters_.ignored_events;
}

void Scheduler::Impl::on(const ModelUnloaded& event) {
  if (!residency_.unloaded(event.node, event.model, event.ok, now_)) ++counters_.ignored_events;
}

// After every event: it may have made somebody wait for a model, or made room for one.
void Scheduler::Impl::keep_resident() {
  if (!residency_.enabled()) return;
  residency_.step(now_);
  for (const ResidencyChange& change : residency_.changes()) {
    actions_->push_back(Adjusted{change});
    const bool leaves = change.from == ResidencyState::kLoaded;
    const bool comes = change.to == ResidencyState::kLoaded;
    if (leaves || comes) placement_.residency_changed(change.model, now_);
    // Who waits for a load that has failed is told, if that was its last chance.
    if (comes || residency_.has_failed(change.model)) placement_.call_all_back(change.model);
    if (!leaves) continue;
    // Who preferred to wait for it there has to think again.
    for (const ClassId klass : eligibility_.classes_of(change.model)) flows_.unpark_all(klass);
  }
  residency_.changes().clear();
  for (const ResidencyOrder& order : residency_.orders()) {
    if (order.load) {
      actions_->push_back(LoadModel{.node = order.node, .model = order.model});
    } else {
      actions_->push_back(UnloadModel{.node = order.node, .model = order.model});
    }
  }
  residency_.orders().clear();
}

// What it waits for is a load, and the latest has failed.
bool Scheduler::Impl::load_has_failed(const Task& waiting, ClassId klass) const {
  return residency_.has_failed(waiting.model) && cold(waiting.model, klass);
}

// Its time is over before that is tried again.
bool Scheduler::Impl::load_comes_too_late(const Task& waiting, ClassId klass) const {
  if (!load_has_failed(waiting, klass)) return false;
  const auto next = residency_.held_up_until(waiting.model, eligibility_.nodes(klass), now_);
  return next && waiting.expires <= *next;
}

// No node of the class that is up has the model loaded, and on some it may be. Where it comes and
// goes only elsewhere, nodes that are down are just that.
bool Scheduler::Impl::cold(ModelId model, ClassId klass) const {
  if (!residency_.manages(model)) return false;
  const auto nodes = eligibility_.nodes(klass);
  const bool comes = std::any_of(nodes.begin(), nodes.end(), [&](NodeId node) {
    return options_.nodes[node.value].manages(model);
  });
  if (!comes) return false;
  const auto usable = residency_.usable(model);
  return std::none_of(usable.begin(), usable.end(), [&](std::uint32_t replica) {
    return eligibility_.position(klass, residency_.node_of(replica)).has_value();
  });
}

// Who comes while a load is under way, or its next try is due, is told how long that takes where it
// has no time for it. Who comes first is the cold start: it waits, and brings the model up for the
// others even if that takes longer than it has.
std::optional<Scheduler::Impl::Refusal> Scheduler::Impl::refusal_while_cold(const Entry& entry) {
  const Task& entering = task(entry.id);
  auto load = residency_.load_left(entering.model, now_);
  if (load && !eligibility_.position(entry.klass, load->node)) load.reset();  // not for this one
  if (!entry.may_queue) {
    residency_.ask(entering.model, entering.accepted_as, now_);
    const Duration left = load ? load->left : options_.models[entering.model.value].load_time;
    return Refusal{.reason = Reason::kWouldQueue, .retry_after = at_least_something(left)};
  }
  const auto next_try =
      residency_.held_up_until(entering.model, eligibility_.nodes(entry.klass), now_);
  if (!load && next_try && entering.deadline <= *next_try) {
    return Refusal{.reason = Reason::kNoReplica,
                   .retry_after = at_least_something(*next_try - now_)};
  }
  const bool late = load && load->trusted && saturating_add(now_, load->left) > entering.deadline;
  if (!late || options_.policy.admission == Admission::kCapacityOnly) return std::nullopt;
  return Refusal{.reason = Reason::kWouldMissDeadline,
                 .retry_after = at_least_something(load->left)};
}

}  // namespace sluice::core
