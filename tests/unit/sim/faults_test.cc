#include "sim/faults.h"

#include <gtest/gtest.h>

#include <memory>

#include "unit/sim/small_world.h"

namespace sluice::sim {
namespace {

class FaultsTest : public ::testing::Test {
 protected:
  FaultsTest() : scenario_(small_world(2)), draws_(scenario_, 1), strikes_(2) {}

  void plan(std::vector<Fault> faults) {
    scenario_.faults = std::move(faults);
    cluster_ = std::make_unique<Cluster>(scenario_, draws_, events_, strikes_, 100);
    faults_ = std::make_unique<Faults>(scenario_, *cluster_, strikes_, events_);
  }
  const Condition& at(Duration time, std::size_t node = 0) {
    while (events_.next_at() <= TimePoint(time)) faults_->on(events_.pop());
    return cluster_->condition(node);
  }

  Scenario scenario_;
  Draws draws_;
  EventQueue events_;
  Strikes strikes_;
  std::unique_ptr<Cluster> cluster_;
  std::unique_ptr<Faults> faults_;
};

TEST_F(FaultsTest, HoldFromBeginToEndAndOnlyTheirNodes) {
  plan({{.kind = FaultKind::kFreeze, .at = seconds(1), .until = seconds(2), .nodes = {1}}});
  EXPECT_FALSE(at(milliseconds(999), 1).frozen);
  EXPECT_TRUE(at(seconds(1), 1).frozen);
  EXPECT_FALSE(at(seconds(1), 0).frozen);
  EXPECT_FALSE(at(seconds(2), 1).frozen);
  EXPECT_EQ(strikes_.count(FaultKind::kFreeze), 1u);
}

TEST_F(FaultsTest, AddUpWhereTheyOverlap) {
  plan(
      {{.kind = FaultKind::kSlow, .at = seconds(1), .until = seconds(4), .nodes = {0}, .factor = 2},
       {.kind = FaultKind::kSlow, .at = seconds(2), .until = seconds(3), .nodes = {0}, .factor = 3},
       {.kind = FaultKind::kPartition, .at = seconds(2), .nodes = {0, 1}}});
  EXPECT_EQ(at(seconds(1)).slowness, 2);
  EXPECT_EQ(at(seconds(2)).slowness, 6);
  EXPECT_FALSE(at(seconds(2)).answers());
  EXPECT_EQ(at(seconds(3)).slowness, 2);
  EXPECT_EQ(at(seconds(4)).slowness, 1);
  EXPECT_TRUE(at(seconds(9), 1).cut_off);
}

TEST_F(FaultsTest, ACrashOfANodeThatIsDownStrikesNothing) {
  plan({{.kind = FaultKind::kCrashSilent, .at = seconds(1), .until = seconds(5), .nodes = {0}},
        {.kind = FaultKind::kCrash, .at = seconds(2), .until = seconds(6), .nodes = {0, 1}}});
  at(seconds(3));
  EXPECT_EQ(strikes_.count(FaultKind::kCrashSilent), 1u);
  EXPECT_EQ(strikes_.count(FaultKind::kCrash), 1u);
  EXPECT_TRUE(at(seconds(5)).crashed);
  EXPECT_FALSE(at(seconds(6)).down());
}

TEST_F(FaultsTest, AFlappingNodeIsDownForTheFirstHalfOfEachPeriod) {
  plan({{.kind = FaultKind::kFlap,
         .at = seconds(1),
         .until = seconds(6),
         .nodes = {0},
         .period = seconds(2)}});
  EXPECT_TRUE(at(milliseconds(1500)).crashed);
  EXPECT_FALSE(at(milliseconds(2500)).crashed);
  EXPECT_TRUE(at(milliseconds(3500)).crashed);
  EXPECT_FALSE(at(milliseconds(4500)).crashed);
  EXPECT_FALSE(at(seconds(6)).crashed);
  EXPECT_EQ(strikes_.count(FaultKind::kFlap), 3u);
  at(seconds(60));
  EXPECT_TRUE(events_.empty());
}

TEST_F(FaultsTest, StepsOfTheClockAddUp) {
  plan({{.kind = FaultKind::kClockStep, .at = seconds(1), .step = seconds(5)},
        {.kind = FaultKind::kClockStep, .at = seconds(2), .step = seconds(-7)}});
  at(seconds(1));
  EXPECT_EQ(faults_->clock_offset(), seconds(5));
  at(seconds(2));
  EXPECT_EQ(faults_->clock_offset(), seconds(-2));
  EXPECT_EQ(strikes_.count(FaultKind::kClockStep), 2u);
}

}  // namespace
}  // namespace sluice::sim
