#include "config/residency_summary.h"

#include <algorithm>

#include <fmt/format.h>

#include "config/summary_words.h"
#include "config/text_table.h"
#include "config/units.h"

namespace sluice::config {
namespace {

// "detect 2GiB"
std::string with_memory(const core::ModelOptions& model) {
  return model.memory_bytes == 0 ? model.name : model.name + " " + format_bytes(model.memory_bytes);
}

struct Contents {
  std::vector<std::string> loaded;  // always
  std::vector<std::string> managed;
  std::vector<std::string> reserved;
  std::uint64_t free_bytes = 0;  // of the memory, if told: what nothing is held for
};

Contents contents_of(const core::NodeOptions& node, const core::Options& core) {
  Contents contents{.free_bytes = node.memory_bytes.value_or(0)};
  for (const core::ModelId id : node.models) {
    const core::ModelOptions& model = core.models[id.value];
    if (!node.manages(id)) {
      contents.loaded.push_back(with_memory(model));
      contents.free_bytes -= std::min(model.memory_bytes, contents.free_bytes);
      continue;
    }
    contents.managed.push_back(with_memory(model));
    if (model.reserved_bytes == 0) continue;
    contents.reserved.push_back(model.name + " " + format_bytes(model.reserved_bytes));
    contents.free_bytes -= std::min(model.reserved_bytes, contents.free_bytes);
  }
  return contents;
}

std::string or_dash(const std::vector<std::string>& words) {
  return words.empty() ? "-" : join(words);
}

std::string replica_table(const core::Options& core) {
  std::vector<TextRow> rows{
      {"replica", "memory", "free for any", "reserved for", "always loaded", "managed"}};
  for (const core::NodeOptions& node : core.nodes) {
    if (!node.managed) continue;
    const Contents contents = contents_of(node, core);
    rows.push_back({node.name, or_else(node.memory_bytes, format_bytes, "enough"),
                    node.memory_bytes ? format_bytes(contents.free_bytes) : "-",
                    or_dash(contents.reserved), or_dash(contents.loaded),
                    or_dash(contents.managed)});
  }
  return format_table(rows);
}

// "detect on 2, read on 1"
std::string kept_loaded(const core::Options& core) {
  std::vector<std::string> kept;
  for (std::uint32_t m = 0; m < core.models.size(); ++m) {
    const core::ModelOptions& model = core.models[m];
    const bool managed = std::any_of(core.nodes.begin(), core.nodes.end(), [&](const auto& node) {
      return std::find(node.models.begin(), node.models.end(), core::ModelId{m}) !=
                 node.models.end() &&
             node.manages({m});
    });
    if (!managed || model.warm_replicas == 0) continue;
    kept.push_back(fmt::format("{} on {}", model.name, model.warm_replicas));
  }
  return or_dash(kept);
}

std::string rules(const core::Options& core) {
  const core::ResidencyOptions& o = core.residency;
  const auto time = [](Duration value) { return format_duration(value); };
  std::vector<TextRow> rows{
      {"loads",
       fmt::format("{} at a time on a replica, given up after {}, tried again after {} to {}",
                   o.loads_per_node, time(o.load_timeout), time(o.backoff),
                   time(o.longest_backoff))},
      {"unloads", fmt::format("for others, after {} idle; asked for again after {}", time(o.idle),
                              time(o.unload_timeout))}};
  if (core.policy.control == core::Control::kAdaptive) {
    rows.push_back({"kept loaded", kept_loaded(core)});
    rows.push_back(
        {"while in demand",
         fmt::format("from {} of the high lane until {}, over {}", format_rate(o.demand_from_per_s),
                     format_rate(o.demand_until_per_s), time(o.demand_memory))});
  }
  return format_table(rows);
}

}  // namespace

std::string summarise_residency(const core::Options& core) {
  const bool any_managed = std::any_of(core.nodes.begin(), core.nodes.end(),
                                       [](const auto& node) { return node.managed; });
  if (!any_managed) return "Models in memory\n  all, always\n";
  return "Models in memory (of replicas that are not listed all, always)\n" + replica_table(core) +
         "\nLoading\n" + rules(core);
}

}  // namespace sluice::config
