#include "core/control/load_gauge.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

// 10 slots and 100 ms of horizon: a second of device time fills it.
TEST(LoadGauge, SharesOfSlotsAndOfTheHorizon) {
  LoadGauge gauge{{}};
  const auto figures = gauge.step(5, 10, {100ms, 200ms, 3s}, TimePoint(1s));
  EXPECT_DOUBLE_EQ(figures.busy_share, 0.5);
  EXPECT_DOUBLE_EQ(figures.waiting_share[0], 0.1);
  EXPECT_DOUBLE_EQ(figures.waiting_share[2], 1) << "never more than full";
}

// A lane is not held back for its own queue, and the low lane's queue is no load at all.
TEST(LoadGauge, LoadBeforeALaneIsWhatIsMoreUrgent) {
  const SystemFigures figures{.busy_share = 1, .waiting_share = {0.25, 0.5, 1}};
  EXPECT_DOUBLE_EQ(figures.load_before(Lane::kHigh), 1);
  EXPECT_DOUBLE_EQ(figures.load_before(Lane::kLatency), 1.25);
  EXPECT_DOUBLE_EQ(figures.load_before(Lane::kLow), 1.75);
  EXPECT_DOUBLE_EQ(figures.load(), 1.75);
}

TEST(LoadGauge, StepIsFollowedWithinItsMemory) {
  LoadGauge gauge{{}};
  gauge.step(0, 10, {}, TimePoint(0s));
  TimePoint now(0s);
  for (int i = 0; i < 10; ++i) gauge.step(10, 10, {}, now += 20ms);
  EXPECT_NEAR(gauge.figures().load(), 0.63, 0.03);
  for (int i = 0; i < 50; ++i) gauge.step(10, 10, {}, now += 20ms);
  EXPECT_NEAR(gauge.figures().load(), 1, 0.01);
}

TEST(LoadGauge, WithoutSlotsEverythingIsFull) {
  LoadGauge gauge{{}};
  const auto figures = gauge.step(0, 0, {1ns, 0ns, 0ns}, TimePoint(0s));
  EXPECT_DOUBLE_EQ(figures.load(), 2);
}

}  // namespace
}  // namespace sluice::core
