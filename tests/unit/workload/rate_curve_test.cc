#include "workload/rate_curve.h"

#include <gtest/gtest.h>

namespace sluice::workload {
namespace {

using std::chrono::seconds;

RateCurve steady_then_ramp() {
  return RateCurve(
      {{.name = "steady", .duration = seconds(10), .rate_from_rps = 5, .rate_to_rps = 5},
       {.name = "ramp", .duration = seconds(4), .rate_from_rps = 0, .rate_to_rps = 100}});
}

TEST(RateCurve, ExpectsTheAreaUnderTheRate) {
  const RateCurve curve = steady_then_ramp();
  EXPECT_DOUBLE_EQ(curve.phases()[0].expected_arrivals(), 50);
  EXPECT_DOUBLE_EQ(curve.phases()[1].expected_arrivals(), 200);
  EXPECT_EQ(curve.duration(), seconds(14));
}

TEST(RateCurve, ReachesTheNthArrivalOfASteadyRateAtItsTime) {
  const auto at = steady_then_ramp().reach(5);
  ASSERT_TRUE(at);
  EXPECT_EQ(at->at, seconds(1));
  EXPECT_EQ(at->phase, 0u);
}

TEST(RateCurve, InvertsARamp) {
  // 25·t²/2 arrivals after t seconds of the ramp: 50 after two.
  const auto at = steady_then_ramp().reach(50 + 50);
  ASSERT_TRUE(at);
  EXPECT_NEAR(to_seconds(at->at), 12, 1e-6);
  EXPECT_EQ(at->phase, 1u);
}

TEST(RateCurve, InvertsARampThatFallsToNothing) {
  const RateCurve curve(
      {{.name = "down", .duration = seconds(10), .rate_from_rps = 100, .rate_to_rps = 0}});
  EXPECT_NEAR(to_seconds(curve.reach(500)->at), 10, 1e-3);
  EXPECT_NEAR(to_seconds(curve.reach(375)->at), 5, 1e-6);
  EXPECT_FALSE(curve.reach(500.001));
}

TEST(RateCurve, SkipsASilentPhase) {
  const RateCurve curve(
      {{.name = "silent", .duration = seconds(3), .rate_from_rps = 0, .rate_to_rps = 0},
       {.name = "loud", .duration = seconds(1), .rate_from_rps = 10, .rate_to_rps = 10}});
  const auto at = curve.reach(1);
  ASSERT_TRUE(at);
  EXPECT_EQ(at->phase, 1u);
  EXPECT_NEAR(to_seconds(at->at), 3.1, 1e-9);
}

TEST(RateCurve, EndsWithItsLastPhase) {
  EXPECT_FALSE(steady_then_ramp().reach(251));
}

TEST(RateCurve, NamesTheBusiestPhase) {
  EXPECT_EQ(steady_then_ramp().peak_phase(), 1u);
  EXPECT_EQ(steady_then_ramp().phase_begin(1), seconds(10));
  EXPECT_EQ(steady_then_ramp().phase_end(1), seconds(14));
}

TEST(RateCurve, ScalesRatesAndKeepsTimes) {
  const RateCurve twice = steady_then_ramp().scaled(2);
  EXPECT_DOUBLE_EQ(twice.phases()[1].expected_arrivals(), 400);
  EXPECT_EQ(twice.duration(), seconds(14));
}

}  // namespace
}  // namespace sluice::workload
