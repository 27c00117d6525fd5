// How attempts and tasks end, and what is learnt from it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

TEST(Endings, FinishTellsTheWholeStory) {
  Options options = small_options(2);
  options.tenants.push_back({.name = "acme"});
  SteppedScheduler step(options);
  Labels labels = asking(4, 1s, 1);
  labels.tenant = TenantId{1};
  step.submit(3, labels);
  const TimePoint arrival = step.now();
  step.advance(30ms);
  step.report(0, true);
  step.advance(50ms);
  step.finish(3);
  const Finish& finish = step.finished(3);
  EXPECT_EQ(finish.task, step.task(3));
  EXPECT_EQ(finish.outcome, Outcome::kCompleted);
  EXPECT_EQ(finish.reason, Reason::kNone);
  EXPECT_EQ(finish.lane, Lane::kLatency);
  EXPECT_EQ(finish.priority, 4);
  EXPECT_EQ(finish.model, ModelId{1});
  EXPECT_EQ(finish.tenant, TenantId{1});
  EXPECT_EQ(finish.node, NodeId{0});
  EXPECT_EQ(finish.arrival, arrival);
  EXPECT_EQ(finish.deadline, arrival + 1s);
  EXPECT_EQ(finish.waited, 30ms);
  EXPECT_EQ(finish.service, 50ms);
  EXPECT_EQ(finish.retry_after, 0s);
}

TEST(Endings, WhatNeverRanHasNoNodeAndNoService) {
  SteppedScheduler step(small_options());
  step.submit(0, asking(5, 100ms));
  step.advance(102ms);
  EXPECT_THAT(step.tick(), ElementsAre("finish 0 expired deadline_passed"));
  EXPECT_FALSE(step.finished(0).node.valid());
  EXPECT_EQ(step.finished(0).waited, 102ms);
  EXPECT_EQ(step.finished(0).service, 0s);
}

// The task ends before the credit lets the next one in.
TEST(Endings, TaskEndsBeforeTheNextBegins) {
  SteppedScheduler step(small_options());
  step.all_ready();
  step.submit(0, asking(5, 1h));
  step.submit(1, asking(5, 1h));
  EXPECT_THAT(step.tell(AttemptLost{step.attempt(0)}),
              ElementsAre("finish 0 failed attempt_lost", "dispatch 1 to 0"));
}

TEST(Endings, CallerThatLeavesTheQueueStopsNothing) {
  SteppedScheduler step(small_options());
  step.submit(0, asking(5, 1h));
  EXPECT_THAT(step.cancel(0), ElementsAre("finish 0 cancelled caller_gone"));
  EXPECT_THAT(step.report(0, true), ElementsAre());
}

// peers.md 8: the attempt is asked to stop, and its credit returns on proof.
TEST(Endings, CallerThatLeavesARunningAttemptGivesNoCreditBack) {
  SteppedScheduler step(small_options());
  step.all_ready();
  step.submit(0, asking(5, 1h));
  step.submit(1, asking(5, 1h));
  EXPECT_THAT(step.cancel(0), ElementsAre("stop 0 at 0", "finish 0 cancelled caller_gone"));
  EXPECT_EQ(step.scheduler().counters().abandoned, 1u);
  EXPECT_EQ(step.scheduler().node({0}).in_flight, 1u);
  // Nobody is told of its end.
  EXPECT_THAT(step.finish(0, AttemptResult::kStopped), ElementsAre("dispatch 1 to 0"));
  EXPECT_EQ(step.scheduler().counters().abandoned, 0u);
}

TEST(Endings, SecondCancelIsIgnored) {
  SteppedScheduler step(small_options());
  step.all_ready();
  step.submit(0, asking(5, 1h));
  step.cancel(0);
  EXPECT_THAT(step.cancel(0), ElementsAre());
  EXPECT_EQ(step.scheduler().counters().ignored_events, 1u);
}

// What has been learnt shows in who is refused: with 100 ms predicted, 50 ms are too few.
bool learnt_100ms(SteppedScheduler& step) {
  const auto said = step.submit(999, asking(5, 50ms));
  const bool refused = said.front() == "finish 999 refused would_miss_deadline";
  if (!refused) step.finish(999, AttemptResult::kRejected);
  return refused;
}

// Serves five requests of 100 ms that end like this.
void serve(SteppedScheduler& step, AttemptResult result, Labels labels = asking(5, 1h)) {
  for (std::uint64_t i = 0; i < 5; ++i) {
    step.submit(i, labels);
    step.advance(100ms);
    step.finish(i, result);
  }
}

