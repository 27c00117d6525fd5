// Placement by score: which node the strategy prefers.
#include <gtest/gtest.h>

#include <map>

#include "unit/core/placement/scored_nodes.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

TEST(Score, PrefersTheNodeThatIsFreeByItsFigures) {
  ScoredNodes stage(scored(2));
  stage.figures(0, 0.8);
  stage.figures(1, 0.3);
  EXPECT_EQ(stage.node_of(1), 1u);
}

TEST(Score, ASlowNodeHasToBeMuchFreer) {
  ScoredNodes stage(scored(2));
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

// peers.md 4 (llm-d-router#2100): once they said "saturated", and then nothing any more.
TEST(Score, StaleSaturationStopsNothing) {
  ScoredNodes stage(scored(2));
  stage.figures(0, 1);
  stage.figures(1, 1);
  EXPECT_EQ(stage.nodes_of(6).size(), 2u);
  stage.advance(1h);
  EXPECT_EQ(stage.nodes_of(10).size(), 2u);
}

// Silence is no sign of rest: who was idle once is not preferred to who is known to be nearly idle.
TEST(Score, StaleIdlenessIsNoRest) {
  ScoredNodes stage(scored(2));
  stage.figures(0, 0);
  stage.advance(20s);
  stage.figures(1, 0.2);
  EXPECT_EQ(stage.node_of(1), 1u);
}

// peers.md 7 (vllm-project/router#177): cached figures alone would send everything to one.
TEST(Score, OwnCountsSpreadLoadWhereFiguresAreTheSame) {
  ScoredNodes stage(scored(4));
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
  ScoredNodes stage(options);
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
  ScoredNodes stage(options);
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

}  // namespace
}  // namespace sluice::core
