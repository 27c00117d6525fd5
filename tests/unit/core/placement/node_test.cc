#include "core/placement/node.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow{1s};

Node ready_node(const NodeOptions& options) {
  Node node(options);
  node.report(true, std::nullopt);
  return node;
}

TEST(Node, ClosedUntilItHasReportedReady) {
  Node node({.slots = 1});
  EXPECT_FALSE(node.reported());
  EXPECT_FALSE(node.open());
  node.report(true, std::nullopt);
  EXPECT_TRUE(node.reported());
  EXPECT_TRUE(node.open());
  node.report(false, std::nullopt);
  EXPECT_TRUE(node.reported());
  EXPECT_FALSE(node.open());
}

TEST(Node, OpenWhileItHasCredit) {
  Node node = ready_node({.slots = 1, .credits = 2});
  Attempt attempt;
  node.begin(0, attempt, kNow);
  EXPECT_TRUE(node.open());
  node.begin(1, attempt, kNow);
  EXPECT_FALSE(node.open());
  node.end(0);
  EXPECT_TRUE(node.open());
  EXPECT_EQ(node.in_flight(), 1u);
}

TEST(Node, AttemptOnAFreeSlotBeginsOneWayThereAndBack) {
  Node node = ready_node({.slots = 1, .round_trip = 4ms});
  Attempt attempt;
  node.begin(0, attempt, kNow);
  EXPECT_EQ(attempt.began, kNow + 4ms);
}

// What is sent beyond the slots waits at the node, and begins when another ends, oldest first.
TEST(Node, AttemptsBeyondTheSlotsBeginInTheOrderTheyCame) {
  Node node = ready_node({.slots = 1, .credits = 3});
  Attempt attempt;
  node.begin(7, attempt, kNow);
  node.begin(8, attempt, kNow);
  EXPECT_EQ(attempt.began, kNever);
  node.begin(9, attempt, kNow);
  EXPECT_EQ(node.end(7), 8u);
  EXPECT_EQ(node.end(8), 9u);
  EXPECT_EQ(node.end(9), std::nullopt);
}

TEST(Node, EndOfOneThatWaitedThereBeginsNoOther) {
  Node node = ready_node({.slots = 1, .credits = 3});
  Attempt attempt;
  for (const std::uint32_t slot : {7, 8, 9}) node.begin(slot, attempt, kNow);
  EXPECT_EQ(node.end(8), std::nullopt);
  EXPECT_EQ(node.end(7), 9u);
}

// credits = ceil(slots × (1 + round trip ÷ service)).
TEST(Node, CreditsAreLearntFromRoundTripAndService) {
  Node node = ready_node({.slots = 4, .round_trip = 6ms});
  EXPECT_EQ(node.credits(), 4u);
  node.learn(10ms);
  EXPECT_EQ(node.credits(), 7u);  // 4 × 1.6 = 6.4
}

TEST(Node, CreditsAreCapped) {
  Node node = ready_node({.slots = 2, .round_trip = 1s});
  node.learn(1ms);
  EXPECT_EQ(node.credits(), 2 * Node::kCreditCap);
}

// On loopback a second attempt in flight gains nothing and can no longer be passed.
TEST(Node, ShortWayBuysNoCredit) {
  Node node = ready_node({.slots = 1, .round_trip = 50us});
  node.learn(1ms);
  EXPECT_EQ(node.credits(), 1u);
}

TEST(Node, FixedCreditsAreNotLearnt) {
  Node node = ready_node({.slots = 2, .credits = 3, .round_trip = 100ms});
  node.learn(1ms);
  EXPECT_EQ(node.credits(), 3u);
}

TEST(Node, CreditsMayFallBelowWhatIsInFlight) {
  Node node = ready_node({.slots = 1, .round_trip = 10ms});
  node.learn(5ms);
  ASSERT_EQ(node.credits(), 3u);
  Attempt attempt;
  for (const std::uint32_t slot : {0, 1, 2}) node.begin(slot, attempt, kNow);
  for (int i = 0; i < 200; ++i) node.learn(1s);
  EXPECT_EQ(node.credits(), 1u);
  EXPECT_FALSE(node.open());
  node.end(0);
  node.end(1);
  EXPECT_FALSE(node.open());
  node.end(2);
  EXPECT_TRUE(node.open());
}

