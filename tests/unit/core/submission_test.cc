// From a request to a waiting task, or to a refusal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

TEST(Submission, AnsweredAtOnceByDispatchQueuedOrFinish) {
  SteppedScheduler step(small_options());
  step.all_ready();
  EXPECT_THAT(step.submit(0, asking(5, 1s)), ElementsAre("dispatch 0 to 0"));
  EXPECT_THAT(step.submit(1, asking(5, 1s)), ElementsAre("queued 1"));
  EXPECT_THAT(step.submit(2, asking(5, 0s)), ElementsAre("finish 2 expired deadline_passed"));
}

TEST(Submission, BudgetCountsFromTheFirstByte) {
  SteppedScheduler step(small_options());
  step.all_ready();
  step.tell(
      Submitted{.request = RequestId{0}, .labels = asking(5, 100ms), .arrival = step.now() - 60ms});
  EXPECT_EQ(step.dispatched(0).deadline, step.now() + 40ms);
  EXPECT_THAT(
      step.tell(Submitted{
          .request = RequestId{1}, .labels = asking(5, 100ms), .arrival = step.now() - 100ms}),
      ElementsAre("finish 1 expired deadline_passed"));
}

TEST(Submission, ArrivalInTheFutureIsNow) {
  SteppedScheduler step(small_options());
  step.all_ready();
  step.tell(
      Submitted{.request = RequestId{0}, .labels = asking(5, 100ms), .arrival = step.now() + 1h});
  EXPECT_EQ(step.dispatched(0).deadline, step.now() + 100ms);
}

TEST(Submission, BudgetsOfAnySizeAreHeld) {
  SteppedScheduler step(small_options());
  step.all_ready();
  EXPECT_THAT(step.submit(0, asking(5, Duration::min())),
              ElementsAre("finish 0 expired deadline_passed"));
  EXPECT_THAT(step.submit(1, asking(5, Duration::max())), ElementsAre("dispatch 1 to 0"));
  EXPECT_EQ(step.dispatched(1).deadline, kNever);
}

// Where nobody minds deadlines, one that has passed is none.
TEST(Submission, LateIsServedWhereDeadlinesAreNotMinded) {
  Options options = small_options();
  options.policy = *policy_named("fifo");
  SteppedScheduler step(options);
  step.all_ready();
  EXPECT_THAT(step.submit(0, asking(5, 0s)), ElementsAre("dispatch 0 to 0"));
}

TEST(Submission, NoReplicaWhenEveryCandidateIsDown) {
  SteppedScheduler step(small_options(1, 2));
  step.report(0, false);
  // One has not been heard of yet: it may come.
  EXPECT_THAT(step.submit(0, asking(5, 1s)), ElementsAre("queued 0"));
  step.report(1, false);
  EXPECT_THAT(step.submit(1, asking(5, 1s)), ElementsAre("finish 1 refused no_replica"));
  EXPECT_EQ(step.finished(1).retry_after, 1s);
  EXPECT_FALSE(step.finished(1).node.valid());
}

TEST(Submission, NoReplicaOfAModelThatNoNodeHas) {
  for (const Policy& policy : kPolicies) {
    Options options = small_options(2);
    options.nodes[0].models = {ModelId{0}};
    options.policy = policy;
    SteppedScheduler step(options);
    step.all_ready();
    EXPECT_THAT(step.submit(0, asking(5, 1s, 1)), ElementsAre("finish 0 refused no_replica"));
  }
}

TEST(Submission, LaneTakesAsManyTasksAsItHasRoomFor) {
  Options options = small_options();
  options.lanes[2].capacity = 2;
  SteppedScheduler step(options);
  step.all_ready();
  step.submit(0, asking(9, 1h));
  EXPECT_THAT(step.submit(1, asking(9, 1h)), ElementsAre("queued 1"));
  EXPECT_THAT(step.submit(2, asking(9, 1h)), ElementsAre("queued 2"));
  EXPECT_THAT(step.submit(3, asking(9, 1h)), ElementsAre("finish 3 refused queue_full"));
  // Lanes are apart.
  EXPECT_THAT(step.submit(4, asking(5, 1h)), ElementsAre("queued 4"));
}

