#include "core/placement/eligibility.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/check.h"

namespace sluice::core {

Eligibility::Eligibility(const Options& options) {
  collect_candidates(options);
  for (const NodeOptions& node : options.nodes) accepted_.push_back(node.accepted());
  class_of_.resize(options.models.size() * kPriorities);
  whole_class_.resize(options.models.size());
  classes_of_model_.resize(options.models.size());
  if (options.policy.binding == Binding::kLate) {
    group_tasks();
  } else {
    one_class_a_node(options.nodes.size());
  }
  index_by_node(options.nodes.size());
}

void Eligibility::collect_candidates(const Options& options) {
  candidates_.resize(options.models.size());
  for (std::uint32_t n = 0; n < options.nodes.size(); ++n) {
    for (const ModelId model : options.nodes[n].models) {
      SLUICE_CHECK(model.value < options.models.size(), "a node names a model that does not exist");
      auto& nodes = candidates_[model.value];
      SLUICE_CHECK(nodes.empty() || nodes.back().value != n, "a node names a model twice");
      nodes.push_back({n});
    }
  }
  for (const auto& nodes : candidates_) {
    first_replica_.push_back(replica_count_);
    replica_count_ += static_cast<std::uint32_t>(nodes.size());
  }
}

std::vector<NodeId> Eligibility::accepting(ModelId model, Priority priority) const {
  std::vector<NodeId> nodes;
  std::copy_if(candidates_[model.value].begin(), candidates_[model.value].end(),
               std::back_inserter(nodes), [&](NodeId node) { return accepts(node, priority); });
  return nodes;
}

void Eligibility::group_tasks() {
  std::map<std::vector<NodeId>, ClassId> known;
  for (std::uint32_t m = 0; m < candidates_.size(); ++m) {
    for (int p = 0; p < kPriorities; ++p) {
      std::vector<NodeId> nodes = accepting({m}, static_cast<Priority>(p));
      if (nodes.empty()) continue;
      const auto next = ClassId{static_cast<std::uint32_t>(classes_.size())};
      const auto [entry, is_new] = known.try_emplace(nodes, next);
      const ClassId klass = entry->second;
      class_of_[m * kPriorities + static_cast<std::uint32_t>(p)] = klass;
      if (nodes.size() == candidates_[m].size()) whole_class_[m] = klass;
      auto& all = classes_of_model_[m];
      if (std::find(all.begin(), all.end(), klass) == all.end()) all.push_back(klass);
      if (is_new) classes_.push_back(std::move(nodes));
    }
  }
}

void Eligibility::one_class_a_node(std::size_t nodes) {
  for (std::uint32_t n = 0; n < nodes; ++n) classes_.push_back({NodeId{n}});
  for (std::size_t m = 0; m < candidates_.size(); ++m) {
    for (const NodeId node : candidates_[m]) classes_of_model_[m].push_back(class_of(node));
  }
}

void Eligibility::index_by_node(std::size_t nodes) {
  classes_of_node_.resize(nodes);
  for (std::uint32_t c = 0; c < classes_.size(); ++c) {
    for (const NodeId node : classes_[c]) classes_of_node_[node.value].push_back({c});
  }
}

std::uint32_t Eligibility::replica(ModelId model, NodeId node) const {
  const auto& nodes = candidates_[model.value];
  const auto at = std::lower_bound(nodes.begin(), nodes.end(), node);
  SLUICE_CHECK(at != nodes.end() && *at == node, "the node has no replica of the model");
  return first_replica_[model.value] + static_cast<std::uint32_t>(at - nodes.begin());
}

std::optional<std::size_t> Eligibility::position(ClassId klass, NodeId node) const {
  const auto& nodes = classes_[klass.value];
  const auto at = std::lower_bound(nodes.begin(), nodes.end(), node);
  if (at == nodes.end() || *at != node) return std::nullopt;
  return static_cast<std::size_t>(at - nodes.begin());
}

}  // namespace sluice::core
