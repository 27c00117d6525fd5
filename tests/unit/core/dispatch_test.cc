// When a credit and a task meet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A node with one slot that is busy with request 0.
SteppedScheduler busy(Options options = small_options()) {
  SteppedScheduler step(std::move(options));
  step.all_ready();
  step.submit(0, asking(5, 1h));
  return step;
}

TEST(Dispatch, SaysWhatTheDriverNeeds) {
  SteppedScheduler step(small_options(2));
  step.all_ready();
  step.submit(7, asking(4, 300ms, 1));
  const Dispatch& dispatch = step.dispatched(7);
  EXPECT_EQ(dispatch.model, ModelId{1});
  EXPECT_EQ(dispatch.lane, Lane::kLatency);
  EXPECT_EQ(dispatch.priority, 4);
  EXPECT_EQ(dispatch.deadline, step.now() + 300ms);
  EXPECT_TRUE(dispatch.task.valid());
  EXPECT_TRUE(dispatch.attempt.valid());
}

// R14: event driven. Each free credit is used in the call that frees it.
TEST(Dispatch, FreeCreditIsUsedInTheSameCall) {
  auto step = busy();
  step.submit(1, asking(5, 1h));
  EXPECT_THAT(step.finish(0), ElementsAre("finish 0 completed", "dispatch 1 to 0"));
}

TEST(Dispatch, ReadyNodeIsUsedInTheSameCall) {
  SteppedScheduler step(small_options());
  step.submit(0, asking(5, 1h));
  EXPECT_THAT(step.report(0, true), ElementsAre("dispatch 0 to 0"));
}

TEST(Dispatch, NodeThatIsDownGetsNothing) {
  auto step = busy();
  step.submit(1, asking(5, 1h));
  step.report(0, false);
  EXPECT_THAT(step.finish(0), ElementsAre("finish 0 completed"));
  EXPECT_THAT(step.report(0, true), ElementsAre("dispatch 1 to 0"));
}

// R4: priority, expected service and age, as spans of time.
TEST(Dispatch, ScoreOrdersWithinALane) {
  auto step = busy();
  step.submit(1, asking(6, 1h));
  step.advance(10ms);
  step.submit(2, asking(5, 1h));  // 10 ms later, 50 ms more urgent
  step.advance(100ms);
  step.submit(3, asking(5, 1h));  // 100 ms later than 2: behind 1, too
  step.finish(0);
  step.finish(2);
  step.finish(1);
  EXPECT_THAT(step.finish(3), ElementsAre("finish 3 completed"));
  EXPECT_LT(step.finished(2).waited, step.finished(1).waited + 10ms);
}

TEST(Dispatch, OrderingsOfOtherPolicies) {
  const auto order = [](std::string_view policy) {
    Options options = small_options();
    options.policy = *policy_named(policy);
    auto step = busy(options);
    step.submit(1, asking(6, 3h));
    step.advance(1us);
    step.submit(2, asking(9, 2h));
    step.advance(1us);
    step.submit(3, asking(1, 4h));
    std::string served;
    for (std::uint64_t running = 0; step.scheduler().counters().waiting > 0;) {
      running = std::stoull(step.finish(running).back().substr(9));
      served += std::to_string(running);
    }
    return served;
  };
  EXPECT_EQ(order("fifo"), "123");
  EXPECT_EQ(order("fixed-priority"), "312");
  EXPECT_EQ(order("edf"), "213");
}

// peers.md 3: an urgent task that comes later passes.
TEST(Dispatch, UrgentLaneIsServedFirst) {
  auto step = busy();
  step.submit(1, asking(9, 1h));
  step.submit(2, asking(0, 1h));
  EXPECT_THAT(step.finish(0), ElementsAre("finish 0 completed", "dispatch 2 to 0"));
}

TEST(Dispatch, ClassWithoutCreditDoesNotHoldUpOthers) {
  Options options = small_options(2, 2);
  options.nodes[0].models = {ModelId{0}};
  options.nodes[1].models = {ModelId{1}};
  auto step = busy(options);
  step.submit(1, asking(0, 1h, 0));
  EXPECT_THAT(step.submit(2, asking(9, 1h, 1)), ElementsAre("dispatch 2 to 1"));
}

// A task whose time is over is not served, even within the tick in which the wheel has not turned.
TEST(Dispatch, TaskIsNeverServedAfterItsTime) {
  auto step = busy();
  step.submit(1, asking(5, 100ms));
  step.submit(2, asking(5, 1h));
  step.advance(100ms);
  EXPECT_THAT(step.finish(0), ElementsAre("finish 0 completed", "finish 1 expired deadline_passed",
                                          "dispatch 2 to 0"));
}