TEST(Submission, LaneTakesAsManyBytesAsItHasRoomFor) {
  Options options = small_options();
  options.lanes[2].capacity_bytes = 1'000;
  SteppedScheduler step(options);
  step.all_ready();
  const auto of_size = [](std::uint64_t bytes) {
    Labels labels = asking(9, 1h);
    labels.size_bytes = bytes;
    return labels;
  };
  step.submit(0, of_size(1'000));
  EXPECT_THAT(step.submit(1, of_size(600)), ElementsAre("queued 1"));
  EXPECT_THAT(step.submit(2, of_size(401)), ElementsAre("finish 2 refused queue_full"));
  EXPECT_THAT(step.submit(3, of_size(UINT64_MAX)), ElementsAre("finish 3 refused queue_full"));
  EXPECT_THAT(step.submit(4, of_size(400)), ElementsAre("queued 4"));
}

// Half of a full lane is gone when half of its work is done.
TEST(Submission, FullLaneSaysWhenHalfOfItIsServed) {
  Options options = small_options();
  options.lanes[2].capacity = 10;
  SteppedScheduler step(options);
  step.all_ready();
  step.teach(20ms);
  for (std::uint64_t i = 0; i < 11; ++i) step.submit(i, asking(9, 1h));
  step.submit(11, asking(9, 1h));
  EXPECT_EQ(step.finished(11).reason, Reason::kQueueFull);
  EXPECT_NEAR(to_ms(step.finished(11).retry_after), 100, 2);
}

// With its nodes gone a lane is emptied by its maximum age, not in years.
TEST(Submission, FullLaneWithoutNodesIsEmptiedByItsMaximumAge) {
  Options options = small_options(2, 2);
  options.nodes[0].models = {ModelId{0}};
  options.nodes[1].models = {ModelId{1}};
  options.lanes[2].capacity = 10;
  options.lanes[2].max_age = 40s;
  SteppedScheduler step(options);
  step.all_ready();
  for (std::uint64_t i = 0; i < 11; ++i) step.submit(i, asking(9, 1h, 0));
  step.report(0, false);
  step.submit(20, asking(9, 1h, 1));
  step.submit(21, asking(9, 1h, 1));
  EXPECT_EQ(step.finished(21).reason, Reason::kQueueFull);
  EXPECT_EQ(step.finished(21).retry_after, 20s);
}

TEST(Submission, RunNowOrNotAtAll) {
  Labels now_or_never = asking(5, 1s);
  now_or_never.may_queue = false;
  SteppedScheduler step(small_options());
  EXPECT_THAT(step.submit(0, now_or_never), ElementsAre("finish 0 refused would_queue"));
  step.all_ready();
  EXPECT_THAT(step.submit(1, now_or_never), ElementsAre("dispatch 1 to 0"));
  EXPECT_THAT(step.submit(2, now_or_never), ElementsAre("finish 2 refused would_queue"));
  EXPECT_GT(step.finished(2).retry_after, 0s);
}

// Before the first report nothing is known of slots: the time is that of the lane, not of years.
TEST(Submission, WouldQueueNeverSaysMoreThanTheMaximumAge) {
  Options options = small_options();
  options.lanes[1].max_age = 40s;
  SteppedScheduler step(options);
  Labels now_or_never = asking(5, 1s);
  now_or_never.may_queue = false;
  step.submit(0, now_or_never);
  EXPECT_EQ(step.finished(0).retry_after, 40s);
}

// R20: on arrival, with the time after which there will be room in the budget.
TEST(Submission, WouldMissItsDeadlineIsRefusedOnArrival) {
  SteppedScheduler step(small_options());
  step.all_ready();
  step.teach(20ms);
  step.submit(0, asking(5, 1s));  // runs: 10 ms until the slot is free, on average
  step.submit(1, asking(5, 1s));  // waits: 20 ms more
  EXPECT_THAT(step.submit(2, asking(5, 60ms)), ElementsAre("queued 2"));
  // 10 + 40 + 20 against 50.
  EXPECT_THAT(step.submit(3, asking(5, 50ms)), ElementsAre("finish 3 refused would_miss_deadline"));
  EXPECT_NEAR(to_ms(step.finished(3).retry_after), 20, 1);
}

// A lane waits for its share only: work in other lanes counts by their weights.
TEST(Submission, OtherLanesTakeTheirShareOfTheSlots) {
  SteppedScheduler step(small_options());
  step.all_ready();
  step.teach(20ms);
  step.submit(0, asking(9, 1s));
  step.submit(1, asking(0, 1s));
  step.submit(2, asking(9, 1h));
  // The low lane gets 1 of 17 while the high one waits, too: 10 + 20 × 17 + 20.
  EXPECT_THAT(step.submit(3, asking(9, 362ms)),
              ElementsAre("finish 3 refused would_miss_deadline"));
  EXPECT_THAT(step.submit(4, asking(9, 371ms)), ElementsAre("queued 4"));
}

TEST(Submission, WithoutPredictionOnlyRoomIsAsked) {
  Options options = small_options();
  options.policy.admission = Admission::kCapacityOnly;
  SteppedScheduler step(options);
  step.all_ready();
  step.teach(20ms);
  step.submit(0, asking(5, 1s));
  EXPECT_THAT(step.submit(1, asking(5, 1ms)), ElementsAre("queued 1"));
}

// The one that was the soonest of late is busy, and would be late; another is free.
TEST(Submission, NobodyIsRefusedByTheNodeThatWasTheSoonest) {
  Options options = small_options(1, 2);
  options.slow_start.enabled = false;
  for (NodeOptions& node : options.nodes) node.credits = 2;
  SteppedScheduler step(options);
  step.all_ready().report(1, false);
  for (int i = 0; i < 4; ++i) step.teach(80ms);
  step.report(1, true);
  step.report(0, false);
  for (int i = 0; i < 4; ++i) step.teach(100ms);
  step.report(0, true);
  // Every so many times all are asked anew: wherever that is, one of these is not among them.
  for (std::uint64_t i = 0; i < 30; i += 3) {
    const auto dispatch = [](std::uint64_t request, int node) {
      return "dispatch " + std::to_string(request) + " to " + std::to_string(node);
    };
    EXPECT_THAT(step.submit(i, asking(0, 1s)), ElementsAre(dispatch(i, 0)));
    // Half of 80 ms and 80 ms at node 0, 100 ms at node 1.
    EXPECT_THAT(step.submit(i + 1, asking(0, 110ms)), ElementsAre(dispatch(i + 1, 1)));
    step.advance(80ms);
    step.finish(i);
    step.advance(20ms);
    step.finish(i + 1);
    if (i % 2 == 0) step.submit(i + 2, asking(0, 1ms));
  }
}

TEST(Submission, EarlyBindingHandsRequestsRound) {
  Options options = small_options(1, 3);
  options.policy = *policy_named("fifo");
  SteppedScheduler step(options);
  step.all_ready();
  EXPECT_THAT(step.submit(0, asking(5, 1s)), ElementsAre("dispatch 0 to 0"));
  EXPECT_THAT(step.submit(1, asking(5, 1s)), ElementsAre("dispatch 1 to 1"));
  EXPECT_THAT(step.submit(2, asking(5, 1s)), ElementsAre("dispatch 2 to 2"));
  step.finish(1);
  // Bound to node 0, whatever else is free.
  EXPECT_THAT(step.submit(3, asking(5, 1s)), ElementsAre("queued 3"));
  EXPECT_THAT(step.submit(4, asking(5, 1s)), ElementsAre("dispatch 4 to 1"));
  EXPECT_THAT(step.finish(0), ElementsAre("finish 0 completed", "dispatch 3 to 0"));
}

TEST(SubmissionDeathTest, LabelsNameWhatExists) {
  SteppedScheduler step(small_options());
  EXPECT_DEATH(step.submit(0, asking(5, 1s, 1)), "a label names no model");
  Labels stranger = asking(5, 1s);
  stranger.tenant = TenantId{1};
  EXPECT_DEATH(step.submit(0, stranger), "a label names no tenant");
}

}  // namespace
}  // namespace sluice::core
