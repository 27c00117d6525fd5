#include "core/control/shrinking_share.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/smoothing.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

class ShrinkingShareTest : public testing::Test {
 protected:
  template <class LoadAt>
  void run(double seconds, LoadAt load_at) {
    for (const TimePoint end = now + from_seconds(seconds); now < end; now += 20ms) {
      if (const auto change = share.step(load_at(), now, kSafetyLoadShare))
        changes.push_back(*change);
    }
  }

  ShrinkingShare share;
  std::vector<ShareChange> changes;
  TimePoint now{1s};
};

TEST_F(ShrinkingShareTest, NothingBelowTheSafetyLoadNorBetweenTheThresholds) {
  run(5, [] { return 1.19; });
  run(5, [] { return std::nan(""); });
  EXPECT_TRUE(changes.empty());
  EXPECT_TRUE(share.settled());
}

TEST_F(ShrinkingShareTest, ShrinksByFactorsToTheFloorAndRecordsWhy) {
  run(5, [] { return 1.2; });
  EXPECT_EQ(share.share(), 0.1);
  EXPECT_EQ(changes.size(), 11u);
  EXPECT_EQ(changes[1].from, 0.8);
  EXPECT_DOUBLE_EQ(changes[1].to, 0.64);
  EXPECT_EQ(changes[1].figure, 1.2);
  EXPECT_EQ(changes[1].threshold, 1.2);
  EXPECT_EQ(changes[1].at, TimePoint(1260ms));
}

TEST_F(ShrinkingShareTest, RecoversInSmallSteps) {
  run(5, [] { return 1.5; });
  const auto down = changes.size();
  run(4, [] { return 0.5; });
  EXPECT_FALSE(share.settled()) << "no jump back";
  run(2, [] { return 0.5; });
  EXPECT_TRUE(share.settled());
  for (auto i = down; i < changes.size(); ++i) {
    EXPECT_LE(changes[i].to - changes[i].from, 0.05 + 1e-9);
  }
}

// Non-core tenants bring `demand` (in systems' worth) on top of 0.6 of core ones; the load shows
// after a smoothing of 200 ms. Ends in a small swing around the edge, and seldom.
TEST_F(ShrinkingShareTest, ClosedLoopSwingsByOneStepOnly) {
  for (const double demand : {0.8, 2.0, 6.0}) {
    share = ShrinkingShare{};
    changes.clear();
    now = TimePoint(1s);
    Smoothed load;
    const auto plant = [&] { return load.add(0.6 + demand * share.share(), now, 200ms); };
    run(120, plant);
    changes.clear();
    double least = 1;
    double most = 0;
    run(60, [&] {
      least = std::min(least, share.share());
      most = std::max(most, share.share());
      return plant();
    });
    EXPECT_LE(changes.size(), 40u) << demand;
    EXPECT_LE(most - least, std::max(0.2 * most, 0.05) + 0.05) << demand;
  }
}

// R7: the queue at a model's replicas fills with what is dispatched beyond what they serve, and
// drains by the rest. Demand of 1.5 to 3 times capacity; a budget of 100 ms.
TEST(ModelShare, QueueAtTheReplicasComesDownAndStaysDown) {
  for (const double demand : {1.5, 3.0}) {
    ShrinkingShare share;
    double queue_s = 0;
    double longest_late_s = 0;
    int late_changes = 0;
    for (TimePoint now(1s); now < TimePoint(121s); now += 20ms) {
      queue_s = std::max(0.0, queue_s + 0.02 * (demand * share.share() - 1));
      const bool changed = share.step(queue_s / 0.1, now, kModelShare).has_value();
      EXPECT_GE(share.share(), 0.25);
      if (now < TimePoint(61s)) continue;
      late_changes += changed;
      longest_late_s = std::max(longest_late_s, queue_s);
    }
    EXPECT_LE(late_changes, 60) << demand;
    EXPECT_LE(longest_late_s, 0.5) << demand;
  }
}

}  // namespace
}  // namespace sluice::core
