#include "core/placement/node_score.h"

#include <gtest/gtest.h>

#include <limits>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Sanitise, RejectsWhatIsNoShareAndCountsIt) {
  std::uint64_t rejected = 0;
  EXPECT_EQ(sanitise(0, rejected), 0);
  EXPECT_EQ(sanitise(0.7, rejected), 0.7);
  EXPECT_EQ(sanitise(1, rejected), 1);
  EXPECT_EQ(rejected, 0u);
  for (const double bad : {kNan, -0.01, 1.01, kInfinity, -kInfinity}) {
    EXPECT_FALSE(sanitise(bad, rejected)) << bad;
  }
  EXPECT_EQ(rejected, 5u);
}

TEST(Faded, YoungFiguresHoldOldOnesAreUnknownNeverIdle) {
  const FigureAges ages{.fresh_for = 5s, .unknown_after = 15s};
  for (const double figure : {0.0, 0.1, 0.9, 1.0}) {
    EXPECT_EQ(faded(figure, -1h, ages), figure);
    EXPECT_EQ(faded(figure, 5s, ages), figure);
    EXPECT_DOUBLE_EQ(faded(figure, 10s, ages), (figure + kUnknownFigure) / 2);
    EXPECT_EQ(faded(figure, 15s, ages), kUnknownFigure);
    EXPECT_EQ(faded(figure, Duration::max(), ages), kUnknownFigure);
  }
}

TEST(Faded, WithoutASpanBetweenItIsASwitch) {
  const FigureAges ages{.fresh_for = 5s, .unknown_after = 5s};
  EXPECT_EQ(faded(0.9, 5s, ages), 0.9);
  EXPECT_EQ(faded(0.9, 5s + 1ns, ages), kUnknownFigure);
}

// vllm-project/router#177: what we count ourselves is always fresh.
TEST(Faded, OurOwnCountsDoNotFade) {
  const NodeFigures old = faded({.utilisation = 0, .memory = 1, .queue = 0.9}, 1h, FigureAges{});
  EXPECT_EQ(old.utilisation, kUnknownFigure);
  EXPECT_EQ(old.memory, kUnknownFigure);
  EXPECT_EQ(old.queue, 0.9);
}

TEST(NodeScore, IsTheWeightedFreeShare) {
  const NodeWeights weights{.utilisation = 2, .memory = 1, .queue = 1};
  EXPECT_DOUBLE_EQ(node_score({.utilisation = 0.5, .memory = 0.2, .queue = 0}, weights),
                   (2 * 0.5 + 0.8 + 1) / 4);
  EXPECT_DOUBLE_EQ(node_score({.utilisation = 0, .memory = 0, .queue = 0}, weights), 1);
  EXPECT_DOUBLE_EQ(node_score({.utilisation = 1, .memory = 1, .queue = 1}, weights), 0);
}

TEST(NodeScore, WithoutWeightsAllNodesAreAlike) {
  EXPECT_EQ(node_score({.utilisation = 1, .memory = 1, .queue = 1}, NodeWeights{0, 0, 0}), 0.5);
}

TEST(NodeScore, ASilentNodeIsNeitherBestNorWorst) {
  const FigureAges ages;
  const NodeWeights weights;
  const double silent = node_score(faded({.utilisation = 0, .memory = 0}, 1h, ages), weights);
  EXPECT_LT(silent, node_score({.utilisation = 0.1, .memory = 0.1}, weights));
  EXPECT_GT(silent, node_score({.utilisation = 0.9, .memory = 0.9}, weights));
}

TEST(TaskScore, UrgencyFollowsPriority) {
  EXPECT_EQ(urgency_of(0), 1);
  EXPECT_EQ(urgency_of(9), 0);
  EXPECT_EQ(urgency_of(200), 0);
  EXPECT_GT(urgency_of(2), urgency_of(3));
}

TEST(TaskScore, LatencyRiskIsPredictedOverLeft) {
  EXPECT_EQ(latency_risk(25ms, 100ms), 0.25);
  EXPECT_EQ(latency_risk(200ms, 100ms), 1);
  EXPECT_EQ(latency_risk(1ms, 0ms), 1);
  EXPECT_EQ(latency_risk(1ms, -5ms), 1);
  EXPECT_EQ(latency_risk(-1ms, 5ms), 0);
}

TEST(TaskScore, BlendsItsThreeParts) {
  const TaskWeights weights{.latency = 0.5, .resources = 0.3, .urgency = 0.2, .shift = 0};
  EXPECT_DOUBLE_EQ(task_score({.latency_risk = 0.4, .resources = 0.5, .urgency = 1}, weights),
                   0.3 + 0.15 + 0.2);
  EXPECT_EQ(task_score({.latency_risk = 1, .resources = 0, .urgency = 0}, weights), 0);
  EXPECT_EQ(task_score({.latency_risk = 0, .resources = 1, .urgency = 1}, weights), 1);
  EXPECT_EQ(task_score({}, TaskWeights{0, 0, 0, 0}), 0.5);
}

// A full node in time against a free one that is less so: on the full one, resources count more.
TEST(TaskScore, WeightsFollowTheNodesLoad) {
  const TaskFigures full{.latency_risk = 0.1, .resources = 0.05};
  const TaskFigures free{.latency_risk = 0.5, .resources = 0.6};
  const TaskWeights fixed{.latency = 0.6, .resources = 0.4, .urgency = 0, .shift = 0};
  const TaskWeights following{.latency = 0.6, .resources = 0.4, .urgency = 0, .shift = 0.3};
  EXPECT_GT(task_score(full, fixed), task_score(free, fixed));
  EXPECT_LT(task_score(full, following), task_score(free, following));
}

TEST(TaskScore, NonsenseIsNoAdvantage) {
  const TaskWeights weights;
  EXPECT_EQ(task_score({.latency_risk = kNan}, weights), task_score({.latency_risk = 1}, weights));
  EXPECT_EQ(task_score({.resources = kInfinity}, weights), task_score({.resources = 1}, weights));
  EXPECT_EQ(task_score({.urgency = kNan}, weights), task_score({.urgency = 0}, weights));
}

}  // namespace
}  // namespace sluice::core
