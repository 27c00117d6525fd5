// R21, R22: what is made of figures that nodes report: weights, scores, and the least score of a
// node.
#include <gtest/gtest.h>

#include <limits>

#include "unit/core/placement/scored_nodes.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using Said = SteppedScheduler::Said;

TEST(Scoring, NonsenseIsCountedAndWhatWasKnownStays) {
  ScoredNodes stage(scored(1));
  stage.figures(0, 0.3);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {kNan, -0.1, 1.1}) {
    stage.tell(NodeFiguresReport{.node = NodeId{0}, .utilisation = bad, .memory = bad});
  }
  EXPECT_EQ(stage.scheduler().counters().rejected_figures, 6u);
  EXPECT_EQ(stage.view(0).utilisation, 0.3);
  EXPECT_EQ(stage.view(0).memory, 0.5);
  // Older than what is known, and of a node that there is not.
  stage.figures(0, 0.9, 1s);
  stage.figures(7, 0.9);
  EXPECT_EQ(stage.scheduler().counters().ignored_events, 3u + 2u);  // three without any figure
  EXPECT_EQ(stage.view(0).utilisation, 0.3);
}

TEST(Scoring, AnyAgeIsUnderstood) {
  ScoredNodes stage(scored(1));
  stage.figures(0, 0.9, Duration::max());
  EXPECT_EQ(stage.view(0).utilisation, std::nullopt);
  stage.figures(0, 0.9, Duration::min());  // from the future
  EXPECT_EQ(stage.view(0).utilisation, std::nullopt);
  stage.figures(0, 0.9, Duration::zero());
  EXPECT_EQ(stage.view(0).utilisation, 0.9);
}

// R22: what is scarce is not the same everywhere.
TEST(Scoring, WeightsMayBeOfAModelsWeightAndANodesKind) {
  Options options = scored(2);
  options.nodes[0].kind = "gpu";
  options.nodes[1].kind = "edge";
  NodeWeightsRow memory_counts{.weight = WeightClass::kHeavy, .kind = "edge"};
  memory_counts.weights = {.utilisation = 0, .memory = 1, .queue = 0};
  options.placement.node_rows = {memory_counts};
  options.models.push_back({.task_type = TaskTypeId{0}, .weight = WeightClass::kHeavy});
  for (NodeOptions& node : options.nodes) node.models.push_back(ModelId{1});
  ScoredNodes stage(options);
  stage.tell(NodeFiguresReport{.node = NodeId{0}, .utilisation = 0.5, .memory = 0.5});
  stage.tell(NodeFiguresReport{.node = NodeId{1}, .utilisation = 0.1, .memory = 0.9});
  stage.submit(1, asking(4, 1h, 0));
  stage.submit(2, asking(4, 1h, 1));
  EXPECT_EQ(stage.dispatched(1).node, NodeId{1});
  EXPECT_EQ(stage.dispatched(2).node, NodeId{0});
}

TEST(Scoring, TheLastRowThatFitsSaysTheWeights) {
  Options options = scored(2);
  options.nodes[0].kind = "gpu";
  options.nodes[1].kind = "edge";
  NodeWeightsRow everywhere{.weight = std::nullopt, .kind = std::nullopt};
  everywhere.weights = {.utilisation = 0, .memory = 1, .queue = 0};
  NodeWeightsRow others_weight{.weight = WeightClass::kHeavy, .kind = std::nullopt};
  others_weight.weights = {.utilisation = 1, .memory = 0, .queue = 0};
  options.placement.node_rows = {everywhere, others_weight};
  ScoredNodes stage(options);
  stage.tell(NodeFiguresReport{.node = NodeId{0}, .utilisation = 0.1, .memory = 0.9});
  stage.tell(NodeFiguresReport{.node = NodeId{1}, .utilisation = 0.9, .memory = 0.1});
  // Its models are light: only memory counts.
  EXPECT_EQ(stage.node_of(1), 1u);
}

