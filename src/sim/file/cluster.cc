// models, network, node_kinds and nodes.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "sim/file/kinds.h"
#include "sim/file/names.h"
#include "sim/file/sections.h"

namespace sluice::sim {
namespace {

using config::Fields;
using std::chrono::milliseconds;

constexpr std::size_t kModelsLimit = 1024;
constexpr std::size_t kNodesLimit = 20'000;
constexpr double kMemoryLimitGb = 1e6;

void read_model(Fields& f, Model& model) {
  f.optional("class", config::one_of<core::WeightClass>(core::kWeightClassNames), model.weight,
             "How much work a request is");
  f.optional("memory_gb", gigabytes(0, kMemoryLimitGb), model.memory_bytes,
             "What a replica takes of its node's memory");
  f.optional("load_ms", milliseconds_number(milliseconds(1), std::chrono::hours(1)),
             model.load_time, "Mean time that a load takes; for nodes that are managed");
  f.optional("load_failure_share", config::share(), model.load_failures,
             "Of the loads; for nodes that are managed");
  f.optional("reserved_gb", gigabytes(0, kMemoryLimitGb), model.reserved_bytes,
             "Of each managed node that may host it, given to no other model");
  f.optional("warm_replicas", config::count(0, kNodesLimit), model.warm_replicas,
             "Managed nodes on which it is kept loaded while urgent requests for it come");
}

void read_path(Fields& f, Path& path) {
  const Duration most = std::chrono::minutes(1);
  f.required("min_ms", milliseconds_number(Duration::zero(), most), path.least, "Shortest");
  f.required("max_ms", milliseconds_number(Duration::zero(), most), path.most, "Longest");
  if (path.most < path.least) f.fail("max_ms", "is shorter than min_ms");
}

void read_node_kind(Fields& f, const Scenario& scenario, NodeKind& kind) {
  std::optional<std::string> like;
  std::optional<std::string> path;
  f.optional("like", config::text(), like, "For people: the device that was in mind");
  f.optional("count", config::count(1, kNodesLimit), kind.count,
             "How many nodes are of this kind; must be right where nodes are listed", "as listed");
  f.optional("slots", config::count(1, 65'535), kind.slots,
             "Parallel executions on a node, shared by all models it hosts");
  f.optional("memory_gb", gigabytes(0, kMemoryLimitGb), kind.memory_bytes,
             "Of a node; 0: not told, and not checked");
  f.optional("cancel", config::one_of<core::CancelMode>(core::kCancelModeNames), kind.cancel,
             "What an execution does whose caller has gone: it stops, or works on");
  f.optional("managed", config::flag(), kind.managed,
             "Its nodes begin empty, and load and unload models as they are told");
  f.optional("path", config::name(), path, "The way to its nodes: one of network",
             "the first of them");
  if (!path) return;
  const auto found = index_named(f, "path", names_of(scenario.paths), *path, "path of network");
  kind.path = found.value_or(0);
}

double memory_needed(const Scenario& scenario, const Node& node) {
  return std::accumulate(
      node.models.begin(), node.models.end(), 0.0,
      [&](double sum, std::size_t m) { return sum + scenario.models[m].memory_bytes; });
}

// Beside what is reserved for the others.
double memory_needed_alone(const Scenario& scenario, const Node& node, std::size_t model) {
  double sum = 0;
  for (const std::size_t m : node.models) {
    const Model& of = scenario.models[m];
    sum += m == model ? std::max(of.memory_bytes, of.reserved_bytes) : of.reserved_bytes;
  }
  return sum;
}

void check_each(const Fields& f, const Scenario& scenario, const Node& node) {
  const double has = scenario.kinds[node.kind].memory_bytes;
  for (const std::size_t m : node.models) {
    const double needs = memory_needed_alone(scenario, node, m);
    if (has == 0 || needs <= has) continue;
    f.fail("models", fmt::format("{} needs {} GB beside what is reserved, but a {} has {}",
                                 scenario.models[m].name, needs / 1e9,
                                 scenario.kinds[node.kind].name, has / 1e9));
  }
}

void check_memory(const Fields& f, const Scenario& scenario, const Node& node) {
  if (scenario.kinds[node.kind].managed) return check_each(f, scenario, node);
  const double has = scenario.kinds[node.kind].memory_bytes;
  const double needs = memory_needed(scenario, node);
  if (has == 0 || needs <= has) return;
  f.fail("models", fmt::format("need {} GB, but a {} has {}", needs / 1e9,
                               scenario.kinds[node.kind].name, has / 1e9));
}

std::vector<std::size_t> runnable_on(const Scenario& scenario, std::size_t kind) {
  std::vector<std::size_t> models;
  for (std::size_t m = 0; m < scenario.models.size(); ++m) {
    if (scenario.service.mean[m][kind]) models.push_back(m);
  }
  return models;
}

void host(const Fields& f, const Scenario& scenario, const std::string& model, Node& node) {
  const auto m = index_named(f, "models", names_of(scenario.models), model, "model");
  if (!m) return;
  if (!scenario.service.mean[*m][node.kind]) {
    const std::string& kind = scenario.kinds[node.kind].name;
    f.fail("models", fmt::format("service_time.mean_ms.{} says nothing of a {}", model, kind));
  }
  if (std::find(node.models.begin(), node.models.end(), *m) != node.models.end()) {
    f.fail("models", fmt::format("{} is there twice", model));
  }
  node.models.push_back(*m);
}

void read_node(Fields& f, const Scenario& scenario, Node& node) {
  std::string kind;
  std::vector<std::string> models;
  f.required("kind", config::name(), kind, "One of node_kinds");
  f.scalars("models", config::name(), models, false,
            "What it hosts, a replica each; otherwise all that its kind has a service time for");
  const auto k = index_named(f, "kind", names_of(scenario.kinds), kind, "kind of node");
  if (!k) return;
  node.kind = *k;
  for (const std::string& model : models) host(f, scenario, model, node);
  std::sort(node.models.begin(), node.models.end());
  if (models.empty()) node.models = runnable_on(scenario, node.kind);
  if (node.models.empty()) f.fail("kind", "can run no model: service_time.mean_ms is silent on it");
  check_memory(f, scenario, node);
}

void check_counts(const Fields& root, const Scenario& scenario) {
  for (std::size_t k = 0; k < scenario.kinds.size(); ++k) {
    const NodeKind& kind = scenario.kinds[k];
    const auto listed = std::count_if(scenario.nodes.begin(), scenario.nodes.end(),
                                      [&](const Node& node) { return node.kind == k; });
    if (kind.count && *kind.count != static_cast<std::size_t>(listed)) {
      root.fail("nodes", fmt::format("lists {} of kind {}, whose count is {}", listed, kind.name,
                                     *kind.count));
    }
  }
}

// "gpu-1" … where nodes are not listed.
void make_nodes(const Fields& root, Scenario& out) {
  std::size_t total = 0;
  for (const NodeKind& kind : out.kinds) total += kind.count.value_or(1);
  if (total > kNodesLimit) {
    root.fail("node_kinds", fmt::format("{} nodes; at most {}", total, kNodesLimit));
  }
  for (std::size_t k = 0; k < out.kinds.size(); ++k) {
    Node node{.name = {}, .kind = k, .models = runnable_on(out, k)};
    if (node.models.empty()) {
      root.fail("node_kinds",
                fmt::format("{} can run no model: service_time.mean_ms is silent on it",
                            out.kinds[k].name));
    }
    for (std::size_t i = 1; i <= out.kinds[k].count.value_or(1); ++i) {
      node.name = fmt::format("{}-{}", out.kinds[k].name, i);
      out.nodes.push_back(node);
    }
  }
}

void check_hosted(const Fields& root, const Scenario& scenario) {
  std::vector<bool> hosted(scenario.models.size());
  for (const Node& node : scenario.nodes) {
    for (const std::size_t m : node.models) hosted[m] = true;
  }
  const auto lonely = std::find(hosted.begin(), hosted.end(), false) - hosted.begin();
  if (lonely == static_cast<std::ptrdiff_t>(hosted.size())) return;
  root.fail(
      root.has("nodes") ? "nodes" : "models",
      fmt::format("no node hosts {}", scenario.models[static_cast<std::size_t>(lonely)].name));
}

}  // namespace

void read_models(Fields& root, Scenario& out) {
  root.required_map("models", "What requests ask for, by name", [&](Fields& f) {
    for (const std::string& name : free_names(f, "<model>")) {
      out.models.push_back({.name = name});
      f.map(name, "One model; `{}` is enough",
            [&](Fields& m) { read_model(m, out.models.back()); });
    }
  });
  if (out.models.size() > kModelsLimit) {
    root.fail("models", fmt::format("more than {} models", kModelsLimit));
  }
}

void read_network(Fields& root, Scenario& out) {
  root.map("network", "Ways between gateway and nodes, by name", [&](Fields& f) {
    for (const std::string& name : free_names(f, "<path>")) {
      Path path{.name = name};
      f.map(name, "One way, uniform, drawn for each message",
            [&](Fields& p) { read_path(p, path); });
      out.paths.push_back(std::move(path));
    }
  });
  if (!out.paths.empty()) return;
  out.paths.push_back({.name = "local",
                       .least = std::chrono::microseconds(100),
                       .most = std::chrono::microseconds(300)});
}

void read_node_kinds(Fields& root, Scenario& out) {
  root.required_map("node_kinds", "Devices, by name", [&](Fields& f) {
    for (const std::string& name : free_names(f, "<kind>")) {
      NodeKind kind{.name = name};
      f.map(name, "One kind of node", [&](Fields& k) { read_node_kind(k, out, kind); });
      out.kinds.push_back(std::move(kind));
    }
  });
}

void read_nodes(Fields& root, Scenario& out) {
  root.map("nodes", "By name; where absent, `KIND-1` to `KIND-COUNT` of each kind", [&](Fields& f) {
    for (const std::string& name : free_names(f, "<node>")) {
      Node node{.name = name};
      f.map(name, "One node", [&](Fields& n) { read_node(n, out, node); });
      out.nodes.push_back(std::move(node));
    }
  });
  if (root.has("nodes")) {
    check_counts(root, out);
  } else {
    make_nodes(root, out);
  }
  check_hosted(root, out);
}

}  // namespace sluice::sim
