#include "config/replica_summary.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "config/priorities.h"
#include "config/summary_words.h"
#include "config/text_table.h"
#include "config/units.h"

namespace sluice::config {
namespace {

// "hot, 0..2, standby"
std::string purpose(const core::NodeOptions& node, const core::Options& core) {
  std::string path;
  if (!core.paths.empty()) path = core.paths[node.path.valid() ? node.path.value : 0] + ", ";
  return path + format_priorities(node.accepted()) + (node.standby ? ", standby" : "");
}

// What no replica takes is refused: most likely nobody meant that.
std::string not_accepted(const core::Options& core) {
  std::string lines;
  for (std::uint32_t m = 0; m < core.models.size(); ++m) {
    std::vector<std::string> missing;
    for (int p = 0; p < core::kPriorities; ++p) {
      const auto takes = [&](const core::NodeOptions& node) {
        return node.accepted().contains(static_cast<core::Priority>(p)) &&
               std::find(node.models.begin(), node.models.end(), core::ModelId{m}) !=
                   node.models.end();
      };
      if (std::none_of(core.nodes.begin(), core.nodes.end(), takes)) {
        missing.push_back(std::to_string(p));
      }
    }
    if (missing.empty()) continue;
    lines += fmt::format("  No replica takes {} of priority {}: refused\n", core.models[m].name,
                         join(missing));
  }
  return lines;
}

std::string paths(const core::Options& core) {
  if (core.paths.empty()) return "Paths\n  one\n";
  const core::PathOptions& path = core.path;
  return "Paths\n" +
         format_table(
             {{"in order", join(core.paths)},
              {"left above", fmt::format("{:g}% utilisation, {:g}% queue, P95 {:g} of the budget",
                                         100 * path.leave.utilisation, 100 * path.leave.queue,
                                         path.leave_slowness)},
              {"left after", fmt::format("{} failures in a row", path.failures_in_a_row)},
              {"entered below", fmt::format("{:g}% utilisation, {:g}% queue",
                                            100 * path.enter.utilisation, 100 * path.enter.queue)},
              {"back after",
               fmt::format("{}, {} probes", format_duration(path.hold), path.probes)}});
}

std::string slow_start(const core::SlowStartOptions& slow_start) {
  if (!slow_start.enabled) return "Slow start\n  off\n";
  return fmt::format("Slow start\n  {} in flight at first, and whoever is seen after {} joins\n",
                     slow_start.attempts, format_duration(slow_start.joins_after));
}

std::string replica_table(const ServeConfig& config) {
  std::vector<TextRow> rows{
      {"name", "URL", "kind", "slots", "credits", "cancel", "round trip", "takes", "models"}};
  for (std::size_t i = 0; i < config.replicas.size(); ++i) {
    const core::NodeOptions& node = config.core.nodes[i];
    const ReplicaAddress& reached = config.replicas[i];
    std::vector<std::string> served;
    for (const core::ModelId model : node.models) {
      served.push_back(config.core.models[model.value].name);
    }
    rows.push_back({node.name, format_http_url({reached.address, reached.path_prefix}),
                    reached.kind == ReplicaKind::kTriton ? "triton" : "plain",
                    std::to_string(node.slots),
                    or_else(
                        node.credits, [](auto n) { return std::to_string(n); }, "learnt"),
                    node.cancel == core::CancelMode::kStops ? "stops" : "ignored",
                    or_else(node.round_trip, format_duration, "learnt"), purpose(node, config.core),
                    join(served)});
  }
  return "Replicas\n" + format_table(rows) + not_accepted(config.core);
}

}  // namespace

std::string summarise_replicas(const ServeConfig& config) {
  return replica_table(config) + "\n" + paths(config.core) + "\n" +
         slow_start(config.core.slow_start);
}

}  // namespace sluice::config
