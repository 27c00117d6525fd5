// Which models come into the memory of which replicas, and leave it (R18, R25).
#include <algorithm>
#include <chrono>
#include <numeric>

#include <fmt/format.h>

#include "config/serve/sections.h"
#include "config/units.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

// No sum over the models of a file comes near 2^64.
constexpr std::uint64_t kMostMemory = std::uint64_t{16} << 40;

bool has(const std::vector<core::ModelId>& models, core::ModelId model) {
  return std::find(models.begin(), models.end(), model) != models.end();
}

std::string name_of(core::ModelId model, const core::Options& core) {
  return core.models[model.value].name;
}

void refuse_misnamed(const Fields& f, const core::NodeOptions& node,
                     const std::vector<core::ModelId>& managed, const core::Options& core) {
  for (auto model = managed.begin(); model != managed.end(); ++model) {
    if (!has(node.models, *model)) {
      f.fail("managed", name_of(*model, core) + " is not one of its models");
    }
    if (std::find(managed.begin(), model, *model) != model) {
      f.fail("managed", name_of(*model, core) + " is named twice");
    }
  }
}

// What no other model can have there.
std::uint64_t held_for(core::ModelId id, const core::NodeOptions& node, const core::Options& core) {
  const core::ModelOptions& model = core.models[id.value];
  return node.manages(id) ? model.reserved_bytes
                          : std::max(model.memory_bytes, model.reserved_bytes);
}

std::uint64_t held_for_all(const core::NodeOptions& node, const core::Options& core) {
  return std::accumulate(
      node.models.begin(), node.models.end(), std::uint64_t{0},
      [&](std::uint64_t sum, core::ModelId model) { return sum + held_for(model, node, core); });
}

void refuse_misfits(const Fields& f, const core::NodeOptions& node, const core::Options& core) {
  const std::uint64_t memory = *node.memory_bytes;
  const std::uint64_t held = held_for_all(node, core);
  if (held > memory) {
    f.fail("memory",
           fmt::format("is {}, but its models that are not managed, and what is reserved for the "
                       "others, take {}",
                       format_bytes(memory), format_bytes(held)));
  }
  for (const core::ModelId id : node.models) {
    if (!node.manages(id)) continue;
    const core::ModelOptions& model = core.models[id.value];
    if (model.memory_bytes == 0) {
      f.fail("memory",
             model.name + " is managed, and its own memory is not told: add it in models");
    }
    const std::uint64_t others = held - held_for(id, node, core);
    if (model.memory_bytes <= memory - others) continue;
    const std::string beside =
        others == 0 ? ""
                    : fmt::format(", and {} are held for its other models", format_bytes(others));
    f.fail("memory", fmt::format("is {}, but {} takes {}{}", format_bytes(memory), model.name,
                                 format_bytes(model.memory_bytes), beside));
  }
}

// A model of one that comes and goes at the other.
std::optional<core::ModelId> managed_of(const core::NodeOptions& of, const core::NodeOptions& by) {
  const auto found = std::find_if(of.models.begin(), of.models.end(), [&](core::ModelId model) {
    return has(by.models, model) && by.manages(model);
  });
  return found == of.models.end() ? std::nullopt : std::optional(*found);
}

std::size_t count_with(core::ModelId model, const std::vector<core::NodeOptions>& nodes) {
  return static_cast<std::size_t>(
      std::count_if(nodes.begin(), nodes.end(),
                    [&](const core::NodeOptions& node) { return has(node.models, model); }));
}

void read_demand(Fields& f, core::ResidencyOptions& out) {
  f.optional("from", rate(1e-6, 1e6), out.demand_from_per_s,
             "A model is in demand from so many requests of the high lane on");
  f.optional("until", rate(1e-6, 1e6), out.demand_until_per_s, "Until they are fewer than this");
  f.optional("memory", duration(1ms, 24h), out.demand_memory, "Seen over so long");
  if (out.demand_until_per_s < out.demand_from_per_s) return;
  f.fail(f.has("until") ? "until" : "from",
         f.has("until") ? "is not below from" : "is not above until");
}

}  // namespace

