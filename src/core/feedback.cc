// The control loop (R7..R9): what has been seen since the last tick changes how the next tasks are
// treated. Controllers (control/) decide from figures alone; here the figures are gathered, and
// what was decided is put into effect and reported.
#include <algorithm>

#include "core/scheduler_impl.h"

namespace sluice::core {

// Something has become active: the loop ticks again after a rest.
void Scheduler::Impl::wake_control() {
  const bool rests = control_due_ == kNever && adapts();
  if (rests) control_due_ = period_.wake(now_);
}

void Scheduler::Impl::control_if_due() {
  if (now_ < control_due_) return;
  changes_ = 0;
  const SystemFigures figures = read_load();
  correct_kinds(figures.load());
  weigh_lanes();
  limit_lanes(figures);
  shrink_tenants(figures.load());
  penalise_tenants();
  shrink_models();
  promote_starved();
  const auto active =
      static_cast<std::uint32_t>(active_kinds_.size() + active_tenants_.size() +
                                 active_models_.size()) +
      (lane_weights_.settled() && non_core_.settled() && counters_.waiting == 0 ? 0u : 1u);
  control_due_ =
      period_.next({.load = figures.load(), .active = active, .changes = changes_}, now_);
}

SystemFigures Scheduler::Impl::read_load() {
  std::array<Duration, kLanes> waiting{};
  for (std::size_t i = 0; i < kLanes; ++i) waiting[i] = flows_.totals(Lane(i)).work;
  const std::uint32_t slots = placement_.ready_slots();
  return load_.step(std::min(counters_.attempts, slots), slots, waiting, now_);
}

void Scheduler::Impl::report(const Adjusted& change) {
  ++changes_;
  actions_->push_back(change);
}

void Scheduler::Impl::correct_kinds(double load) {
  active_kinds_.sweep([&](TaskTypeId kind) {
    const KindFigures figures = history_[kind.value].figures(realtime_of_kind_[kind.value], now_);
    if (const auto change = corrections_.step(kind, figures, load, now_)) {
      flows_.set_offset(kind, change->to * options_.score.per_priority);
      report(Adjusted{*change});
    }
    const bool idle = figures.rate_per_s < options_.control.corrections.idle_below_per_s;
    return !idle || !corrections_.settled(kind);
  });
}

void Scheduler::Impl::weigh_lanes() {
  const double slots = std::max(placement_.ready_slots(), 1u);
  for (std::size_t i = 0; i < kLanes; ++i) {
    const Lane lane{static_cast<std::uint8_t>(i)};
    const double work_ns = static_cast<double>(flows_.totals(lane).work.count());
    const LaneFigures figures{.drain = Duration(static_cast<std::int64_t>(work_ns / slots)),
                              .budget = meters_[i].mean_budget(),
                              .arrivals_per_s = meters_[i].arrivals_per_s(now_),
                              .hit_share = meters_[i].hit_share(now_),
                              .oldest_wait = oldest_wait(lane)};
    if (const auto change = lane_weights_.step(lane, figures, now_)) {
      lane_service_.set_weight(lane, lane_weights_.weight(lane));
      report(Adjusted{*change});
    }
  }
}

Duration Scheduler::Impl::oldest_wait(Lane lane) const {
  const std::uint32_t oldest = arrived_[static_cast<std::size_t>(lane)].first;
  return oldest == ArrivalThreads::kNone ? Duration::zero() : now_ - tasks_[oldest].arrival;
}

void Scheduler::Impl::limit_lanes(const SystemFigures& figures) {
  const std::uint32_t slots = placement_.ready_slots();
  for (std::size_t i = 0; i < kLanes; ++i) {
    const std::uint32_t cap = running_cap(Lane(i), figures, slots, options_.control.limiter);
    // A whole share is no cap: far nodes have more attempts on their way than slots.
    caps_[i] = cap < slots ? cap : kNoCap;
  }
  placement_.set_reserves(now_);
}

void Scheduler::Impl::shrink_tenants(double load) {
  const auto change = non_core_.step(load, now_, options_.control.safety_load);
  if (!change) return;
  tenants_.set_non_core_factor(change->to);
  report(Adjusted{*change});
}

void Scheduler::Impl::penalise_tenants() {
  active_tenants_.sweep([&](TenantId tenant) {
    if (const auto change = penalties_.step(tenant, now_)) {
      tenants_.set_penalty(tenant, penalties_.penalty(tenant));
      report(Adjusted{*change});
    }
    return !penalties_.settled(tenant, now_);
  });
}

// R7: a model whose replicas stay backlogged may have fewer attempts under way; its tasks wait
// here, where others can pass.
void Scheduler::Impl::shrink_models() {
  active_models_.sweep([&](ModelId model) {
    ModelShare& state = model_shares_[model.value];
    const auto change = state.share.step(backlog_at_replicas(model), now_, kModelShare);
    if (change) {
      const double most = change->to * placement_.ready_slots(model);
      state.cap = change->to < 1 ? static_cast<std::uint32_t>(std::max(most, 1.0)) : UINT32_MAX;
      for (const ClassId klass : eligibility_.classes_of(model)) flows_.unpark_all(klass);
      report(Adjusted{ModelShareChange{.model = model, .change = *change}});
    }
    return !state.share.settled() || state.running > 0;
  });
}

// Time until one of its replicas has a free slot ÷ what its tasks may take.
double Scheduler::Impl::backlog_at_replicas(ModelId model) const {
  const TaskTypeId kind = options_.models[model.value].task_type;
  const double budget_ns = static_cast<double>(history_[kind.value].mean_budget().count());
  if (budget_ns <= 0 || options_.policy.binding != Binding::kLate) return 0;
  return static_cast<double>(placement_.mean_queueing(model).count()) / budget_ns;
}

// R16. Bound: while there is room above, the oldest of the low lane waits for at most
// `promotion.after` and one period before it competes there, and never are more than `most_share`
// of the slots waited for by those that came this way.
void Scheduler::Impl::promote_starved() {
  const PromotionOptions& o = options_.promotion;
  if (o.most_share <= 0) return;
  const double most = std::max(1.0, o.most_share * placement_.ready_slots());
  const LaneOptions& above = lane_options(Lane::kLatency);
  while (promoted_waiting_ < most && flows_.totals(Lane::kLatency).tasks < above.capacity &&
         oldest_wait(Lane::kLow) > o.after) {
    promote(arrived_[static_cast<std::size_t>(Lane::kLow)].first);
  }
}

void Scheduler::Impl::promote(std::uint32_t slot) {
  constexpr Priority kLeastUrgentAbove = 6;
  Task& starved = tasks_[slot];
  const ClassId klass = flows_.class_of(starved.flow);
  const Priority from = starved.priority;
  leave_queue(slot);
  // Where it may run stays as it was: only the queue is another.
  starved.priority = kLeastUrgentAbove;
  starved.lane = lane_of(starved.priority);
  starved.promoted = true;
  rank(starved);
  wait(slot, klass, Turn::kAgain);
  ++counters_.promotions;
  actions_->push_back(Promoted{.request = starved.request,
                               .task = tasks_.id_of(slot),
                               .from = from,
                               .to = starved.priority,
                               .waited = now_ - starved.arrival,
                               .rank = starved.key});
}

}  // namespace sluice::core
