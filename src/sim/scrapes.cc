#include "sim/scrapes.h"

#include <algorithm>

namespace sluice::sim {
namespace {

constexpr Duration kEvery = std::chrono::seconds(3);
constexpr Duration kLag = std::chrono::seconds(1);

}  // namespace

Scrapes::Scrapes(const Scenario& scenario, const Cluster& cluster, Strikes& strikes,
                 EventQueue& events, bool are_used)
    : cluster_(cluster),
      strikes_(strikes),
      events_(events),
      nodes_(are_used ? scenario.nodes.size() : 0) {
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
    const Duration offset = kEvery * (node + 1) / static_cast<std::int64_t>(nodes_.size());
    events_.push({.at = TimePoint(offset), .kind = EventKind::kScraped, .subject = node});
  }
}

std::optional<core::NodeFiguresReport> Scrapes::on(const Event& event) {
  if (event.kind == EventKind::kFiguresArrive) return nodes_[event.subject].read;
  scrape(event.subject, event.at);
  events_.push({.at = event.at + kEvery, .kind = EventKind::kScraped, .subject = event.subject});
  return std::nullopt;
}

void Scrapes::scrape(std::size_t at, TimePoint now) {
  const Condition& condition = cluster_.condition(at);
  if (!condition.answers()) return;
  const core::NodeFiguresReport true_figures = read(at, now);
  Node& node = nodes_[at];
  if (condition.lying_metrics) {
    strikes_.hit(at, FaultKind::kLyingMetrics);
    node.read = {.node = true_figures.node, .utilisation = 0, .memory = 0, .age = kLag};
  } else if (condition.stale_metrics && node.was_read) {
    strikes_.hit(at, FaultKind::kStaleMetrics);
  } else {
    node.read = true_figures;
  }
  node.was_read = true;
  events_.push({.at = now + kLag,
                .kind = EventKind::kFiguresArrive,
                .subject = static_cast<std::uint32_t>(at)});
}

core::NodeFiguresReport Scrapes::read(std::size_t at, TimePoint now) {
  const ClusterNodeView view = cluster_.view(at, now);
  Node& node = nodes_[at];
  const Duration busy = view.busy_time - node.busy_time;
  const Duration period = now - node.read_at;
  node.busy_time = view.busy_time;
  node.read_at = now;
  return {.node = {static_cast<std::uint32_t>(at)},
          .utilisation = std::min(to_seconds(busy) / (to_seconds(period) * view.slots), 1.0),
          .memory = cluster_.memories().share(at),
          .age = kLag};
}

}  // namespace sluice::sim
