// Placement by score, and the least score of a node.
#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using Said = SteppedScheduler::Said;

constexpr std::uint32_t kSlots = 10;

Options scored(std::uint32_t nodes) {
  Options options = small_options(1, nodes);
  for (NodeOptions& node : options.nodes) {
    node.slots = kSlots;
    node.credits = kSlots;
  }
  options.policy = Policy::balancer("", PlacementKind::kScore);
  return options;
}

struct Stage : SteppedScheduler {
  explicit Stage(Options options) : SteppedScheduler(std::move(options)) { all_ready(); }

  void figures(std::uint32_t node, double utilisation, Duration age = 0s) {
    tell(NodeFiguresReport{
        .node = NodeId{node}, .utilisation = utilisation, .memory = 0.5, .age = age});
  }
  std::uint32_t node_of(std::uint64_t request) {
    submit(request, asking(4, 1h));
    return dispatched(request).node.value;
  }
  std::map<std::uint32_t, std::uint32_t> nodes_of(std::uint64_t requests) {
    std::map<std::uint32_t, std::uint32_t> given;
    for (std::uint64_t i = 0; i < requests; ++i) ++given[node_of(next_++)];
    return given;
  }
  NodeView view(std::uint32_t node) { return scheduler().node(NodeId{node}); }

 private:
  std::uint64_t next_ = 0;
};

TEST(Score, PrefersTheNodeThatIsFreeByItsFigures) {
  Stage stage(scored(2));
  stage.figures(0, 0.8);
  stage.figures(1, 0.3);
  EXPECT_EQ(stage.node_of(1), 1u);
}

TEST(Score, ASlowNodeHasToBeMuchFreer) {
  Stage stage(scored(2));
  stage.report(0, false);
  stage.teach(40ms);
  stage.report(0, true);
  stage.report(1, false);
  stage.teach(10ms);
  stage.report(1, true);
  const auto chosen = [&](std::uint64_t request, double fast) {
    stage.figures(0, fast);
    stage.figures(1, 0.2);
    stage.submit(request, asking(4, 50ms));
    stage.finish(request);
    return stage.dispatched(request).node.value;
  };
  EXPECT_EQ(chosen(1, 0.4), 0u);
  EXPECT_EQ(chosen(2, 0.9), 0u);  // the slow one would take 80 % of the budget
  stage.submit(3, asking(4, 10s));
  EXPECT_EQ(stage.dispatched(3).node, NodeId{1});  // and here nearly nothing
}

