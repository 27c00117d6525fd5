#include "core/lanes/flows.h"

#include <gtest/gtest.h>

#include <array>
#include <map>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr ClassId kA{0};
constexpr ClassId kB{1};
constexpr TenantId kOne{0};
constexpr TaskTypeId kImage{0};
constexpr TaskTypeId kText{1};
using Lanes = std::array<bool, kLanes>;

Flows::Item item(std::uint32_t slot, std::uint64_t bytes = 10, Duration work = 1ms) {
  return {.slot = slot, .bytes = bytes, .work = work};
}

// Two classes, both with credit.
class FlowsTest : public ::testing::Test {
 protected:
  FlowsTest() {
    flows_.set_active(kA, true);
    flows_.set_active(kB, true);
  }

  Flows::FlowId push(Lane lane, ClassId klass, std::uint32_t slot, std::int64_t key,
                     std::uint32_t model = 0, TaskTypeId kind = kImage) {
    return flows_.push({.lane = lane, .klass = klass, .tenant = kOne, .model = {model}}, kind, key,
                       item(slot));
  }
  // The slot that would be served next.
  std::uint32_t first() {
    const auto flow = flows_.next();
    return flow ? flows_.head(*flow) : 9999;
  }

  Flows flows_{2, 4, 2, 100};
};

TEST_F(FlowsTest, HeadIsTheSmallestKeyThenTheFirstPushed) {
  const auto flow = push(Lane::kHigh, kA, 0, 5);
  EXPECT_EQ(push(Lane::kHigh, kA, 1, 3), flow);
  push(Lane::kHigh, kA, 2, 3);
  EXPECT_EQ(flows_.head(flow), 1u);
  flows_.remove(flow, item(1));
  EXPECT_EQ(flows_.head(flow), 2u);
  flows_.remove(flow, item(2));
  EXPECT_EQ(flows_.head(flow), 0u);
  flows_.remove(flow, item(0));
  EXPECT_EQ(flows_.flow_count(), 0u);
}

