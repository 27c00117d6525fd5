#include "core/lanes/flows.h"

#include <array>

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr ClassId kA{0};
constexpr ClassId kB{1};
using Lanes = std::array<bool, kLanes>;

// Two classes, both with credit.
class FlowsTest : public ::testing::Test {
 protected:
  FlowsTest() {
    flows_.set_active(kA, true);
    flows_.set_active(kB, true);
  }

  void push(Flows::FlowId flow, std::uint32_t slot, std::int64_t key) {
    flows_.push(flow, slot, key, 10, 1ms);
  }
  void remove(Flows::FlowId flow, std::uint32_t slot) { flows_.remove(flow, slot, 10, 1ms); }

  Flows flows_{2, 100};
  const Flows::FlowId high_a_ = flows_.flow_of(Lane::kHigh, kA);
  const Flows::FlowId high_b_ = flows_.flow_of(Lane::kHigh, kB);
  const Flows::FlowId low_a_ = flows_.flow_of(Lane::kLow, kA);
};

TEST_F(FlowsTest, FlowNamesItsLaneAndClass) {
  for (const ClassId klass : {kA, kB}) {
    for (const Lane lane : {Lane::kHigh, Lane::kLatency, Lane::kLow}) {
      const Flows::FlowId flow = flows_.flow_of(lane, klass);
      EXPECT_EQ(Flows::lane_of_flow(flow), lane);
      EXPECT_EQ(Flows::class_of_flow(flow), klass);
    }
  }
}

TEST_F(FlowsTest, HeadIsTheSmallestKeyThenTheFirstPushed) {
  push(high_a_, 0, 5);
  push(high_a_, 1, 3);
  push(high_a_, 2, 3);
  EXPECT_EQ(flows_.head(high_a_), 1u);
  remove(high_a_, 1);
  EXPECT_EQ(flows_.head(high_a_), 2u);
  remove(high_a_, 2);
  EXPECT_EQ(flows_.head(high_a_), 0u);
  remove(high_a_, 0);
  EXPECT_TRUE(flows_.empty(high_a_));
}

TEST_F(FlowsTest, TotalsOfALaneAreOverItsClasses) {
  flows_.push(high_a_, 0, 1, 100, 5ms);
  flows_.push(high_b_, 1, 1, 30, 7ms);
  flows_.push(low_a_, 2, 1, 1'000, 9ms);
  EXPECT_EQ(flows_.totals(Lane::kHigh).tasks, 2u);
  EXPECT_EQ(flows_.totals(Lane::kHigh).bytes, 130u);
  EXPECT_EQ(flows_.totals(Lane::kLow).bytes, 1'000u);
  EXPECT_EQ(flows_.work(high_a_), 5ms);
  flows_.remove(high_a_, 0, 100, 5ms);
  EXPECT_EQ(flows_.totals(Lane::kHigh).tasks, 1u);
  EXPECT_EQ(flows_.totals(Lane::kHigh).bytes, 30u);
  EXPECT_EQ(flows_.work(high_a_), 0ms);
  EXPECT_EQ(flows_.work(high_b_), 7ms);
}

TEST_F(FlowsTest, BestIsTheFlowWhoseHeadRanksFirst) {
  EXPECT_FALSE(flows_.best());
  push(high_a_, 0, 20);
  push(high_b_, 1, 10);
  push(low_a_, 2, 5);
  EXPECT_EQ(flows_.best_in(Lane::kHigh), high_b_);
  EXPECT_EQ(flows_.best(), low_a_);
}

TEST_F(FlowsTest, EqualHeadsGoByWhoWasFirst) {
  push(high_b_, 0, 10);
  push(high_a_, 1, 10);
  push(low_a_, 2, 10);
  EXPECT_EQ(flows_.best_in(Lane::kHigh), high_b_);
  EXPECT_EQ(flows_.best(), high_b_);
}

TEST_F(FlowsTest, OnlyFlowsWithTasksAndCreditAreRunnable) {
  EXPECT_EQ(flows_.runnable_lanes(), (Lanes{false, false, false}));
  push(high_a_, 0, 1);
  push(low_a_, 1, 1);
  EXPECT_EQ(flows_.runnable_lanes(), (Lanes{true, false, true}));
  flows_.set_active(kA, false);
  EXPECT_EQ(flows_.runnable_lanes(), (Lanes{false, false, false}));
  push(high_b_, 2, 1);
  EXPECT_EQ(flows_.runnable_lanes(), (Lanes{true, false, false}));
  EXPECT_EQ(flows_.best(), high_b_);
}

TEST_F(FlowsTest, ParkedIsPassedOverUntilItsClassHasANewCredit) {
  push(high_a_, 0, 1);
  push(high_b_, 1, 2);
  flows_.park(high_a_);
  EXPECT_EQ(flows_.best(), high_b_);
  flows_.unpark(kB);
  EXPECT_EQ(flows_.best(), high_b_);
  flows_.unpark(kA);
  EXPECT_EQ(flows_.best(), high_a_);
}

TEST_F(FlowsTest, NewHeadEndsTheParking) {
  push(high_a_, 0, 10);
  flows_.park(high_a_);
  push(high_a_, 1, 20);  // behind the head: nothing new for it
  EXPECT_FALSE(flows_.best());
  push(high_a_, 2, 5);
  EXPECT_EQ(flows_.best(), high_a_);
}

TEST_F(FlowsTest, HeadThatLeavesEndsTheParking) {
  push(high_a_, 0, 10);
  push(high_a_, 1, 20);
  push(high_a_, 2, 30);
  flows_.park(high_a_);
  remove(high_a_, 2);
  EXPECT_FALSE(flows_.best());
  remove(high_a_, 0);
  EXPECT_EQ(flows_.best(), high_a_);
}

// Taken out of the middle of the list of runnable flows, the others stay findable.
TEST_F(FlowsTest, RunnableListSurvivesLeavingInAnyOrder) {
  Flows many(50, 50);
  for (std::uint32_t c = 0; c < 50; ++c) {
    many.set_active(ClassId{c}, true);
    many.push(many.flow_of(Lane::kLow, ClassId{c}), c, c, 0, 1ms);
  }
  for (const std::uint32_t c : {0, 49, 20, 1, 48}) many.set_active(ClassId{c}, false);
  EXPECT_EQ(many.best(), many.flow_of(Lane::kLow, ClassId{2}));
  many.set_active(ClassId{0}, true);
  EXPECT_EQ(many.best(), many.flow_of(Lane::kLow, ClassId{0}));
  std::uint32_t served = 0;
  for (; many.best(); ++served) {
    const Flows::FlowId flow = *many.best();
    many.remove(flow, many.head(flow), 0, 1ms);
  }
  EXPECT_EQ(served, 46u);
}

TEST_F(FlowsTest, DeathOfWhoPicksALaneWithoutRunnableFlows) {
  EXPECT_DEATH(flows_.best_in(Lane::kHigh), "a lane without runnable flows was picked");
}

}  // namespace
}  // namespace sluice::core