TEST(Score, NonsenseIsCountedAndWhatWasKnownStays) {
  Stage stage(scored(1));
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

TEST(Score, AnyAgeIsUnderstood) {
  Stage stage(scored(1));
  stage.figures(0, 0.9, Duration::max());
  EXPECT_EQ(stage.view(0).utilisation, std::nullopt);
  stage.figures(0, 0.9, Duration::min());  // from the future
  EXPECT_EQ(stage.view(0).utilisation, std::nullopt);
  stage.figures(0, 0.9, Duration::zero());
  EXPECT_EQ(stage.view(0).utilisation, 0.9);
}

// peers.md 4 (llm-d-router#2100): once they said "saturated", and then nothing any more.
TEST(Score, StaleSaturationStopsNothing) {
  Stage stage(scored(2));
  stage.figures(0, 1);
  stage.figures(1, 1);
  EXPECT_EQ(stage.nodes_of(6).size(), 2u);
  stage.advance(1h);
  EXPECT_EQ(stage.nodes_of(10).size(), 2u);
}

// Silence is no sign of rest: who was idle once is not preferred to who is known to be nearly idle.
TEST(Score, StaleIdlenessIsNoRest) {
  Stage stage(scored(2));
  stage.figures(0, 0);
  stage.advance(20s);
  stage.figures(1, 0.2);
  EXPECT_EQ(stage.node_of(1), 1u);
}

// peers.md 7 (vllm-project/router#177): cached figures alone would send everything to one.
TEST(Score, OwnCountsSpreadLoadWhereFiguresAreTheSame) {
  Stage stage(scored(4));
  for (std::uint32_t n = 0; n < 4; ++n) stage.figures(n, 0.2);
  for (const auto& [node, given] : stage.nodes_of(16)) EXPECT_EQ(given, 4u) << node;
}

// peers.md 5: the throttle's bound. The idle node gets what its sample left free, and not one more
// while another has room by its own; then both get the rest, as far as credits go.
TEST(Score, BetweenTwoSamplesANodeGetsWhatItHadFree) {
  Options options = scored(2);
  options.placement.task = {.latency = 0, .resources = 1, .urgency = 0, .shift = 0};
  // The figures alone would send all to the first.
  options.placement.node = {.utilisation = 0, .memory = 1, .queue = 0};
  Stage stage(options);
  stage.tell(NodeFiguresReport{.node = NodeId{0}, .utilisation = 0.3, .memory = 0});
  stage.tell(NodeFiguresReport{.node = NodeId{1}, .utilisation = 0.8, .memory = 1});
  const auto free_slots = stage.nodes_of(7);
  EXPECT_EQ(free_slots, (std::map<std::uint32_t, std::uint32_t>{{0, 7}}));
  EXPECT_EQ(stage.nodes_of(2), (std::map<std::uint32_t, std::uint32_t>{{1, 2}}));
  // Nobody has room by figures: dispatch goes on.
  EXPECT_EQ(stage.nodes_of(1), (std::map<std::uint32_t, std::uint32_t>{{0, 1}}));
  // A newer sample has them in it.
  stage.advance(1s);
  stage.tell(NodeFiguresReport{.node = NodeId{1}, .utilisation = 0.5, .memory = 0});
  EXPECT_EQ(stage.nodes_of(5), (std::map<std::uint32_t, std::uint32_t>{{1, 5}}));
}

TEST(Score, TopKDrawsAmongTheBestAndNoOthers) {
  Options options = scored(4);
  options.placement.top_k = 2;
  Stage stage(options);
  std::map<std::uint32_t, int> given;
  for (std::uint64_t i = 0; i < 200; ++i) {
    for (std::uint32_t n = 0; n < 4; ++n) stage.figures(n, 0.2 * n);
    ++given[stage.node_of(i)];
    stage.finish(i);
  }
  EXPECT_EQ(given.size(), 2u);
  EXPECT_NEAR(given[0], 105, 30);
  EXPECT_NEAR(given[1], 95, 30);
}

// R22: what is scarce is not the same everywhere.
TEST(Score, WeightsMayBeOfAModelsWeightAndANodesKind) {
  Options options = scored(2);
  options.nodes[0].kind = "gpu";
  options.nodes[1].kind = "edge";
  NodeWeightsRow memory_counts{.weight = WeightClass::kHeavy, .kind = "edge"};
  memory_counts.weights = {.utilisation = 0, .memory = 1, .queue = 0};
  options.placement.node_rows = {memory_counts};
  options.models.push_back({.task_type = TaskTypeId{0}, .weight = WeightClass::kHeavy});
  for (NodeOptions& node : options.nodes) node.models.push_back(ModelId{1});
  Stage stage(options);
  stage.tell(NodeFiguresReport{.node = NodeId{0}, .utilisation = 0.5, .memory = 0.5});
  stage.tell(NodeFiguresReport{.node = NodeId{1}, .utilisation = 0.1, .memory = 0.9});
  stage.submit(1, asking(4, 1h, 0));
  stage.submit(2, asking(4, 1h, 1));
  EXPECT_EQ(stage.dispatched(1).node, NodeId{1});
  EXPECT_EQ(stage.dispatched(2).node, NodeId{0});
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
    Stage stage(with_least_score(2, PlacementKind(kind)));
    stage.figures(0, 0.9);
    stage.figures(1, 0.1);
    for (std::uint64_t i = 0; i < 10; ++i) {
      EXPECT_EQ(stage.node_of(i), 1u) << kPlacementNames[kind];
      stage.finish(i);
    }
  }
}

TEST(LeastScore, ATaskWaitsForBetterFigures) {
  Stage stage(with_least_score(1, PlacementKind::kFinishFirst));
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
  Stage stage(with_least_score(1, PlacementKind::kScore));
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
  Stage stage(options);
  stage.figures(0, 0.5);
  for (std::uint64_t i = 0; i < 5; ++i) stage.node_of(i);
  EXPECT_EQ(stage.submit(9, asking(4, 1h)), Said{"queued 9"});
  EXPECT_EQ(stage.finish(0), (Said{"finish 0 completed", "dispatch 9 to 0"}));
}

}  // namespace
}  // namespace sluice::core
