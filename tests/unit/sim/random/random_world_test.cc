#include "sim/random/random_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "sim/periods.h"
#include "sim/random/parts.h"
#include "sim/random/trial.h"

namespace sluice::sim {
namespace {

constexpr std::uint64_t kSeeds = 300;

TEST(RandomWorld, TheSameSeedDrawsTheSameWorld) {
  const TrialOptions options{.seed = 11, .tasks = 300, .check = false};
  EXPECT_EQ(try_world(options).digest, try_world(options).digest);
  EXPECT_NE(try_world(options).digest,
            try_world({.seed = 12, .tasks = 300, .check = false}).digest);
  EXPECT_EQ(replay_line(options), "sluice sim --random-seed 11 --tasks 300");
  EXPECT_EQ(replay_line({.seed = 2}), "sluice sim --random-seed 2 --tasks 1500 --check");
}

TEST(RandomWorld, WorldsAreAsLargeAndAsLoadedAsTheySay) {
  std::set<std::size_t> sizes;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const RandomWorld world = draw_world(seed, 1500);
    sizes.insert(world.scenario.nodes.size());
    EXPECT_GE(world.scenario.nodes.size(), 1u);
    EXPECT_LE(world.scenario.nodes.size(), 40u);
    EXPECT_GE(world.load, 0.3);
    EXPECT_LE(world.load, 1.6);
    for (const Node& node : world.scenario.nodes) EXPECT_FALSE(node.models.empty());
  }
  EXPECT_GT(sizes.size(), 25u);
}

TEST(RandomWorld, EveryFaultIsDrawnAndIsOverBeforeTheTrafficIs) {
  std::set<FaultKind> kinds;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Scenario scenario = draw_world(seed, 1500).scenario;
    const Duration end = traffic_end(scenario);
    for (const Fault& fault : scenario.faults) {
      kinds.insert(fault.kind);
      EXPECT_LE(*fault.until, end) << "seed " << seed;
    }
  }
  EXPECT_EQ(kinds.size(), kFaultKindNames.size());
}

TEST(RandomWorld, EveryPolicyAndKindOfTrafficIsDrawn) {
  std::set<std::string> policies;
  std::set<ArrivalProcess> processes;
  std::set<core::PlacementKind> placements;
  std::set<core::Ordering> orderings;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const RandomWorld world = draw_world(seed, 1500);
    policies.insert(world.policy.name);
    placements.insert(world.core.policy.placement);
    orderings.insert(world.core.policy.ordering);
    for (const Stream& stream : world.scenario.streams) processes.insert(stream.arrivals.process);
  }
  EXPECT_EQ(policies.size(), core::kPolicies.size() + 1);  // and mixtures
  EXPECT_EQ(processes.size(), kArrivalProcessNames.size());
  EXPECT_EQ(placements.size(), core::kPlacementNames.size());
  EXPECT_EQ(orderings.size(), core::kOrderingNames.size());
}

TEST(RandomWorld, AboutAsManyRequestsComeAsWereAskedFor) {
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    for (const Stream& stream : draw_world(seed, 5000).scenario.streams) {
      sum += expected_requests(stream);
    }
  }
  EXPECT_NEAR(sum / kSeeds, 5000, 600);
}

}  // namespace
}  // namespace sluice::sim
