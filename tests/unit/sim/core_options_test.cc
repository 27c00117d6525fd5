#include "sim/core_options.h"

#include <gtest/gtest.h>

#include "unit/sim/small_world.h"

namespace sluice::sim {
namespace {

TEST(CoreOptions, SayWhatAnOperatorWouldHaveConfigured) {
  const Scenario scenario = small_world(2);
  const core::Options options = core_options(scenario, *policy_spec("sluice", scenario), 5);
  EXPECT_EQ(options.seed, 5u);
  ASSERT_EQ(options.nodes.size(), 2u);
  EXPECT_EQ(options.nodes[1].name, "box-1");
  EXPECT_EQ(options.nodes[1].slots, 2u);
  EXPECT_EQ(options.nodes[1].models, (std::vector<core::ModelId>{{0}, {1}}));
  EXPECT_EQ(options.models[1].weight, core::WeightClass::kHeavy);
  EXPECT_EQ(options.tenants[0].tier, core::Tier::kVip);
  EXPECT_EQ(options.lanes[0].budget, milliseconds(80));
}

TEST(CoreOptions, DoNotGiveAwayTheServiceTimesNorTheWay) {
  const Scenario scenario = small_world();
  const core::Options options = core_options(scenario, *policy_spec("sluice", scenario), 1);
  for (const core::ModelOptions& model : options.models) EXPECT_FALSE(model.expected_service);
  EXPECT_FALSE(options.nodes[0].credits);
  EXPECT_FALSE(options.nodes[0].round_trip);
  EXPECT_FALSE(labels_of(scenario, 1, 0, 5).expected_service);
}

TEST(CoreOptions, APeerThatQueuesAtItsReplicasIsSentEverythingAtOnce) {
  const Scenario scenario = small_world();
  const auto fixed = policy_spec("fixed-priority", scenario);
  EXPECT_TRUE(fixed->waits_at_replica);
  EXPECT_FALSE(policy_spec("edf", scenario)->waits_at_replica);
  EXPECT_EQ(core_options(scenario, *fixed, 1).nodes[0].credits, 2u + 4096u);
}

TEST(CoreOptions, ABudgetIsThatOfTheLaneOfTheLevel) {
  const Scenario scenario = small_world();
  EXPECT_EQ(labels_of(scenario, 0, 0, 2).budget, milliseconds(80));
  EXPECT_EQ(labels_of(scenario, 0, 0, 3).budget, milliseconds(150));
  EXPECT_EQ(labels_of(scenario, 0, 1, 9).budget, milliseconds(800));
  EXPECT_EQ(labels_of(scenario, 0, 1, 9).priority, 9);
}

TEST(CoreOptions, FiguresOfNodesAreUsedWhereTheyMatter) {
  const Scenario scenario = small_world();
  const auto used = [&](std::string_view policy) {
    return uses_figures(core_options(scenario, *policy_spec(policy, scenario), 1));
  };
  EXPECT_FALSE(used("sluice"));
  EXPECT_TRUE(used("sluice,placement=score"));
  EXPECT_TRUE(used("sluice,placement.least_score=0.1"));
}

}  // namespace
}  // namespace sluice::sim