TEST_F(FlowsTest, TotalsOfALaneAreOverItsClasses) {
  const auto flow = flows_.push({Lane::kHigh, kA, kOne, {0}}, kImage, 1, item(0, 100, 5ms));
  flows_.push({Lane::kHigh, kB, kOne, {0}}, kImage, 1, item(1, 30, 7ms));
  flows_.push({Lane::kLow, kA, kOne, {0}}, kImage, 1, item(2, 1'000, 9ms));
  EXPECT_EQ(flows_.totals(Lane::kHigh).tasks, 2u);
  EXPECT_EQ(flows_.totals(Lane::kHigh).bytes, 130u);
  EXPECT_EQ(flows_.totals(Lane::kHigh).work, 12ms);
  EXPECT_EQ(flows_.totals(Lane::kLow).bytes, 1'000u);
  const auto group = Flows::group_of(Lane::kHigh, kA);
  EXPECT_EQ(flows_.totals(group).work, 5ms);
  flows_.remove(flow, item(0, 100, 5ms));
  EXPECT_EQ(flows_.totals(Lane::kHigh).tasks, 1u);
  EXPECT_EQ(flows_.totals(Lane::kHigh).bytes, 30u);
  EXPECT_EQ(flows_.totals(group).work, 0ms);
}

TEST_F(FlowsTest, NextIsTheHeadThatRanksFirst) {
  EXPECT_FALSE(flows_.next());
  push(Lane::kHigh, kA, 0, 20);
  push(Lane::kHigh, kB, 1, 10);
  push(Lane::kLow, kA, 2, 5);
  EXPECT_EQ(flows_.head(flows_.next_in(Lane::kHigh)), 1u);
  EXPECT_EQ(first(), 2u);
}

TEST_F(FlowsTest, EqualHeadsGoByWhoWasFirst) {
  push(Lane::kHigh, kB, 0, 10);
  push(Lane::kHigh, kA, 1, 10);
  push(Lane::kLow, kA, 2, 10);
  EXPECT_EQ(flows_.head(flows_.next_in(Lane::kHigh)), 0u);
  EXPECT_EQ(first(), 0u);
}

TEST_F(FlowsTest, ModelsOfAShareKeepOneOrder) {
  push(Lane::kHigh, kA, 0, 30, 0);
  push(Lane::kHigh, kA, 1, 10, 1);
  push(Lane::kHigh, kA, 2, 20, 0);
  for (const std::uint32_t slot : {1, 2, 0}) {
    ASSERT_EQ(first(), slot);
    flows_.remove(*flows_.next(), item(slot));
  }
}

TEST_F(FlowsTest, OnlyGroupsWithTasksAndCreditAreRunnable) {
  EXPECT_EQ(flows_.runnable_lanes(), (Lanes{false, false, false}));
  push(Lane::kHigh, kA, 0, 1);
  push(Lane::kLow, kA, 1, 1);
  EXPECT_EQ(flows_.runnable_lanes(), (Lanes{true, false, true}));
  flows_.set_active(kA, false);
  EXPECT_EQ(flows_.runnable_lanes(), (Lanes{false, false, false}));
  push(Lane::kHigh, kB, 2, 1);
  EXPECT_EQ(flows_.runnable_lanes(), (Lanes{true, false, false}));
  EXPECT_EQ(first(), 2u);
}

// What a parked head prefers says nothing about those behind it that ask for another model.
TEST_F(FlowsTest, ParkedIsPassedByTheOtherModelsOfItsShare) {
  const auto flow = push(Lane::kHigh, kA, 0, 1, 0);
  push(Lane::kHigh, kA, 1, 2, 1);
  flows_.park(flow);
  EXPECT_EQ(first(), 1u);
  flows_.unpark_some(kB);
  EXPECT_EQ(first(), 1u);
  flows_.unpark_some(kA);
  EXPECT_EQ(first(), 0u);
}

TEST_F(FlowsTest, NewHeadEndsTheParking) {
  const auto flow = push(Lane::kHigh, kA, 0, 10);
  flows_.park(flow);
  push(Lane::kHigh, kA, 1, 20);  // behind the head: nothing new for it
  EXPECT_FALSE(flows_.next());
  push(Lane::kHigh, kA, 2, 5);
  EXPECT_EQ(first(), 2u);
}

TEST_F(FlowsTest, HeadThatLeavesEndsTheParking) {
  const auto flow = push(Lane::kHigh, kA, 0, 10);
  push(Lane::kHigh, kA, 1, 20);
  push(Lane::kHigh, kA, 2, 30);
  flows_.park(flow);
  flows_.remove(flow, item(2));
  EXPECT_FALSE(flows_.next());
  flows_.remove(flow, item(0));
  EXPECT_EQ(first(), 1u);
}

TEST_F(FlowsTest, FewAreUnparkedAtOnceAndTheLongestParkedFirst) {
  for (std::uint32_t model = 0; model < 10; ++model) {
    flows_.park(push(Lane::kLow, kA, model, 100 - model, model));
  }
  flows_.unpark_some(kA);
  EXPECT_EQ(first(), 3u);  // 0..3 may run, and 3 has the smallest key
  flows_.unpark_all(kA);
  EXPECT_EQ(first(), 9u);
}

TEST_F(FlowsTest, LastTaskOfAParkedFlowMayLeave) {
  const auto middle = push(Lane::kLow, kA, 1, 2, 1);
  flows_.park(push(Lane::kLow, kA, 0, 1, 0));
  flows_.park(middle);
  flows_.park(push(Lane::kLow, kA, 2, 3, 2));
  flows_.remove(middle, item(1));
  flows_.unpark_all(kA);
  EXPECT_EQ(first(), 0u);
  EXPECT_EQ(flows_.flow_count(), 2u);
}

TEST_F(FlowsTest, OffsetMovesAKindAmongHeadsThatWaitAlready) {
  push(Lane::kHigh, kA, 0, 10, 0, kImage);
  push(Lane::kHigh, kA, 1, 20, 1, kText);
  push(Lane::kHigh, kB, 2, 15, 2, kImage);
  EXPECT_EQ(first(), 0u);
  flows_.set_offset(kImage, Duration(11));  // 21 and 26
  EXPECT_EQ(first(), 1u);
  flows_.set_offset(kImage, Duration(-6));
  EXPECT_EQ(first(), 0u);
}

// Taken out of the middle of the list of runnable groups, the others stay findable.
TEST_F(FlowsTest, RunnableListSurvivesLeavingInAnyOrder) {
  Flows many(50, 1, 1, 50);
  for (std::uint32_t c = 0; c < 50; ++c) {
    many.set_active(ClassId{c}, true);
    many.push({Lane::kLow, {c}, kOne, {0}}, kImage, c, item(c));
  }
  for (const std::uint32_t c : {0, 49, 20, 1, 48}) many.set_active(ClassId{c}, false);
  EXPECT_EQ(many.head(*many.next()), 2u);
  many.set_active(ClassId{0}, true);
  EXPECT_EQ(many.head(*many.next()), 0u);
  std::uint32_t served = 0;
  for (; many.next(); ++served) {
    const Flows::FlowId flow = *many.next();
    many.remove(flow, item(many.head(flow)));
  }
  EXPECT_EQ(served, 46u);
}

TEST_F(FlowsTest, DeathOfWhoPicksALaneWithoutRunnableFlows) {
  EXPECT_DEATH(flows_.next_in(Lane::kHigh), "a lane without runnable flows was picked");
}

}  // namespace
}  // namespace sluice::core