void read_model_memory(Fields& f, core::ModelOptions& out) {
  f.optional("memory", bytes(0, kMostMemory), out.memory_bytes,
             "What it takes of a replica's memory while it is loaded; for replicas with memory");
  f.optional("reserved", bytes(0, kMostMemory), out.reserved_bytes,
             "Memory of each replica that manages it which no other model gets, whether it is "
             "loaded or not; as much as its memory: once loaded it stays");
  f.optional("load_time", duration(1ms, 1h), out.load_time,
             "Time that a load takes, to assume before any was measured");
  f.optional("warm_replicas", count(0, 65535), out.warm_replicas,
             "Replicas on which it is kept loaded while requests of the high lane come for it (see "
             "residency); under control \"adaptive\"");
  if (out.reserved_bytes > out.memory_bytes) f.fail("reserved", "is more than its memory");
}

void read_managed(Fields& f, const Kind<core::ModelId>& model, const core::Options& core,
                  core::NodeOptions& out) {
  std::vector<core::ModelId> managed;
  f.scalars(
      "managed", model, managed, false,
      "Those of its models that Sluice loads when they are asked for, and unloads for others, "
      "by the repository API of the Open Inference Protocol; the rest is always loaded");
  f.optional("memory", bytes(1, kMostMemory), out.memory_bytes,
             "What it has for all its models, where some are managed", "all of them fit");
  refuse_misnamed(f, out, managed, core);
  out.managed = !managed.empty();
  if (!out.managed) {
    if (out.memory_bytes) f.fail("memory", "is for replicas with managed models; it has none");
    return;
  }
  for (const core::ModelId served : out.models) {
    if (!has(managed, served)) out.pinned.push_back(served);
  }
  if (out.memory_bytes) refuse_misfits(f, out, core);
}

void refuse_managed_standby(const Fields& f, const core::NodeOptions& node,
                            const core::NodeOptions& other, const core::Options& core) {
  const auto here = node.standby ? managed_of(node, other) : std::nullopt;
  if (here) {
    f.fail("standby", fmt::format("is ready at once, so its models stay loaded everywhere; {} is "
                                  "managed at {}",
                                  name_of(*here, core), other.name));
  }
  const auto there = other.standby ? managed_of(other, node) : std::nullopt;
  if (there) {
    f.fail("managed", fmt::format("{} is a model of the standby {}, so it stays loaded everywhere",
                                  name_of(*there, core), other.name));
  }
}

void refuse_idle_wishes(const Fields& root, const core::Options& core) {
  for (std::uint32_t m = 0; m < core.models.size(); ++m) {
    const core::ModelOptions& model = core.models[m];
    const bool keeps =
        std::any_of(core.nodes.begin(), core.nodes.end(), [&](const core::NodeOptions& node) {
          return has(node.models, {m}) && node.manages({m}) && node.memory_bytes;
        });
    if (model.reserved_bytes > 0 && !keeps) {
      root.fail("models", model.name + ": reserved, but no replica with memory manages it");
    }
    const std::size_t replicas = count_with({m}, core.nodes);
    if (model.warm_replicas > std::max<std::size_t>(replicas, 1)) {
      root.fail("models", fmt::format("{}: warm_replicas is {}, but {} replicas serve it",
                                      model.name, model.warm_replicas, replicas));
    }
  }
}

void read_residency(Fields& root, core::ResidencyOptions& out) {
  root.map("residency", "When models are loaded and unloaded, where replicas manage some",
           [&](Fields& f) {
             f.optional("idle", duration(0s, 24h), out.idle,
                        "Idle for so long a model may be unloaded for another; and any idle one "
                        "for a request that has waited for so long");
             f.optional("load_timeout", duration(1ms, 24h), out.load_timeout,
                        "A load without an answer for so long is taken back; longer than the "
                        "slowest model takes");
             f.optional("unload_timeout", duration(1ms, 24h), out.unload_timeout,
                        "An unload without an answer for so long is asked for again");
             f.optional("backoff", duration(1ms, 24h), out.backoff,
                        "After a failed load its replica is left alone for so long; doubles with "
                        "each failure in a row");
             f.optional("longest_backoff", duration(1ms, 24h), out.longest_backoff,
                        "Most that it doubles to");
             f.optional("loads_per_replica", count(1, 1'000), out.loads_per_node,
                        "Loads at a time on a replica");
             f.map("demand", "Who is kept loaded (warm_replicas of a model)",
                   [&](Fields& inner) { read_demand(inner, out); });
             if (out.longest_backoff < out.backoff) {
               f.fail(f.has("longest_backoff") ? "longest_backoff" : "backoff",
                      f.has("longest_backoff") ? "is shorter than backoff"
                                               : "is longer than longest_backoff");
             }
           });
}

}  // namespace sluice::config
