#include "telemetry/scheduler_metrics.h"

#include <array>
#include <utility>

namespace sluice::telemetry {

namespace {

struct NodeGauge {
  const MetricDefinition& definition;
  double (*read)(const core::NodeView&);
};

constexpr std::array<NodeGauge, 4> kNodeGauges{{
    {kNodeReady, [](const core::NodeView& n) { return n.ready ? 1.0 : 0.0; }},
    {kNodeSlots, [](const core::NodeView& n) { return static_cast<double>(n.slots); }},
    {kNodeCredits, [](const core::NodeView& n) { return static_cast<double>(n.credits); }},
    {kNodeInFlight, [](const core::NodeView& n) { return static_cast<double>(n.in_flight); }},
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
      add_value(family, gauge.definition, {nodes[i].name},
                gauge.read(scheduler.node(core::NodeId{i})));
    }
    families.push_back(std::move(family));
  }
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
  auto abandoned = family_of(kAttemptsAbandoned);
  add_value(abandoned, kAttemptsAbandoned, {}, counters.abandoned);
  families.push_back(std::move(abandoned));
  auto ignored = family_of(kEventsIgnored);
  add_value(ignored, kEventsIgnored, {}, static_cast<double>(counters.ignored_events));
  families.push_back(std::move(ignored));
}

}  // namespace

void collect_scheduler(const core::Scheduler& scheduler, Families& families) {
  collect_lanes(scheduler, families);
  collect_nodes(scheduler, families);
  collect_paths(scheduler, families);
  collect_counters(scheduler.counters(), families);
}

}  // namespace sluice::telemetry
