#include "telemetry/scheduler_metrics.h"

#include <array>
#include <optional>
#include <utility>

namespace sluice::telemetry {

namespace {

struct NodeGauge {
  const MetricDefinition& definition;
  std::optional<double> (*read)(const core::NodeView&);  // nothing: no series
};

constexpr std::array<NodeGauge, 6> kNodeGauges{{
    {kNodeReady, [](const core::NodeView& n) { return std::optional(n.ready ? 1.0 : 0.0); }},
    {kNodeSlots, [](const core::NodeView& n) { return std::optional<double>(n.slots); }},
    {kNodeCredits, [](const core::NodeView& n) { return std::optional<double>(n.credits); }},
    {kNodeInFlight, [](const core::NodeView& n) { return std::optional<double>(n.in_flight); }},
    {kNodeUtilization, [](const core::NodeView& n) { return n.utilisation; }},
    {kNodeMemory, [](const core::NodeView& n) { return n.memory; }},
}};

void collect_lanes(const core::Scheduler& scheduler, Families& families) {
  auto waiting = family_of(kLaneWaiting);
  auto bytes = family_of(kLaneWaitingBytes);
  for (int l = 0; l < core::kLanes; ++l) {
    const auto lane = static_cast<core::Lane>(l);
    const auto view = scheduler.lane(lane);
    add_value(waiting, kLaneWaiting, {core::to_string(lane)}, view.waiting);
    add_value(bytes, kLaneWaitingBytes, {core::to_string(lane)},
              static_cast<double>(view.waiting_bytes));
  }
  families.push_back(std::move(waiting));
  families.push_back(std::move(bytes));
}

void collect_nodes(const core::Scheduler& scheduler, Families& families) {
  const auto& nodes = scheduler.options().nodes;
  for (const NodeGauge& gauge : kNodeGauges) {
    auto family = family_of(gauge.definition);
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      const auto value = gauge.read(scheduler.node(core::NodeId{i}));
      if (value) add_value(family, gauge.definition, {nodes[i].name}, *value);
    }
    families.push_back(std::move(family));
  }
}

void collect_models(const core::Scheduler& scheduler, Families& families) {
  const core::Options& options = scheduler.options();
  auto used = family_of(kNodeMemoryUsed);
  for (std::uint32_t i = 0; i < options.nodes.size(); ++i) {
    if (!options.nodes[i].managed) continue;
    add_value(used, kNodeMemoryUsed, {options.nodes[i].name},
              static_cast<double>(scheduler.node({i}).memory_used));
  }
  auto loaded = family_of(kModelReplicasLoaded);
  for (std::uint32_t i = 0; i < options.models.size(); ++i) {
    const auto replicas = scheduler.replicas_loaded({i});
    if (replicas) add_value(loaded, kModelReplicasLoaded, {options.models[i].name}, *replicas);
  }
  families.push_back(std::move(used));
  families.push_back(std::move(loaded));
}

void add_single(const MetricDefinition& definition, double value, Families& families) {
  auto family = family_of(definition);
  add_value(family, definition, {}, value);
  families.push_back(std::move(family));
}

void collect_paths(const core::Scheduler& scheduler, Families& families) {
  const core::Options& options = scheduler.options();
  auto family = family_of(kModelPath);
  for (std::uint32_t m = 0; m < options.models.size(); ++m) {
    for (std::uint32_t p = 0; p < options.paths.size(); ++p) {
      const bool taken = scheduler.path(core::ModelId{m}) == core::PathId{p};
      add_value(family, kModelPath, {options.models[m].name, options.paths[p]}, taken ? 1 : 0);
    }
  }
  families.push_back(std::move(family));
}

void collect_counters(const core::Counters& counters, Families& families) {
  add_single(kAttemptsAbandoned, counters.abandoned, families);
  add_single(kPreemptions, static_cast<double>(counters.preemptions), families);
  add_single(kHedges, static_cast<double>(counters.hedges), families);
  add_single(kEventsIgnored, static_cast<double>(counters.ignored_events), families);
  add_single(kFiguresRejected, static_cast<double>(counters.rejected_figures), families);
}

}  // namespace

void collect_scheduler(const core::Scheduler& scheduler, Families& families) {
  collect_lanes(scheduler, families);
  collect_nodes(scheduler, families);
  collect_models(scheduler, families);
  collect_paths(scheduler, families);
  collect_counters(scheduler.counters(), families);
}

}  // namespace sluice::telemetry