// A probe that waited for a busy node measured its queue, not the way.
TEST(Node, RoundTripIsTheShortestOfLate) {
  Node node({.slots = 1});
  node.report(true, 8ms);
  EXPECT_EQ(node.round_trip(), 8ms);
  node.report(true, 2ms);
  EXPECT_EQ(node.round_trip(), 2ms);
  node.report(true, 50ms);
  EXPECT_EQ(node.round_trip(), 2ms + 125us);
  node.report(true, std::nullopt);
  EXPECT_EQ(node.round_trip(), 2ms + 125us);
}

TEST(Node, LongerWayIsBelievedInTheEnd) {
  Node node({.slots = 1});
  node.report(true, 2ms);
  for (int i = 0; i < 60; ++i) node.report(true, 50ms);
  EXPECT_EQ(node.round_trip(), 50ms);
}

TEST(Node, NegativeRoundTripCountsAsNone) {
  Node node({.slots = 1});
  node.report(true, -5ms);
  EXPECT_EQ(node.round_trip(), 0ms);
}

TEST(Node, FixedRoundTripIsNotMeasured) {
  Node node({.slots = 1, .round_trip = 3ms});
  node.report(true, 20ms);
  EXPECT_EQ(node.round_trip(), 3ms);
}

TEST(Node, QueueingCountsWhatStandsBeforeOneMore) {
  Node node = ready_node({.slots = 2, .credits = 4});
  node.learn(10ms);
  Attempt attempt;
  node.begin(0, attempt, kNow);
  EXPECT_EQ(node.queueing(), 0ms);
  node.begin(1, attempt, kNow);
  // A slot of two frees every 5 ms, and half of the first 5 have passed.
  EXPECT_EQ(node.queueing(), 2500us);
  node.begin(2, attempt, kNow);
  EXPECT_EQ(node.queueing(), 7500us);
}

TEST(NodeDeathTest, OverItsCreditsIsABrokenInvariant) {
  Node node = ready_node({.slots = 1});
  Attempt attempt;
  node.begin(0, attempt, kNow);
  EXPECT_DEATH(node.begin(1, attempt, kNow), "full or not ready");
  node.end(0);
  EXPECT_DEATH(node.end(0), "an attempt ended at a node that had none");
}

TEST(NodeDeathTest, WithoutSlotsItIsNoNode) {
  EXPECT_DEATH(Node({.slots = 0}), "at least one slot");
  EXPECT_DEATH(Node({.slots = 1, .credits = 0}), "one credit");
}

// peers.md 19: a cold replica is flooded the moment it is ready.
TEST(Node, StartsSlowlyAndOpensByOneWithEachSuccess) {
  Node node = ready_node({.slots = 4});
  node.start_slowly(1);
  Attempt attempt;
  std::uint32_t slot = 0;
  for (const std::uint32_t allowed : {1, 2, 3, 4}) {
    EXPECT_EQ(node.allowed(), allowed);
    while (node.open()) node.begin(slot++, attempt, kNow);
    EXPECT_EQ(node.in_flight(), allowed);
    node.succeeded();
  }
  EXPECT_FALSE(node.starting());
  EXPECT_EQ(node.allowed(), node.credits());
}

TEST(Node, DoesNotOpenWithoutSuccess) {
  Node node = ready_node({.slots = 4});
  node.start_slowly(1);
  Attempt attempt;
  for (int i = 0; i < 10; ++i) {
    node.begin(0, attempt, kNow);
    EXPECT_FALSE(node.open());
    node.end(0);
  }
  EXPECT_EQ(node.allowed(), 1u);
}

// Once warm it stays so, also when its credits grow later.
TEST(Node, StartIsOverWhenItHasItsCredits) {
  Node node = ready_node({.slots = 2, .round_trip = 10ms});
  node.start_slowly(1);
  node.succeeded();
  EXPECT_FALSE(node.starting());
  node.learn(10ms);
  EXPECT_EQ(node.allowed(), 4u);
}

TEST(Node, WindowOfAllCreditsIsNone) {
  Node node = ready_node({.slots = 1});
  node.start_slowly(1);
  EXPECT_FALSE(node.starting());
}

// What it may not use yet is no free slot.
TEST(Node, QueueingCountsTheSlotsItMayUse) {
  Node node = ready_node({.slots = 4});
  node.learn(8ms);
  node.start_slowly(2);
  Attempt attempt;
  node.begin(0, attempt, kNow);
  EXPECT_EQ(node.queueing(), 0ms);
  node.begin(1, attempt, kNow);
  EXPECT_EQ(node.queueing(), 2ms);  // half of 8 ms on the first of two to free
  node.succeeded();
  EXPECT_EQ(node.queueing(), 0ms);
}

}  // namespace
}  // namespace sluice::core
