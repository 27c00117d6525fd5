#include "core/control/return_gate.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr GateOptions kOptions{.dwell = 1s, .most_doublings = 3, .calm = 10s};

TimePoint at(double s) {
  return TimePoint(from_seconds(s));
}

TEST(ReturnGate, IsOpenBeforeTheFirstMove) {
  const ReturnGate gate;
  EXPECT_TRUE(gate.may_go_out(at(0), kOptions));
  EXPECT_FALSE(gate.calm(at(1000), kOptions));
}

TEST(ReturnGate, StepsOutwardWaitTheDwell) {
  ReturnGate gate;
  gate.went_out(at(5), kOptions);
  EXPECT_FALSE(gate.may_go_out(at(5.99), kOptions));
  EXPECT_TRUE(gate.may_go_out(at(6), kOptions));
}

TEST(ReturnGate, EachRelapseDoublesTheHoldUpToTheLast) {
  ReturnGate gate;
  double t = 0;
  for (const auto hold : {1s, 2s, 4s, 8s, 8s}) {
    gate.went_out(at(t), kOptions);
    EXPECT_EQ(gate.hold(kOptions), hold);
    EXPECT_FALSE(gate.may_go_in(at(t) + hold - 1ns, kOptions));
    EXPECT_TRUE(gate.may_go_in(at(t) + hold, kOptions));
    t += to_seconds(hold);
    gate.went_in(at(t));
    t += 1;
  }
}

TEST(ReturnGate, TwoStepsOutwardInARowAreNoRelapse) {
  ReturnGate gate;
  gate.went_out(at(0), kOptions);
  gate.went_out(at(1), kOptions);
  EXPECT_EQ(gate.hold(kOptions), 1s);
}

TEST(ReturnGate, ForgetsRelapsesAfterACalm) {
  ReturnGate gate;
  gate.went_out(at(0), kOptions);
  gate.went_in(at(1));
  gate.went_out(at(2), kOptions);
  EXPECT_EQ(gate.hold(kOptions), 2s);
  gate.went_in(at(4));
  gate.went_out(at(14.1), kOptions);
  EXPECT_EQ(gate.hold(kOptions), 1s);
  EXPECT_TRUE(gate.calm(at(24.2), kOptions));
}

}  // namespace
}  // namespace sluice::core
