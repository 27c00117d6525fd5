#include "sim/measures.h"

#include <gtest/gtest.h>

#include "unit/sim/small_world.h"

namespace sluice::sim {
namespace {

using core::Lane;
using core::Outcome;

Scenario measured_world() {
  Scenario scenario = small_world();
  scenario.window = {seconds(5), seconds(10)};
  scenario.measures = {{"reaction_s", ""}, {"high_p99", ""}, {"vip_in_sla", ""}};
  return scenario;
}

class MeasuresTest : public ::testing::Test {
 protected:
  void high(Duration at, Duration latency, int count = 1) {
    for (int i = 0; i < count; ++i) {
      measures_.record({.at = TimePoint(at), .latency = latency, .lane = Lane::kHigh});
    }
  }
  void high_failed(Duration at, int count = 1) {
    for (int i = 0; i < count; ++i) {
      measures_.record({.at = TimePoint(at), .outcome = Outcome::kFailed, .lane = Lane::kHigh});
    }
  }
  std::optional<double> value(const char* name) const {
    MeasureMap map;
    measures_.fill(map);
    return map.at(name);
  }

  Scenario scenario_ = measured_world();
  Measures measures_{scenario_};
};

TEST_F(MeasuresTest, ReactionIsTheEndOfTheLastHalfSecondOverBudget) {
  high(seconds(5), milliseconds(90), 5);
  high(milliseconds(6200), milliseconds(90), 1);
  high(milliseconds(6499), milliseconds(20), 18);
  EXPECT_EQ(value("reaction_s"), 1.5);
  // One late among twenty: 95 % are in time.
  high(milliseconds(6499), milliseconds(20), 1);
  EXPECT_EQ(value("reaction_s"), 0.5);
}

TEST_F(MeasuresTest, FailuresAreOverBudgetAndFewArrivalsSayNothing) {
  high(milliseconds(7000), milliseconds(90), 4);
  EXPECT_EQ(value("reaction_s"), 0.0);
  high_failed(milliseconds(7000), 1);
  EXPECT_EQ(value("reaction_s"), 2.5);
}

TEST_F(MeasuresTest, OnlyTheWindowCounts) {
  high_failed(milliseconds(4999), 10);
  high_failed(seconds(10), 10);
  high(seconds(6), milliseconds(20), 10);
  EXPECT_EQ(value("reaction_s"), 0.0);
  EXPECT_EQ(value("window_high_success_share"), 1.0);
}

TEST_F(MeasuresTest, TheP99OfAllIsInfiniteWhenMoreThanOneInAHundredFailed) {
  high(seconds(6), milliseconds(20), 98);
  high(seconds(6), milliseconds(70), 1);
  high_failed(seconds(6), 1);
  EXPECT_NEAR(*value("high_p99_all_ms"), 70, 3);
  high_failed(seconds(6), 1);
  EXPECT_FALSE(value("high_p99_all_ms"));
}

TEST_F(MeasuresTest, ATenantIsMeasuredOverAllItsLanes) {
  high(seconds(6), milliseconds(20), 2);
  measures_.record({.at = TimePoint(seconds(6)), .latency = seconds(1), .lane = Lane::kLatency});
  measures_.record({.at = TimePoint(seconds(6)), .outcome = Outcome::kFailed, .lane = Lane::kLow});
  EXPECT_EQ(value("vip_in_sla"), 0.5);
  EXPECT_EQ(value("vip_success"), 0.75);
  MeasureMap map;
  measures_.fill(map);
  EXPECT_EQ(map.count("basic_in_sla"), 0u);
}

TEST_F(MeasuresTest, NothingIsMeasuredThatNobodyAskedFor) {
  const Scenario plain = small_world();
  MeasureMap map;
  Measures(plain).fill(map);
  EXPECT_TRUE(map.empty());
}

}  // namespace
}  // namespace sluice::sim
