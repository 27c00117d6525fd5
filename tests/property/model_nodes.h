// The model's nodes: who may run what, whose turn it is, and how many attempts each has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "core/options.h"

namespace sluice::core {

class ModelNodes {
 public:
  // `options` must outlive it.
  explicit ModelNodes(const Options& options)
      : options_(options), nodes_(options.nodes.size()), turn_(options.models.size()) {}

  struct Node {
    bool ready = false;
    std::uint32_t in_flight = 0;
  };
  std::size_t size() const { return nodes_.size(); }
  Node& operator[](NodeId node) { return nodes_.at(node.value); }
  const Node& operator[](NodeId node) const { return nodes_.at(node.value); }
  bool early() const { return options_.policy.binding == Binding::kEarlyRoundRobin; }

  std::vector<std::uint32_t> hosts(ModelId model) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t n = 0; n < options_.nodes.size(); ++n) {
      const auto& models = options_.nodes[n].models;
      if (std::find(models.begin(), models.end(), model) != models.end()) found.push_back(n);
    }
    return found;
  }
  std::vector<std::uint32_t> candidates(ModelId model, Priority priority) const {
    std::vector<std::uint32_t> found = hosts(model);
    std::erase_if(found, [&](std::uint32_t node) {
      return !options_.nodes[node].accepted().contains(priority);
    });
    return found;
  }

  // The lane, and the nodes that tasks of the flow may run on.
  std::vector<std::uint32_t> flow_of(ModelId model, Lane lane, Priority priority) {
    std::vector<std::uint32_t> flow = candidates(model, priority);
    if (early() && !flow.empty()) flow = {next_in_turn(model, priority)};
    flow.insert(flow.begin(), static_cast<std::uint32_t>(lane));
    return flow;
  }

  bool stands_by(const std::vector<std::uint32_t>& flow, std::uint32_t node) const {
    return options_.nodes[node].standby &&
           std::any_of(flow.begin() + 1, flow.end(), [&](std::uint32_t other) {
             return nodes_[other].ready && !options_.nodes[other].standby;
           });
  }

 private:
  // The turn goes round all nodes that have the model, whatever they accept.
  std::uint32_t next_in_turn(ModelId model, Priority priority) {
    const std::vector<std::uint32_t> nodes = hosts(model);
    std::size_t& turn = turn_[model.value];
    // The ready ones, standbys last; or any.
    for (const int round : {0, 1, 2}) {
      for (std::size_t tried = 0; tried < nodes.size(); ++tried) {
        const std::uint32_t node = nodes[turn++ % nodes.size()];
        if (!options_.nodes[node].accepted().contains(priority)) continue;
        const bool ready = nodes_[node].ready && (round == 1 || !options_.nodes[node].standby);
        if (ready || round == 2) return node;
      }
    }
    throw std::logic_error("no candidate");
  }

  const Options& options_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> turn_;  // by model
};

}  // namespace sluice::core
