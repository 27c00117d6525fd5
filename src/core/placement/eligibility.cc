#include "core/placement/eligibility.h"

#include <algorithm>
#include <map>

#include "base/check.h"

namespace sluice::core {

Eligibility::Eligibility(const Options& options) {
  collect_candidates(options);
  if (options.policy.binding == Binding::kLate) {
    group_models();
  } else {
    one_class_a_node(options);
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

void Eligibility::group_models() {
  class_of_model_.resize(candidates_.size());
  std::map<std::vector<NodeId>, ClassId> known;
  for (std::size_t m = 0; m < candidates_.size(); ++m) {
    if (candidates_[m].empty()) continue;
    const auto next = ClassId{static_cast<std::uint32_t>(classes_.size())};
    const auto [entry, is_new] = known.try_emplace(candidates_[m], next);
    if (is_new) classes_.push_back(candidates_[m]);
    class_of_model_[m] = entry->second;
  }
}

void Eligibility::one_class_a_node(const Options& options) {
  class_of_model_.resize(candidates_.size());
  for (std::uint32_t n = 0; n < options.nodes.size(); ++n) classes_.push_back({NodeId{n}});
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

}  // namespace sluice::core
