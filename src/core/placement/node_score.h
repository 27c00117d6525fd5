// How good a node is to run something on, and a task on it: scores in 0..1, larger is better (R21,
// R22, R24).
#pragma once

#include <cstdint>
#include <optional>

#include "base/time.h"
#include "core/labels.h"

namespace sluice::core {

// What a figure counts as that nobody knows: in the middle, so a node that went silent is neither
// flooded nor starved.
inline constexpr double kUnknownFigure = 0.5;

// A figure that came from outside, as a share in 0..1. NaN, negative ones and ones above 1 are
// rejected and counted; the caller keeps the figure that it had.
std::optional<double> sanitise(double share, std::uint64_t& rejected);

// Others' figures, by their age: believed while young, from then on ever less, and unknown from
// `unknown_after` on. Never idle: silence is no sign of rest.
struct FigureAges {
  Duration fresh_for = std::chrono::seconds(5);       // ≥ 0; samples come every 3 s
  Duration unknown_after = std::chrono::seconds(15);  // ≥ fresh_for
};
// Linear between the two ages. A negative age (time went back) is young.
double faded(double figure, Duration age, const FigureAges& ages);

// Shares, 0..1. Those of the device are others' words and fade; the queue is counted by ourselves
// and does not.
struct NodeFigures {
  double utilisation = kUnknownFigure;
  double memory = kUnknownFigure;
  double queue = 0;  // attempts in flight ÷ credits
};
NodeFigures faded(const NodeFigures& figures, Duration age, const FigureAges& ages);

// How much each counts, ≥ 0; only their ratio matters. Per model kind and node kind (R22). All 0:
// every node scores ½.
struct NodeWeights {
  double utilisation = 0.4;
  double memory = 0.2;
  double queue = 0.4;
};

// R22: w1·(1 − utilisation) + w2·(1 − memory) + w3·(1 − queue), over the sum of weights. 0..1 for
// figures in 0..1; falls with each figure.
double node_score(const NodeFigures& figures, const NodeWeights& weights);

// How much each part of R21 counts on an idle node, ≥ 0. On a node without free resources `shift`
// of it has moved from latency to resources: a node that is nearly full is to be spared even where
// it would be in time. Limited to what keeps the score rising with both.
struct TaskWeights {
  double latency = 0.5;
  double resources = 0.3;
  double urgency = 0.2;
  double shift = 0.2;
};

struct TaskFigures {
  // Predicted time to finish ÷ time left; 1 and above: too late. NaN counts as too late.
  double latency_risk = 0;
  // node_score() of the node.
  double resources = kUnknownFigure;
  // urgency_of() its priority, or any other share.
  double urgency = 0;
};

// 0 (priority 9) .. 1 (priority 0).
double urgency_of(Priority priority);
// Predicted ÷ left; 1 where nothing is left.
double latency_risk(Duration predicted, Duration left);

// R21. 0..1; falls with latency_risk, rises with the others. Figures outside 0..1 count as the
// nearer end.
double task_score(const TaskFigures& figures, const TaskWeights& weights);

}  // namespace sluice::core
