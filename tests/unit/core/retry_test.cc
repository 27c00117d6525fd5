// R29: an attempt that came to nothing is made again elsewhere, inside budget and retry budget.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

Labels repeatable(Duration budget = 1h) {
  Labels labels = asking(5, budget);
  labels.retriable = true;
  return labels;
}

// Nodes of one slot each, all ready, with request 0 on the first.
SteppedScheduler tried_once(Options options, const Labels& labels = repeatable()) {
  SteppedScheduler step(std::move(options));
  step.all_ready();
  EXPECT_THAT(step.submit(0, labels), ElementsAre("dispatch 0 to 0"));
  return step;
}

TEST(Retry, FailedAttemptIsMadeAgainElsewhere) {
  struct Case {
    AttemptResult result;
    const char* said;
  };
  for (const Case& c : {Case{AttemptResult::kError, "requeue 0 replica_error"},
                        Case{AttemptResult::kBusy, "requeue 0 replica_busy"},
                        Case{AttemptResult::kUnreachable, "requeue 0 replica_unreachable"},
                        Case{AttemptResult::kTimeout, "requeue 0 replica_timeout"},
                        Case{AttemptResult::kBadAnswer, "requeue 0 bad_answer"}}) {
    auto step = tried_once(small_options(1, 2));
    const TaskId task = step.task(0);
    EXPECT_THAT(step.finish(0, c.result), ElementsAre(c.said, "dispatch 0 to 1"));
    EXPECT_EQ(step.task(0), task);
    EXPECT_EQ(step.scheduler().counters().retries, 1u);
    EXPECT_THAT(step.finish(0), ElementsAre("finish 0 completed"));
  }
}

TEST(Retry, RequeuedAndFinishNameTheAttempt) {
  auto step = tried_once(small_options(1, 2));
  const AttemptId first = step.attempt(0);
  step.finish(0, AttemptResult::kError);
  EXPECT_EQ(step.requeued(0).attempt, first);
  EXPECT_EQ(step.requeued(0).node, NodeId{0});
  const AttemptId second = step.attempt(0);
  EXPECT_NE(second, first);
  step.finish(0);
  EXPECT_EQ(step.finished(0).attempt, second);
  EXPECT_EQ(step.finished(0).node, NodeId{1});
}

TEST(Retry, WhatWaitsWhenItEndsNamesNoAttempt) {
  SteppedScheduler step(small_options());
  step.submit(0, repeatable());
  step.cancel(0);
  EXPECT_FALSE(step.finished(0).attempt.valid());
}

TEST(Retry, AnAnswerIsNoFailure) {
  auto step = tried_once(small_options(1, 2));
  EXPECT_THAT(step.finish(0, AttemptResult::kRejected), ElementsAre("finish 0 completed"));
}

TEST(Retry, OnlyWhatMayRunTwice) {
  auto step = tried_once(small_options(1, 2), asking(5, 1h));
  EXPECT_THAT(step.finish(0, AttemptResult::kError), ElementsAre("finish 0 failed replica_error"));
}

TEST(Retry, NotOnceTheAnswerHasBegun) {
  auto step = tried_once(small_options(1, 2));
  step.tell(AnswerStarted{step.attempt(0)});
  EXPECT_THAT(step.finish(0, AttemptResult::kBadAnswer), ElementsAre("finish 0 failed bad_answer"));
}

// Nobody knows whether it has run twice already.
TEST(Retry, NotWhereTheFateIsUnknown) {
  auto step = tried_once(small_options(1, 2));
  EXPECT_THAT(step.tell(AttemptLost{step.attempt(0)}), ElementsAre("finish 0 failed attempt_lost"));
}

TEST(Retry, NotAfterTheDeadline) {
  auto step = tried_once(small_options(1, 2), repeatable(50ms));
  step.advance(50ms);
  EXPECT_THAT(step.finish(0, AttemptResult::kError), ElementsAre("finish 0 failed replica_error"));
}

TEST(Retry, NotUnderStaticControl) {
  Options options = small_options(1, 2);
  options.policy.control = Control::kStatic;
  auto step = tried_once(options);
  EXPECT_THAT(step.finish(0, AttemptResult::kError), ElementsAre("finish 0 failed replica_error"));
}

