#include "sim/digest.h"

#include <variant>

namespace sluice::sim {

void Digest::after(const Step& step) {
  if (step.actions.empty()) return;
  field(step.now);
  for (const core::Action& action : step.actions) {
    field(action.index());
    std::visit([this](const auto& a) { take(a); }, action);
  }
  actions_ += step.actions.size();
}

void Digest::take(const core::AdmissionRecord& a) {
  add(a.request, a.task, a.reason, a.lane, a.original, a.priority, a.degraded, a.model, a.tenant,
      a.budget, a.trusted, a.until_slot, a.service, a.work_ahead, a.slots, a.share, a.victim);
}

void Digest::take(const core::PlacementRecord& a) {
  add(a.request, a.task, a.verdict, a.lane, a.priority, a.considered, a.node);
  for (std::size_t i = 0; i < a.listed; ++i) {
    const core::Weighed& w = a.best[i];
    add(w.node, w.marks, w.trusted, w.predicted, w.cost);
  }
}

void Digest::take(const core::Queued& a) {
  add(a.request, a.task, a.model, a.lane, a.priority, a.deadline, a.rank);
}

void Digest::take(const core::Dispatch& a) {
  add(a.request, a.task, a.attempt, a.node, a.model, a.lane, a.priority, a.deadline, a.rank,
      a.expected);
}

void Digest::take(const core::Promoted& a) {
  add(a.request, a.task, a.from, a.to, a.waited, a.rank);
}

void Digest::take(const core::Requeued& a) {
  add(a.request, a.task, a.cause, a.node);
}

void Digest::take(const core::Finish& a) {
  add(a.request, a.task, a.outcome, a.reason, a.lane, a.priority, a.model, a.tenant, a.node,
      a.arrival, a.deadline, a.waited, a.service, a.retry_after, a.rule);
}

void Digest::take(const core::CancelAttempt& a) {
  add(a.attempt, a.node);
}

void Digest::take(const core::RuleAnswer& a) {
  add(a.result.error, a.result.id);
}

void Digest::take(const core::Adjusted& a) {
  field(a.change.index());
  std::visit([this](const auto& c) { change(c); }, a.change);
}

void Digest::change(const core::BreakerChange& c) {
  const core::BreakerTransition& t = c.transition;
  add(c.node, c.model, t.from, t.to, t.cause, t.failures_in_a_row, t.slow_in_a_row, t.failure_share,
      t.volume, t.open_for);
}

void Digest::change(const core::PathChange& c) {
  const core::PathSwitch& s = c.change;
  add(c.model, s.from, s.to, s.cause, s.left, s.entered, s.hold);
}

void Digest::change(const core::CorrectionChange& c) {
  add(c.kind, c.from, c.to, c.cause, c.figure, c.threshold, c.at);
}

void Digest::change(const core::LaneWeightChange& c) {
  add(c.lane, c.from, c.to, c.cause, c.figure, c.at);
}

void Digest::change(const core::ShareChange& c) {
  add(c.from, c.to, c.figure, c.threshold, c.at);
}

void Digest::change(const core::ModelShareChange& c) {
  field(c.model);
  change(c.change);
}

void Digest::change(const core::PenaltyChange& c) {
  add(c.tenant, c.from, c.to, c.most, c.figure, c.threshold, c.at);
}

void Digest::change(const core::ResidencyChange& c) {
  add(c.node, c.model, c.from, c.to, c.cause, c.lasted, c.other, c.waiting, c.urgent_per_s);
}

}  // namespace sluice::sim
