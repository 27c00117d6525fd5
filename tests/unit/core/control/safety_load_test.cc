#include "core/control/safety_load.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/smoothing.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

class SafetyLoadTest : public testing::Test {
 protected:
  template <class LoadAt>
  void run(double seconds, LoadAt load_at) {
    for (const TimePoint end = now + from_seconds(seconds); now < end; now += 20ms) {
      if (const auto change = safety.step(load_at(), now)) changes.push_back(*change);
    }
  }

  SafetyLoad safety{SafetyLoadOptions{}};
  std::vector<SafetyLoadChange> changes;
  TimePoint now{1s};
};

TEST_F(SafetyLoadTest, NothingBelowTheSafetyLoadNorBetweenTheThresholds) {
  run(5, [] { return 1.19; });
  run(5, [] { return std::nan(""); });
  EXPECT_TRUE(changes.empty());
  EXPECT_TRUE(safety.settled());
}

TEST_F(SafetyLoadTest, ShrinksByFactorsToTheFloorAndRecordsWhy) {
  run(5, [] { return 1.2; });
  EXPECT_EQ(safety.factor(), 0.1);
  EXPECT_EQ(changes.size(), 11u);
  EXPECT_EQ(changes[1].from, 0.8);
  EXPECT_DOUBLE_EQ(changes[1].to, 0.64);
  EXPECT_EQ(changes[1].load, 1.2);
  EXPECT_EQ(changes[1].threshold, 1.2);
  EXPECT_EQ(changes[1].at, TimePoint(1260ms));
}

TEST_F(SafetyLoadTest, RecoversInSmallSteps) {
  run(5, [] { return 1.5; });
  const auto down = changes.size();
  run(4, [] { return 0.5; });
  EXPECT_FALSE(safety.settled()) << "no jump back";
  run(2, [] { return 0.5; });
  EXPECT_TRUE(safety.settled());
  for (auto i = down; i < changes.size(); ++i) {
    EXPECT_LE(changes[i].to - changes[i].from, 0.05 + 1e-9);
  }
}

// Non-core tenants bring `demand` (in systems' worth) on top of 0.6 of core ones; the load shows
// after a smoothing of 200 ms. Ends in a small swing around the edge, and seldom.
TEST_F(SafetyLoadTest, ClosedLoopSwingsByOneStepOnly) {
  for (const double demand : {0.8, 2.0, 6.0}) {
    safety = SafetyLoad{SafetyLoadOptions{}};
    changes.clear();
    now = TimePoint(1s);
    Smoothed load;
    const auto plant = [&] { return load.add(0.6 + demand * safety.factor(), now, 200ms); };
    run(120, plant);
    changes.clear();
    double least = 1;
    double most = 0;
    run(60, [&] {
      least = std::min(least, safety.factor());
      most = std::max(most, safety.factor());
      return plant();
    });
    EXPECT_LE(changes.size(), 40u) << demand;
    EXPECT_LE(most - least, std::max(0.2 * most, 0.05) + 0.05) << demand;
  }
}

}  // namespace
}  // namespace sluice::core