TEST(Endings, AnsweredAttemptsTeach) {
  SteppedScheduler step(small_options());
  step.all_ready();
  serve(step, AttemptResult::kAnswered);
  EXPECT_TRUE(learnt_100ms(step));
}

TEST(Endings, RejectedAndFailedAttemptsTeachNothing) {
  for (const AttemptResult result :
       {AttemptResult::kRejected, AttemptResult::kError, AttemptResult::kBusy,
        AttemptResult::kUnreachable, AttemptResult::kTimeout, AttemptResult::kBadAnswer}) {
    Options options = small_options();
    options.policy.control = Control::kStatic;  // no breaker
    SteppedScheduler step(options);
    step.all_ready();
    serve(step, result);
    EXPECT_FALSE(learnt_100ms(step));
  }
}

TEST(Endings, WhatIsNoInferenceTeachesNothing) {
  SteppedScheduler step(small_options());
  step.all_ready();
  Labels metadata = asking(5, 1h);
  metadata.teaches = false;
  serve(step, AttemptResult::kAnswered, metadata);
  EXPECT_FALSE(learnt_100ms(step));
}

// The replica was done when its answer began; how long the caller takes to read it is no matter.
TEST(Endings, ServiceEndsWhereTheAnswerBegins) {
  SteppedScheduler step(small_options());
  step.all_ready();
  for (std::uint64_t i = 0; i < 5; ++i) {
    step.submit(i, asking(5, 1h));
    step.advance(10ms);
    step.tell(AnswerStarted{step.attempt(i)});
    step.advance(90ms);
    step.finish(i);
  }
  EXPECT_FALSE(learnt_100ms(step));
  EXPECT_THAT(step.submit(100, asking(5, 9ms)),
              ElementsAre("finish 100 refused would_miss_deadline"));
}

// Abandoned attempts that are answered teach like others: the replica worked as long.
TEST(Endings, AbandonedAttemptsTeach) {
  SteppedScheduler step(small_options());
  step.all_ready();
  for (std::uint64_t i = 0; i < 5; ++i) {
    step.submit(i, asking(5, 1h));
    step.cancel(i);
    step.advance(100ms);
    step.finish(i);
  }
  EXPECT_TRUE(learnt_100ms(step));
}

// Beyond its slots an attempt waits at the node: service is counted from where another ended.
TEST(Endings, WaitAtTheNodeIsNoService) {
  Options options = small_options();
  options.nodes[0].credits = 2;
  SteppedScheduler step(options);
  step.all_ready();
  step.submit(0, asking(5, 1h));
  step.submit(1, asking(5, 1h));
  for (std::uint64_t i = 0; i < 10; ++i) {
    step.advance(30ms);
    step.finish(i);
    step.submit(i + 2, asking(5, 1h));
  }
  step.advance(30ms);
  step.finish(10);
  // 15 ms until the slot is free and 30 of service: not the 60 that most spent at the node.
  EXPECT_THAT(step.submit(100, asking(5, 44ms)),
              ElementsAre("finish 100 refused would_miss_deadline"));
  EXPECT_THAT(step.submit(101, asking(5, 46ms)), ElementsAre("dispatch 101 to 0"));
}

// One that overtook the others at the node: nothing is known of when it began.
TEST(Endings, OvertakingAtTheNodeTeachesNothing) {
  Options options = small_options();
  options.nodes[0].credits = 2;
  options.predictor.min_samples = 1;
  SteppedScheduler step(options);
  step.all_ready();
  step.submit(0, asking(5, 1h));
  step.submit(1, asking(5, 1h));
  step.advance(100ms);
  step.finish(1);
  EXPECT_THAT(step.submit(2, asking(5, 1ms)), ElementsAre("dispatch 2 to 0"));
}

TEST(Endings, EveryOutcomeIsCountedOnce) {
  SteppedScheduler step(small_options());
  step.all_ready();
  Labels now_or_never = asking(5, 1h);
  now_or_never.may_queue = false;
  step.submit(0, asking(5, 1h));
  step.submit(1, now_or_never);
  step.submit(2, asking(5, 0s));
  step.submit(3, asking(5, 1h));
  step.cancel(3);
  step.finish(0);
  step.submit(4, asking(5, 1h));
  step.finish(4, AttemptResult::kError);
  const Counters& counters = step.scheduler().counters();
  EXPECT_EQ(counters.submitted, 5u);
  EXPECT_THAT(counters.outcomes, ElementsAre(1, 1, 1, 1, 1));
  EXPECT_EQ(counters.waiting + counters.running + counters.attempts, 0u);
}

}  // namespace
}  // namespace sluice::core