TEST(Retry, AtMostSoManyAttempts) {
  Options options = small_options(1, 4);
  options.retry.most_attempts = 3;
  auto step = tried_once(options);
  EXPECT_THAT(step.finish(0, AttemptResult::kError),
              ElementsAre("requeue 0 replica_error", "dispatch 0 to 1"));
  EXPECT_THAT(step.finish(0, AttemptResult::kError),
              ElementsAre("requeue 0 replica_error", "dispatch 0 to 2"));
  EXPECT_THAT(step.finish(0, AttemptResult::kError), ElementsAre("finish 0 failed replica_error"));
}

TEST(Retry, OnlyWhileTheBudgetLasts) {
  Options options = small_options(1, 2);
  options.retry.budget = {.share = 0, .floor_per_second = 0, .burst = 1};
  auto step = tried_once(options);
  EXPECT_THAT(step.finish(0, AttemptResult::kError),
              ElementsAre("requeue 0 replica_error", "dispatch 0 to 1"));
  step.finish(0);
  step.submit(1, repeatable());
  EXPECT_THAT(step.finish(1, AttemptResult::kError), ElementsAre("finish 1 failed replica_error"));
}

// To send it where it has just failed is no retry elsewhere: the caller had better know.
TEST(Retry, NotOnTheOnlyNode) {
  auto step = tried_once(small_options(1, 1));
  EXPECT_THAT(step.finish(0, AttemptResult::kBusy), ElementsAre("finish 0 failed replica_busy"));
}

TEST(Retry, NotWhereTheOthersAreDown) {
  auto step = tried_once(small_options(1, 2));
  step.report(1, false);
  EXPECT_THAT(step.finish(0, AttemptResult::kError), ElementsAre("finish 0 failed replica_error"));
}

TEST(Retry, NotWhereTheOthersBreakersAreOpen) {
  Options options = small_options(1, 2);
  options.breaker.consecutive_failures = 1;
  SteppedScheduler step(options);
  step.report(1, true);
  step.submit(1, asking(5, 1h));
  step.finish(1, AttemptResult::kError);
  step.report(0, true);
  EXPECT_THAT(step.submit(0, repeatable()), ElementsAre("dispatch 0 to 0"));
  EXPECT_THAT(step.finish(0, AttemptResult::kError), ElementsAre("finish 0 failed replica_error"));
}

// A node that fails at once has always room, and would eat every retry.
TEST(Retry, WaitsForABusyNodeRatherThanFailAgain) {
  auto step = tried_once(small_options(1, 2));
  step.submit(1, asking(5, 1h));
  EXPECT_THAT(step.finish(0, AttemptResult::kError), ElementsAre("requeue 0 replica_error"));
  EXPECT_THAT(step.finish(1), ElementsAre("finish 1 completed", "dispatch 0 to 1"));
}

// It is better than nothing: the first failure may have been bad luck.
TEST(Retry, GoesWhereItFailedWhenTheBusyNodeWouldBeLate) {
  Options options = small_options(1, 2);
  options.predictor.fresh_for = 1h;
  SteppedScheduler step(options);
  step.all_ready();
  step.report(1, false);
  step.teach(1ms);
  step.report(1, true);
  step.report(0, false);
  step.teach(1s);
  step.report(0, true);
  step.submit(0, repeatable(900ms));
  step.submit(1, asking(5, 1h));
  ASSERT_EQ(step.dispatched(0).node, NodeId{0});
  ASSERT_EQ(step.dispatched(1).node, NodeId{1});
  EXPECT_THAT(step.finish(0, AttemptResult::kError),
              ElementsAre("requeue 0 replica_error", "dispatch 0 to 0"));
}

TEST(Retry, CallerThatLeavesBetweenTwoAttempts) {
  auto step = tried_once(small_options(1, 2));
  step.submit(1, asking(5, 1h));
  step.finish(0, AttemptResult::kError);
  EXPECT_THAT(step.cancel(0), ElementsAre("finish 0 cancelled caller_gone"));
  EXPECT_EQ(step.scheduler().counters().attempts, 1u);
}

TEST(Retry, ExpiresInTheQueueLikeAnyOther) {
  auto step = tried_once(small_options(1, 2), repeatable(50ms));
  step.submit(1, asking(5, 1h));
  step.finish(0, AttemptResult::kError);
  step.advance(51ms);
  EXPECT_THAT(step.tick(), ElementsAre("finish 0 expired deadline_passed"));
}

}  // namespace
}  // namespace sluice::core
