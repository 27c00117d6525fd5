#include "sim/health.h"

namespace sluice::sim {
namespace {

constexpr Duration kProbeEvery = std::chrono::seconds(1);
constexpr Duration kProbeTimeout = std::chrono::seconds(1);

// What a probe was answered, as its event carries it: a refused connection is an answer, too.
constexpr std::uint32_t kServes = 0;
constexpr std::uint32_t kRefuses = 1;

core::NodeId id_of(std::size_t node) {
  return {static_cast<std::uint32_t>(node)};
}

}  // namespace

Health::Health(const Scenario& scenario, Watch watch, Cluster& cluster, const Draws& draws,
               Strikes& strikes, EventQueue& events)
    : scenario_(scenario),
      watch_(watch),
      cluster_(cluster),
      draws_(draws),
      strikes_(strikes),
      events_(events),
      nodes_(scenario.nodes.size()) {
  if (watch_ == Watch::kBalancer) return;
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
    const Duration offset = kProbeEvery * (node + 1) / static_cast<std::int64_t>(nodes_.size());
    events_.push({.at = TimePoint(offset), .kind = EventKind::kProbeSent, .subject = node});
  }
}

core::NodeReport Health::first_report(std::size_t node) const {
  return {.node = id_of(node), .ready = true, .round_trip = round_trip(node, 0)};
}

Duration Health::round_trip(std::size_t node, std::uint32_t probe) const {
  const std::size_t path = scenario_.kinds[scenario_.nodes[node].kind].path;
  // Numbers that no request has.
  const std::uint64_t who = ~std::uint64_t{node};
  return draws_.delay(who, probe, path, Draws::Way::kProbeThere) +
         draws_.delay(who, probe, path, Draws::Way::kProbeBack);
}

std::optional<core::NodeReport> Health::on(const Event& event) {
  Node& node = nodes_[event.subject];
  switch (event.kind) {
    case EventKind::kProbeSent:
      probe(event.subject, event.at);
      return std::nullopt;
    case EventKind::kProbeAnswered:
      return report(event.subject, event.generation == kServes, node.round_trip);
    case EventKind::kProbeMissed:
      return report(event.subject, false, std::nullopt);
    case EventKind::kDeclare:
      if (event.generation != node.generation) return std::nullopt;
      return report(event.subject, node.answers, std::nullopt);
    default:
      return std::nullopt;
  }
}

// The probe meets the node as it is now: the way there is short against the time between probes.
void Health::probe(std::size_t at, TimePoint now) {
  const auto subject = static_cast<std::uint32_t>(at);
  const Condition& condition = cluster_.condition(at);
  if (condition.cut_off) strikes_.hit(at, FaultKind::kPartition);
  const bool is_refused = condition.crashed && !condition.silent && !condition.cut_off;
  Node& node = nodes_[at];
  node.round_trip = round_trip(at, ++node.probes);
  if ((condition.answers() || is_refused) && node.round_trip < kProbeTimeout) {
    events_.push({.at = now + node.round_trip,
                  .kind = EventKind::kProbeAnswered,
                  .subject = subject,
                  .generation = is_refused ? kRefuses : kServes});
  } else {
    events_.push({.at = now + kProbeTimeout, .kind = EventKind::kProbeMissed, .subject = subject});
  }
  events_.push({.at = now + kProbeEvery, .kind = EventKind::kProbeSent, .subject = subject});
}

core::NodeReport Health::report(std::size_t at, bool ready, std::optional<Duration> round_trip) {
  Node& node = nodes_[at];
  const Condition& condition = cluster_.condition(at);
  // Figures that do not change any more; readiness is seen by whether an answer comes at all.
  if (condition.stale_metrics && round_trip) {
    strikes_.hit(at, FaultKind::kStaleMetrics);
    round_trip = node.told.round_trip;
  }
  if (condition.lying_metrics && round_trip) {
    strikes_.hit(at, FaultKind::kLyingMetrics);
    round_trip = Duration(1);
  }
  node.told = {.node = id_of(at), .ready = ready, .round_trip = round_trip};
  return node.told;
}

void Health::look_at(std::size_t at, TimePoint now) {
  Node& node = nodes_[at];
  const bool answers = cluster_.condition(at).answers();
  if (watch_ == Watch::kProbing || node.answers == answers) return;
  node.answers = answers;
  events_.push({.at = now + scenario_.health_check,
                .kind = EventKind::kDeclare,
                .subject = static_cast<std::uint32_t>(at),
                .generation = ++node.generation});
}

}  // namespace sluice::sim
