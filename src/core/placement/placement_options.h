// How nodes are scored, and what their score is used for (R20..R24).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/labels.h"
#include "core/placement/node_score.h"

namespace sluice::core {

// Weights for some models and nodes (R22: per model kind and node kind). Absent: all of them.
struct NodeWeightsRow {
  std::optional<WeightClass> weight;
  std::optional<std::string> kind;  // NodeOptions::kind
  NodeWeights weights;
};

struct PlacementOptions {
  // Under placement `score`.
  TaskWeights task;
  NodeWeights node;
  std::vector<NodeWeightsRow> node_rows;  // over `node`, later ones over earlier ones
  FigureAges ages;
  // The node is drawn from so many of the best, by their scores; 1: the best. More where several
  // schedulers see the same figures and would all run to the same node. 1..kMostTop.
  static constexpr std::uint32_t kMostTop = 8;
  std::uint32_t top_k = 1;
  // Between two samples of its figures, a node is given at most so many times what these leave free
  // of its credits, as long as another has room. ≥ 0.
  double throttle = 1;
  // Whatever the placement: a task waits, or goes elsewhere, rather than to a node that scores less
  // (R20). Nodes whose figures nobody knows are not held to it. 0..1; 0: off.
  double least_score = 0;
};

}  // namespace sluice::core
