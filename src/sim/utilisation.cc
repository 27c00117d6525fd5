#include "sim/utilisation.h"

#include <algorithm>

#include "base/check.h"

namespace sluice::sim {

Utilisation::Utilisation(const Scenario& scenario, const Cluster& cluster, EventQueue& events)
    : scenario_(scenario), cluster_(cluster) {
  for (const Period& phase : phases_of(scenario)) {
    borders_.push_back(phase.begin);
    borders_.push_back(phase.end);
  }
  if (scenario.window)
    borders_.insert(borders_.end(), {(*scenario.window)[0], (*scenario.window)[1]});
  std::sort(borders_.begin(), borders_.end());
  borders_.erase(std::unique(borders_.begin(), borders_.end()), borders_.end());
  busy_.resize(borders_.size(), std::vector<Duration>(scenario.nodes.size()));
  for (std::uint32_t i = 0; i < borders_.size(); ++i) {
    events.push({.at = TimePoint(borders_[i]), .kind = EventKind::kPeriodEnds, .subject = i});
  }
}

void Utilisation::on(const Event& event) {
  for (std::size_t node = 0; node < cluster_.node_count(); ++node) {
    busy_[event.subject][node] = cluster_.view(node, event.at).busy_time;
  }
}

const std::vector<Duration>& Utilisation::busy_at(Duration border) const {
  const auto at = std::lower_bound(borders_.begin(), borders_.end(), border);
  SLUICE_CHECK(at != borders_.end() && *at == border, "utilisation is known at borders only");
  return busy_[static_cast<std::size_t>(at - borders_.begin())];
}

double Utilisation::share(std::size_t node, const Period& period) const {
  const Duration busy = busy_at(period.end)[node] - busy_at(period.begin)[node];
  const std::uint32_t slots = scenario_.kinds[scenario_.nodes[node].kind].slots;
  return to_seconds(busy) / (to_seconds(period.length()) * slots);
}

double Utilisation::mean_share(const Period& period) const {
  double sum = 0;
  for (std::size_t node = 0; node < scenario_.nodes.size(); ++node) sum += share(node, period);
  return sum / static_cast<double>(scenario_.nodes.size());
}

void Utilisation::fill(workload::Run& run) const {
  run.utilization_share = mean_share(peak_of(scenario_));
  for (const Period& phase : phases_of(scenario_)) {
    run.phases[phase.name].utilization_share = mean_share(phase);
  }
  const Period whole{.name = "", .begin = Duration::zero(), .end = traffic_end(scenario_)};
  for (std::size_t node = 0; node < scenario_.nodes.size(); ++node) {
    run.replicas[scenario_.nodes[node].name].utilization_share = share(node, whole);
  }
}

void Utilisation::fill_kinds(MeasureMap& measures) const {
  const Period peak = peak_of(scenario_);
  for (std::size_t kind = 0; kind < scenario_.kinds.size(); ++kind) {
    double sum = 0;
    double count = 0;
    for (std::size_t node = 0; node < scenario_.nodes.size(); ++node) {
      if (scenario_.nodes[node].kind != kind) continue;
      sum += share(node, peak);
      ++count;
    }
    if (count == 0) continue;
    measures["utilization_" + scenario_.kinds[kind].name + "_share"] = sum / count;
  }
}

}  // namespace sluice::sim
