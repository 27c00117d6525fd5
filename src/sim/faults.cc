#include "sim/faults.h"

#include <algorithm>

namespace sluice::sim {
namespace {

void add(const Fault& fault, Condition& to) {
  switch (fault.kind) {
    case FaultKind::kCrash:
    case FaultKind::kFlap:
      to.crashed = true;
      break;
    case FaultKind::kCrashSilent:
      to.silent = true;
      break;
    case FaultKind::kFreeze:
      to.frozen = true;
      break;
    case FaultKind::kSlow:
      to.slowness *= fault.factor;
      break;
    case FaultKind::kLostCompletion:
      to.lost_share = std::max(to.lost_share, fault.share);
      break;
    case FaultKind::kStaleMetrics:
      to.stale_metrics = true;
      break;
    case FaultKind::kLyingMetrics:
      to.lying_metrics = true;
      break;
    case FaultKind::kPartition:
      to.cut_off = true;
      break;
    case FaultKind::kClockStep:         // the gateway's
    case FaultKind::kQuotaServiceAway:  // nothing here asks that service yet
      break;
  }
}

}  // namespace

Faults::Faults(const Scenario& scenario, Cluster& cluster, Strikes& strikes, EventQueue& events)
    : scenario_(scenario),
      cluster_(cluster),
      strikes_(strikes),
      events_(events),
      states_(scenario.faults.size()),
      of_node_(scenario.nodes.size()) {
  for (std::uint32_t i = 0; i < scenario.faults.size(); ++i) {
    const Fault& fault = scenario.faults[i];
    events_.push({.at = TimePoint(fault.at), .kind = EventKind::kFaultBegins, .subject = i});
    if (fault.until) {
      events_.push({.at = TimePoint(*fault.until), .kind = EventKind::kFaultEnds, .subject = i});
    }
    for (const std::size_t node : fault.nodes) of_node_[node].push_back(i);
  }
}

const std::vector<std::size_t>& Faults::on(const Event& event) {
  const std::size_t fault = event.subject;
  if (event.kind == EventKind::kFaultBegins) begin(fault, event.at);
  if (event.kind == EventKind::kFaultEnds) end(fault, event.at);
  if (event.kind == EventKind::kFaultTurns) turn(fault, event.at);
  return scenario_.faults[fault].nodes;
}

void Faults::begin(std::size_t at, TimePoint now) {
  const Fault& fault = scenario_.faults[at];
  states_[at].is_active = true;
  if (fault.kind == FaultKind::kClockStep) {
    clock_offset_ += fault.step;
    strikes_.hit(fault.kind);
  }
  apply(at, now);
  if (fault.kind == FaultKind::kFlap) {
    events_.push({.at = now + fault.period / 2,
                  .kind = EventKind::kFaultTurns,
                  .subject = static_cast<std::uint32_t>(at)});
  }
}

void Faults::end(std::size_t at, TimePoint now) {
  states_[at].is_active = false;
  apply(at, now);
}

// Down for the first half of each period, up for the second.
void Faults::turn(std::size_t at, TimePoint now) {
  if (!states_[at].is_active) return;
  states_[at].is_up = !states_[at].is_up;
  apply(at, now);
  events_.push({.at = now + std::max(scenario_.faults[at].period / 2, Duration(1)),
                .kind = EventKind::kFaultTurns,
                .subject = static_cast<std::uint32_t>(at)});
}

void Faults::apply(std::size_t at, TimePoint now) {
  const Fault& fault = scenario_.faults[at];
  const bool holds = states_[at].is_active && !states_[at].is_up;
  for (const std::size_t node : fault.nodes) {
    if (holds) strikes_.arm(node, fault.kind);
    const Condition before = cluster_.condition(node);
    const Condition after = condition_of(node);
    count(node, fault.kind, before, after);
    cluster_.set_condition(node, after, now);
  }
}

Condition Faults::condition_of(std::size_t node) const {
  Condition sum;
  for (const std::size_t fault : of_node_[node]) {
    if (states_[fault].is_active && !states_[fault].is_up) add(scenario_.faults[fault], sum);
  }
  return sum;
}

// Crashes and freezes strike at once, where the node was not down or frozen before.
void Faults::count(std::size_t node, FaultKind kind, const Condition& before,
                   const Condition& after) {
  const bool crashes =
      kind == FaultKind::kCrash || kind == FaultKind::kCrashSilent || kind == FaultKind::kFlap;
  if (crashes && after.down() && !before.down()) strikes_.hit(node, kind);
  if (kind == FaultKind::kFreeze && after.frozen && !before.frozen) strikes_.hit(node, kind);
}

}  // namespace sluice::sim
