#include "core/lanes/lane_service.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr std::array<bool, kLanes> kAll{true, true, true};

TEST(LaneService, NothingRunnableNothingPicked) {
  const LaneService service({1, 1, 1});
  EXPECT_FALSE(service.pick({false, false, false}));
}

TEST(LaneService, MoreUrgentLaneWhenEqual) {
  const LaneService service({1, 1, 1});
  EXPECT_EQ(service.pick(kAll), Lane::kHigh);
  EXPECT_EQ(service.pick({false, false, true}), Lane::kLow);
}

// R13, in device time: with costs of 1, 5 and 30 ms the shares still are the weights.
TEST(LaneService, SharesOfDeviceTimeFollowWeights) {
  LaneService service({16, 4, 1});
  const std::array<Duration, 3> cost{1ms, 5ms, 30ms};
  std::array<Duration, 3> served{};
  for (int i = 0; i < 20'000; ++i) {
    const Lane lane = *service.pick(kAll);
    service.charge(lane, cost[static_cast<std::size_t>(lane)]);
    served[static_cast<std::size_t>(lane)] += cost[static_cast<std::size_t>(lane)];
  }
  const double per_weight = to_ms(served[0]) / 16;
  // Within a task of each per weight.
  EXPECT_NEAR(to_ms(served[1]) / 4, per_weight, 1.0 / 16 + 5.0 / 4);
  EXPECT_NEAR(to_ms(served[2]) / 1, per_weight, 1.0 / 16 + 30.0);
}

TEST(LaneService, IdleLaneSavesNothingUp) {
  LaneService service({1, 1, 1});
  for (int i = 0; i < 1000; ++i) service.charge(Lane::kHigh, 10ms);
  // The low lane wakes: it is served at once, and then they take turns.
  int low = 0;
  for (int i = 0; i < 10; ++i) {
    const Lane lane = *service.pick({true, false, true});
    low += lane == Lane::kLow;
    service.charge(lane, 10ms);
  }
  EXPECT_EQ(low, 5);
}

TEST(LaneServiceDeathTest, WeightsArePositive) {
  EXPECT_DEATH(LaneService({1, 0, 1}), "lane weights are positive");
}

}  // namespace
}  // namespace sluice::core