TEST(Dispatch, MaximumAgeOfTheLaneIsQueueTimeout) {
  Options options = small_options();
  options.lanes[1].max_age = 50ms;
  auto step = busy(options);
  step.submit(1, asking(5, 1h));
  step.advance(49ms);
  EXPECT_THAT(step.tick(), IsEmpty());
  step.advance(4ms);
  EXPECT_THAT(step.tick(), ElementsAre("finish 1 expired queue_timeout"));
}

// R17: what no node can finish in time any more leaves at that moment, not at its deadline.
TEST(Dispatch, HopelessTaskLeavesInsteadOfRunning) {
  SteppedScheduler step(small_options());
  step.all_ready();
  step.teach(100ms);
  step.submit(0, asking(5, 1h));
  step.submit(1, asking(5, 210ms));
  step.submit(2, asking(5, 1h));
  step.advance(109ms);
  EXPECT_THAT(step.tick(), IsEmpty());
  step.advance(3ms);  // fewer than 100 ms are left
  EXPECT_THAT(step.tick(), ElementsAre("finish 1 expired deadline_unreachable"));
  EXPECT_THAT(step.finish(0), ElementsAre("finish 0 completed", "dispatch 2 to 0"));
}

// The latest start is only a reason to look again: a node of which too little is known might do it.
TEST(Dispatch, WhatMayBeInTimeAfterAllStays) {
  Options options = small_options(1, 2);
  options.control.reserve.most_share = 0;
  SteppedScheduler step(options);
  step.report(0, true);
  step.teach(100ms);
  step.submit(0, asking(5, 1h));
  step.submit(1, asking(5, 210ms));
  step.report(1, true);
  step.advance(20ms);
  EXPECT_THAT(step.finish(1), ElementsAre("finish 1 completed"));
  step.submit(2, asking(5, 1h));
  step.submit(3, asking(5, 210ms));
  step.advance(150ms);
  EXPECT_THAT(step.tick(), IsEmpty());
  EXPECT_THAT(step.finish(2), ElementsAre("finish 2 completed", "dispatch 3 to 1"));
}

// Two nodes, one of them fast and busy.
class FastAndSlow : public ::testing::Test {
 protected:
  FastAndSlow() {
    step_.report(0, true);
    step_.teach(10ms);
    step_.report(0, false);
    step_.report(1, true);
    step_.teach(100ms);
    step_.report(0, true);
    step_.submit(0, asking(5, 1h));
  }

  SteppedScheduler step_{small_options(1, 2)};
};

TEST_F(FastAndSlow, TaskWaitsForTheFastOneRatherThanRunLate) {
  ASSERT_EQ(step_.dispatched(0).node, NodeId{0});
  EXPECT_THAT(step_.submit(1, asking(5, 50ms)), ElementsAre("queued 1"));
  step_.advance(10ms);
  EXPECT_THAT(step_.finish(0), ElementsAre("finish 0 completed", "dispatch 1 to 0"));
}

TEST_F(FastAndSlow, OtherLanesUseTheSlowOneMeanwhile) {
  step_.submit(1, asking(5, 50ms));
  EXPECT_THAT(step_.submit(2, asking(9, 1h)), ElementsAre("dispatch 2 to 1"));
}

// Nobody waits for a node that has gone.
TEST_F(FastAndSlow, LossOfTheFastOneEndsTheWaitingForIt) {
  step_.submit(1, asking(5, 50ms));
  step_.submit(2, asking(5, 1h));
  EXPECT_THAT(step_.report(0, false),
              ElementsAre("finish 1 expired deadline_unreachable", "dispatch 2 to 1"));
}

// 256 tasks a call; next_wakeup() asks for the rest at once.
TEST(Dispatch, MassEventsAreHandledInPieces) {
  Options options = small_options();
  options.nodes[0].slots = 1'000;
  SteppedScheduler step(options);
  for (std::uint64_t i = 0; i < 300; ++i) step.submit(i, asking(5, 1h));
  EXPECT_EQ(step.report(0, true).size(), 256u);
  EXPECT_EQ(step.scheduler().next_wakeup(), step.now());
  EXPECT_EQ(step.tick().size(), 44u);
  EXPECT_GT(step.scheduler().next_wakeup(), step.now());
}

}  // namespace
}  // namespace sluice::core
