#include <chrono>

#include <gtest/gtest.h>

#include "unit/config/serve/reading.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

TEST(PlacementSection, ReachesTheCore) {
  const core::PlacementOptions placement = read_with(
                                               "placement:\n"
                                               "  top_k: 3\n"
                                               "  throttle: 0.5\n"
                                               "  least_score: 20%\n"
                                               "  fresh_for: 2s\n"
                                               "  unknown_after: 9s\n"
                                               "  task_weights: {latency: 0.7, shift: 0}\n"
                                               "  node_weights: {memory: 0}\n"
                                               "  node_weights_for:\n"
                                               "    - {weight: heavy, memory: 3}\n"
                                               "    - {device: orin, utilisation: 1}\n")
                                               .core.placement;
  EXPECT_EQ(placement.top_k, 3u);
  EXPECT_EQ(placement.throttle, 0.5);
  EXPECT_EQ(placement.least_score, 0.2);
  EXPECT_EQ(placement.ages.fresh_for, Duration(2s));
  EXPECT_EQ(placement.ages.unknown_after, Duration(9s));
  EXPECT_EQ(placement.task.latency, 0.7);
  EXPECT_EQ(placement.task.shift, 0);
  EXPECT_EQ(placement.task.resources, core::TaskWeights().resources);
  EXPECT_EQ(placement.node.memory, 0);
  EXPECT_EQ(placement.node.queue, core::NodeWeights().queue);
  ASSERT_EQ(placement.node_rows.size(), 2u);
  EXPECT_EQ(placement.node_rows[0].weight, core::WeightClass::kHeavy);
  EXPECT_EQ(placement.node_rows[0].kind, std::nullopt);
  EXPECT_EQ(placement.node_rows[0].weights.memory, 3);
  EXPECT_EQ(placement.node_rows[1].kind, "orin");
  EXPECT_EQ(placement.node_rows[1].weights.utilisation, 1);
}

TEST(PlacementSection, FiguresAreNotUnknownBeforeTheyAreOld) {
  EXPECT_EQ(
      error_with("placement: {fresh_for: 20s}\n"),
      "sluice.yaml:4: placement.fresh_for: figures are unknown before they cease to be fresh");
  EXPECT_EQ(
      error_with("placement: {unknown_after: 1s}\n"),
      "sluice.yaml:4: placement.unknown_after: figures are unknown before they cease to be fresh");
}

TEST(PlacementSection, HasBounds) {
  EXPECT_EQ(error_with("placement: {top_k: 9}\n"),
            "sluice.yaml:4: placement.top_k: \"9\" is out of bounds; write 1 to 8");
  EXPECT_NE(error_with("placement: {least_score: 2}\n"), "");
  EXPECT_NE(error_with("placement: {throttle: -1}\n"), "");
}

}  // namespace
}  // namespace sluice::config