TEST(Scoring, OneGoodFigureOfAReportIsHeard) {
  ScoredNodes stage(scored(1));
  stage.tell(NodeFiguresReport{.node = NodeId{0}, .utilisation = 0.4, .memory = 1.5});
  EXPECT_EQ(stage.scheduler().counters().rejected_figures, 1u);
  EXPECT_EQ(stage.scheduler().counters().ignored_events, 0u);
  EXPECT_EQ(stage.view(0).utilisation, 0.4);
  EXPECT_EQ(stage.view(0).memory, std::nullopt);
}

// Silence about one figure does not make what is known of the other worthless.
TEST(Scoring, FiguresOfAReportAreKeptApart) {
  ScoredNodes stage(scored(1));
  stage.tell(NodeFiguresReport{.node = NodeId{0}, .memory = 0.7});
  stage.advance(1s);
  stage.tell(NodeFiguresReport{.node = NodeId{0}, .utilisation = 0.2});
  EXPECT_EQ(stage.view(0).memory, 0.7);
  EXPECT_EQ(stage.view(0).utilisation, 0.2);
}

// With the default weights a node of 90 % utilisation and half of its memory in use scores 0.54.
Options with_least_score(std::uint32_t nodes, PlacementKind placement) {
  Options options = scored(nodes);
  options.policy.placement = placement;
  options.placement.least_score = 0.6;
  return options;
}

TEST(LeastScore, AnotherNodeGetsTheTaskWhateverThePlacement) {
  for (std::size_t kind = 0; kind < kPlacementNames.size(); ++kind) {
    ScoredNodes stage(with_least_score(2, PlacementKind(kind)));
    stage.figures(0, 0.9);
    stage.figures(1, 0.1);
    for (std::uint64_t i = 0; i < 10; ++i) {
      EXPECT_EQ(stage.node_of(i), 1u) << kPlacementNames[kind];
      stage.finish(i);
    }
  }
}

TEST(LeastScore, ATaskWaitsForBetterFigures) {
  ScoredNodes stage(with_least_score(1, PlacementKind::kFinishFirst));
  stage.figures(0, 0.9);
  EXPECT_EQ(stage.submit(1, asking(4, 1h)), Said{"queued 1"});
  stage.advance(1s);
  stage.figures(0, 0.95);
  EXPECT_EQ(stage.tick(), Said{});
  stage.advance(1s);
  EXPECT_EQ(stage.tell(NodeFiguresReport{.node = NodeId{0}, .utilisation = 0.2}),
            Said{"dispatch 1 to 0"});
}

// peers.md 4: a node that fell silent is not waited for longer than its figures are known, and
// the scheduler wakes up by itself.
TEST(LeastScore, SilenceIsNoReasonToWait) {
  ScoredNodes stage(with_least_score(1, PlacementKind::kScore));
  EXPECT_EQ(stage.node_of(1), 0u);  // never heard of
  stage.figures(0, 0.9);
  EXPECT_EQ(stage.submit(2, asking(4, 1h)), Said{"queued 2"});
  const TimePoint wakeup = stage.scheduler().next_wakeup();
  EXPECT_EQ(wakeup, stage.now() + FigureAges{}.unknown_after);
  stage.set_now(wakeup);
  EXPECT_EQ(stage.tick(), Said{"dispatch 2 to 0"});
}

TEST(LeastScore, ANodeThatIsFullOfOwnWorkIsWaitedForUntilSomeOfItEnds) {
  Options options = with_least_score(1, PlacementKind::kScore);
  options.placement.node = {.utilisation = 0, .memory = 0, .queue = 1};
  ScoredNodes stage(options);
  stage.figures(0, 0.5);
  for (std::uint64_t i = 0; i < 5; ++i) stage.node_of(i);
  EXPECT_EQ(stage.submit(9, asking(4, 1h)), Said{"queued 9"});
  EXPECT_EQ(stage.finish(0), (Said{"finish 0 completed", "dispatch 9 to 0"}));
}

}  // namespace
}  // namespace sluice::core
