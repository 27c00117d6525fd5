#include "sim/rejoin.h"

#include <algorithm>

namespace sluice::sim {

Rejoin::Rejoin(const Scenario& scenario, const Cluster& cluster, EventQueue& events)
    : scenario_(scenario), cluster_(cluster), events_(events) {
  for (const Fault& fault : scenario.faults) {
    const bool returns =
        fault.until && (fault.kind == FaultKind::kCrash || fault.kind == FaultKind::kCrashSilent);
    if (!returns) continue;
    for (const std::size_t node : fault.nodes) {
      returns_.push_back({.node = node, .at = *fault.until, .rejoined = std::nullopt});
    }
  }
  if (returns_.empty()) return;
  looks_.resize(kSpan + 1, std::vector<std::uint64_t>(scenario.nodes.size()));
  events_.push({.at = TimePoint{}, .kind = EventKind::kLook});
}

void Rejoin::on(const Event& event) {
  std::vector<std::uint64_t>& look = looks_[look_count_++ % looks_.size()];
  for (std::size_t node = 0; node < look.size(); ++node) {
    look[node] = cluster_.view(node, event.at).arrived;
  }
  bool is_over = true;
  const Duration now = event.at.time_since_epoch();
  for (Return& back : returns_) {
    if (!back.rejoined && now > back.at && carries_its_share(back.node)) back.rejoined = now;
    is_over = is_over && back.rejoined.has_value();
  }
  if (!is_over) events_.push({.at = event.at + kEvery, .kind = EventKind::kLook});
}

double Rejoin::carried(std::size_t node) const {
  const std::size_t newest = (look_count_ - 1) % looks_.size();
  const std::size_t oldest = look_count_ > kSpan ? look_count_ % looks_.size() : 0;
  return static_cast<double>(looks_[newest][node] - looks_[oldest][node]);
}

bool Rejoin::carries_its_share(std::size_t node) const {
  double sum = 0;
  double count = 0;
  for (std::size_t other = 0; other < scenario_.nodes.size(); ++other) {
    if (scenario_.nodes[other].kind != scenario_.nodes[node].kind) continue;
    sum += carried(other);
    ++count;
  }
  return sum > 0 && carried(node) >= 0.5 * sum / count;
}

std::optional<double> Rejoin::seconds() const {
  std::optional<double> slowest;
  for (const Return& back : returns_) {
    if (!back.rejoined) return std::nullopt;
    slowest = std::max(slowest.value_or(0.0), to_seconds(*back.rejoined - back.at));
  }
  return slowest;
}

}  // namespace sluice::sim
