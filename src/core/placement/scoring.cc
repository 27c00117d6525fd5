// What is known of nodes from elsewhere, and what it makes of them.
#include <algorithm>

#include "core/placement/placement.h"

namespace sluice::core {

// By weight class and node.
std::vector<NodeWeights> Placement::node_weights(const Options& options) {
  const std::size_t nodes = options.nodes.size();
  std::vector<NodeWeights> weights(nodes * kWeightClasses, options.placement.node);
  for (const NodeWeightsRow& row : options.placement.node_rows) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const bool fits = (!row.weight || static_cast<std::size_t>(*row.weight) == i / nodes) &&
                        (!row.kind || *row.kind == options.nodes[i % nodes].kind);
      if (fits) weights[i] = row.weights;
    }
  }
  return weights;
}

bool Placement::report_figures(const NodeFiguresReport& report, TimePoint now,
                               std::uint64_t& rejected) {
  const auto share = [&](std::optional<double> figure) {
    return figure ? sanitise(*figure, rejected) : std::nullopt;
  };
  const auto utilisation = share(report.utilisation);
  const auto memory = share(report.memory);
  // From the future, or nothing that is a share: it says nothing.
  if (report.age < Duration::zero() || (!utilisation && !memory)) return false;
  // Older than that is all the same, and time has a beginning.
  constexpr Duration kOldest = std::chrono::hours(24);
  const TimePoint sampled = now - std::min<Duration>(report.age, kOldest);
  const bool news = figures_[report.node.value].report(utilisation, memory, sampled,
                                                       nodes_[report.node.value].in_flight());
  const auto waited_for = [&](const HeldNode& held) { return held.node == report.node; };
  if (news && std::erase_if(held_nodes_, waited_for) > 0) unpark_all(report.node);
  return news;
}

NodeFigures Placement::figures(NodeId node, TimePoint now) const {
  const Node& n = nodes_[node.value];
  return figures_[node.value].at(now, n.in_flight(), n.allowed(), options_.placement.ages);
}

double Placement::score_of(ModelId model, NodeId node, TimePoint now) const {
  const auto weight = static_cast<std::size_t>(options_.models[model.value].weight);
  return node_score(figures(node, now), node_weights_[weight * nodes_.size() + node.value]);
}

double Placement::score_of(const Task& task, const Candidate& candidate, TimePoint now) const {
  return task_score(
      {.latency_risk = latency_risk(candidate.prediction.total(), task.deadline - now),
       .resources = score_of(task.model, candidate.node, now),
       .urgency = urgency_of(task.priority)},
      options_.placement.task);
}

// What nobody knows is no reason to wait, or silence would stop all dispatch (llm-d-router#2100).
bool Placement::scores_too_little(const Task& task, NodeId node, TimePoint now) const {
  const double least = options_.placement.least_score;
  return least > 0 && figures_known(node, now) && score_of(task.model, node, now) < least;
}

// Somebody is kept from it by its score: until newer figures come, or nobody knows them any more.
void Placement::hold(NodeId node) {
  const auto same = [&](const HeldNode& held) { return held.node == node; };
  if (std::any_of(held_nodes_.begin(), held_nodes_.end(), same)) return;
  held_nodes_.push_back(
      {.node = node, .until = figures_[node.value].known_until(options_.placement.ages)});
}

}  // namespace sluice::core
