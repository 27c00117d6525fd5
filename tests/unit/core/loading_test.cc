// Tasks of models that come and go: who waits for a load, who is refused, and what is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

Options managed(std::uint32_t models = 1, std::uint32_t nodes = 1) {
  Options options = small_options(models, nodes);
  for (ModelOptions& model : options.models) model.memory_bytes = 4;
  for (NodeOptions& node : options.nodes) {
    node.managed = true;
    node.memory_bytes = 10;
  }
  return options;
}

std::vector<ResidencyChange> changes_of(const SteppedScheduler& step) {
  std::vector<ResidencyChange> changes;
  for (const Adjusted& adjusted : step.adjustments()) {
    if (const auto* change = std::get_if<ResidencyChange>(&adjusted.change)) {
      changes.push_back(*change);
    }
  }
  return changes;
}

TEST(Loading, TasksWaitForTheModelAndShareItsLoad) {
  Options options = managed();
  options.nodes[0].slots = 10;
  SteppedScheduler step(options);
  step.all_ready();
  EXPECT_THAT(step.submit(0, asking(5, 10s)), ElementsAre("queued 0", "load 0 at 0"));
  for (std::uint64_t i = 1; i < 10; ++i) {
    EXPECT_THAT(step.submit(i, asking(5, 10s)), ElementsAre("queued " + std::to_string(i)));
  }
  EXPECT_FALSE(step.scheduler().model_ready({0}));
  EXPECT_THAT(step.tick(), IsEmpty());
  step.advance(800ms);
  EXPECT_EQ(step.loaded(0, 0).size(), 10u) << "all are dispatched at once";
  EXPECT_TRUE(step.scheduler().model_ready({0}));
  EXPECT_EQ(step.scheduler().node({0}).memory_used, 4u);
  EXPECT_EQ(step.scheduler().counters().ignored_events, 0u);
}

TEST(Loading, WhatIsDecidedIsReportedWithItsCause) {
  SteppedScheduler step(managed());
  step.all_ready();
  step.submit(0, asking(5, 10s));
  step.advance(800ms);
  step.loaded(0, 0);
  const auto changes = changes_of(step);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].cause, ResidencyCause::kColdStart);
  EXPECT_EQ(changes[0].waiting, 1u);
  EXPECT_EQ(changes[1].to, ResidencyState::kLoaded);
  EXPECT_EQ(changes[1].lasted, 800ms);
}

TEST(Loading, TasksRunWhereTheirModelIs) {
  SteppedScheduler step(managed(2, 2));
  step.all_ready();
  step.loaded(0, 1);
  step.loaded(1, 0);
  EXPECT_THAT(step.submit(0, asking(5, 10s, 0)), ElementsAre("dispatch 0 to 1"));
  EXPECT_THAT(step.submit(1, asking(5, 10s, 1)), ElementsAre("dispatch 1 to 0"));
  // The other node is free, but does not have it.
  step.finish(1);
  EXPECT_THAT(step.submit(2, asking(5, 10s, 0)), ElementsAre("queued 2"));
  EXPECT_THAT(step.finish(0), ElementsAre("finish 0 completed", "dispatch 2 to 1"));
}

// A sample of them would hardly ever find it.
TEST(Loading, TheOneNodeOfManyThatHasTheModelIsFound) {
  SteppedScheduler step(managed(1, 200));
  step.all_ready();
  step.loaded(0, 137);
  for (std::uint64_t i = 0; i < 20; ++i) {
    EXPECT_THAT(step.submit(i, asking(9, 10s)),
                ElementsAre("dispatch " + std::to_string(i) + " to 137"));
    step.finish(i);
  }
}

TEST(Loading, AModelWithoutManagedNodesIsUntouched) {
  Options options = managed(2, 2);
  options.nodes[1].managed = false;
  options.nodes[0].models = {ModelId{0}};
  SteppedScheduler step(options);
  step.all_ready();
  EXPECT_THAT(step.submit(0, asking(5, 1s, 1)), ElementsAre("dispatch 0 to 1"));
  EXPECT_THAT(step.submit(1, asking(5, 1s, 0)), ElementsAre("queued 1"));
  EXPECT_THAT(step.finish(0), ElementsAre("finish 0 completed", "dispatch 1 to 1"));
}

// --- refusals ------------------------------------------------------------------------------------

TEST(Loading, WhoHasNoTimeForTheLoadIsToldHowLongItTakes) {
  SteppedScheduler step(managed());
  step.all_ready();
  step.submit(0, asking(5, 10s));
  step.advance(3s);
  step.loaded(0, 0);
  step.finish(0);
  step.unloaded(0, 0);
  // The cold start itself is let in, however late it will be.
  EXPECT_THAT(step.submit(1, asking(0, 100ms)), ElementsAre("queued 1", "load 0 at 0"));
  step.advance(50ms);
  EXPECT_THAT(step.submit(2, asking(0, 100ms)),
              ElementsAre("finish 2 refused would_miss_deadline"));
  EXPECT_EQ(step.finished(2).retry_after, 2950ms);
  EXPECT_THAT(step.submit(3, asking(9, 5s)), ElementsAre("queued 3"));
  step.advance(60ms);
  EXPECT_THAT(step.tick(), ElementsAre("finish 1 expired deadline_passed"));
  step.advance(2900ms);
  EXPECT_THAT(step.loaded(0, 0), ElementsAre("dispatch 3 to 0"));
}

TEST(Loading, NobodyIsRefusedByALoadTimeThatWasNeverMeasured) {
  SteppedScheduler step(managed());
  step.all_ready();
  step.submit(0, asking(5, 10s));
  EXPECT_THAT(step.submit(1, asking(0, 100ms)), ElementsAre("queued 1"));
}

TEST(Loading, WhoMayNotWaitStartsTheLoadForTheNext) {
  SteppedScheduler step(managed());
  step.all_ready();
  Labels labels = asking(5, 10s);
  labels.may_queue = false;
  EXPECT_THAT(step.submit(0, labels), ElementsAre("finish 0 refused would_queue", "load 0 at 0"));
  EXPECT_EQ(step.finished(0).retry_after, 1s);
  step.loaded(0, 0);
  EXPECT_THAT(step.submit(1, labels), ElementsAre("dispatch 1 to 0"));
}

TEST(Loading, AModelThatCannotBeLoadedIsRefusedUntilTheNextTry) {
  SteppedScheduler step(managed(1, 2));
  step.all_ready();
  step.submit(0, asking(5, 1h));
  EXPECT_THAT(step.loaded(0, 0, false), ElementsAre("load 0 at 1"));
  step.loaded(0, 1, false);
  EXPECT_THAT(step.submit(1, asking(5, 500ms)), ElementsAre("finish 1 refused no_replica"));
  EXPECT_EQ(step.finished(1).retry_after, 1s);
  EXPECT_THAT(step.submit(2, asking(5, 5s)), ElementsAre("queued 2"));
  step.advance(1100ms);
  EXPECT_THAT(step.tick(), ElementsAre("load 0 at 0"));
}

// Who waits is told at once when the load was its last chance; the others wait for the next try.
TEST(Loading, AFailedLoadEndsThoseWhoHaveNoTimeForTheNextTry) {
  Options options = managed(2);
  options.nodes[0].slots = 2;
  SteppedScheduler step(options);
  step.all_ready();
  step.submit(0, asking(5, 500ms));
  step.submit(1, asking(0, 900ms));
  step.submit(2, asking(5, 5s));
  step.submit(3, asking(9, 800ms));
  step.submit(4, asking(9, 800ms, 1));
  step.advance(100ms);
  EXPECT_THAT(step.loaded(0, 0, false),
              UnorderedElementsAre("finish 0 expired load_failed", "finish 1 expired load_failed",
                                   "finish 3 expired load_failed", "load 1 at 0"));
  // Behind one that waits on, but not for longer than it has.
  EXPECT_THAT(step.submit(5, asking(5, 500ms)), ElementsAre("finish 5 refused no_replica"));
  EXPECT_EQ(step.finished(5).retry_after, 1s);
  EXPECT_THAT(step.loaded(1, 0), ElementsAre("dispatch 4 to 0"));
  step.advance(1100ms);
  EXPECT_THAT(step.tick(), ElementsAre("load 0 at 0"));
  EXPECT_THAT(step.loaded(0, 0), ElementsAre("dispatch 2 to 0"));
}

// Its model comes and goes on node 0, which does not take it; node 1, which does, is down.
TEST(Loading, AFailedLoadElsewhereIsNotWhyATaskRunsOutOfTime) {
  Options options = managed(1, 2);
  options.nodes[0].accepts = PriorityRange{0, 2};
  options.nodes[1].accepts = PriorityRange{3, 9};
  options.nodes[1].managed = false;
  SteppedScheduler step(options);
  step.report(0, true);
  step.submit(0, asking(5, 500ms));
  step.submit(1, asking(0, 5s));
  step.loaded(0, 0, false);
  step.advance(600ms);
  step.tick();
  EXPECT_EQ(step.finished(0).reason, Reason::kDeadlinePassed);
}

// Whatever it waited for in the end: what it was told is why it could not run.
TEST(Loading, ATaskThatRunsOutOfTimeAfterAFailedLoadIsToldSo) {
  SteppedScheduler step(managed());
  step.all_ready();
  step.submit(0, asking(5, 1500ms));
  EXPECT_THAT(step.loaded(0, 0, false), IsEmpty());
  step.advance(1100ms);
  EXPECT_THAT(step.tick(), ElementsAre("load 0 at 0"));
  step.advance(500ms);
  EXPECT_THAT(step.tick(), ElementsAre("finish 0 expired load_failed"));
  EXPECT_THAT(step.submit(1, asking(5, 100ms)), ElementsAre("queued 1"))
      << "the load is on its way";
  EXPECT_THAT(step.loaded(0, 0), ElementsAre("dispatch 1 to 0"));
  step.finish(1);
  step.unloaded(0, 0);
  step.submit(2, asking(5, 100ms));
  step.advance(200ms);
  EXPECT_THAT(step.tick(), ElementsAre("finish 2 expired deadline_passed"))
      << "of a load that works";
}

TEST(Loading, ManyThatHaveNoTimeForTheNextTryLeaveInParts) {
  SteppedScheduler step(managed());
  step.all_ready();
  for (std::uint64_t i = 0; i < 1'000; ++i) step.submit(i, asking(9, 500ms));
  EXPECT_EQ(step.loaded(0, 0, false).size(), 256u);
  EXPECT_EQ(step.scheduler().next_wakeup(), step.now());
  for (int i = 0; i < 3; ++i) step.tick();
  EXPECT_EQ(step.scheduler().counters().waiting, 0u);
}

TEST(Loading, WhoIsOverItsRateStartsNoLoad) {
  Options options = managed(2);
  options.tenants[0].limits.rate_rps = 1;
  options.tenants[0].limits.burst = 1;
  SteppedScheduler step(options);
  step.all_ready();
  step.loaded(1, 0);
  step.submit(0, asking(5, 1s, 1));
  EXPECT_THAT(step.submit(1, asking(0, 1s, 0)), ElementsAre("finish 1 refused rate_limited"));
}

// --- what else happens ---------------------------------------------------------------------------

TEST(Loading, ANodeThatComesBackLoadsAgain) {
  SteppedScheduler step(managed());
  step.all_ready();
  step.submit(0, asking(5, 10s));
  step.loaded(0, 0);
  step.report(0, false);
  EXPECT_THAT(step.finish(0, AttemptResult::kUnreachable),
              ElementsAre("finish 0 failed replica_unreachable"));
  step.report(0, true);
  EXPECT_FALSE(step.scheduler().model_ready({0}));
  EXPECT_THAT(step.submit(1, asking(5, 10s)), ElementsAre("queued 1", "load 0 at 0"));
}

TEST(Loading, IdleModelsLeaveForOneThatIsWaitedFor) {
  SteppedScheduler step(managed(3));
  step.all_ready();
  step.loaded(0, 0);
  step.loaded(1, 0);
  step.submit(0, asking(9, 1h, 1));
  step.finish(0);
  step.advance(20s);
  EXPECT_THAT(step.submit(1, asking(9, 1h, 2)), ElementsAre("queued 1", "unload 0 at 0"));
  EXPECT_THAT(step.unloaded(0, 0), ElementsAre("load 2 at 0"));
  EXPECT_THAT(step.loaded(2, 0), ElementsAre("dispatch 1 to 0"));
}

// A task that was content to wait for a busy replica cannot when the replica is to leave.
TEST(Loading, WhoWaitsForADrainingReplicaIsServedElsewhere) {
  Options options = managed(2, 2);
  options.models[0].memory_bytes = options.models[1].memory_bytes = 8;
  SteppedScheduler step(options);
  step.all_ready();
  step.loaded(0, 0);
  step.loaded(0, 1);
  step.submit(0, asking(9, 1h, 0));
  step.submit(1, asking(9, 1h, 0));
  EXPECT_THAT(step.submit(2, asking(9, 1h, 0)), ElementsAre("queued 2"));
  EXPECT_THAT(step.submit(3, asking(0, 1h, 1)), ElementsAre("queued 3"));
  EXPECT_THAT(step.finish(0), ElementsAre("finish 0 completed", "unload 0 at 0"));
  EXPECT_THAT(step.unloaded(0, 0), ElementsAre("load 1 at 0"));
  EXPECT_THAT(step.finish(1), ElementsAre("finish 1 completed", "dispatch 2 to 1"));
  EXPECT_THAT(step.loaded(1, 0), ElementsAre("dispatch 3 to 0"));
}

TEST(Loading, SenselessReportsAreCountedAndIgnored) {
  SteppedScheduler step(managed());
  step.all_ready();
  step.loaded(5, 0);
  step.loaded(0, 5);
  step.unloaded(0, 0);
  step.loaded(0, 0, false);
  EXPECT_EQ(step.scheduler().counters().ignored_events, 4u);
  step.loaded(0, 0);
  step.loaded(0, 0);
  EXPECT_EQ(step.scheduler().counters().ignored_events, 5u);
}

TEST(Loading, TimeOutsWakeTheScheduler) {
  SteppedScheduler step(managed());
  step.all_ready();
  step.submit(0, asking(5, 100ms));
  step.advance(1s);
  step.tick();
  while (step.scheduler().next_wakeup() < step.now() + 60s) {
    step.set_now(step.scheduler().next_wakeup());
    EXPECT_THAT(step.tick(), IsEmpty());
  }
  step.set_now(step.scheduler().next_wakeup());
  EXPECT_THAT(step.tick(), ElementsAre("unload 0 at 0"));
}

// What is bound on arrival goes where the model is, or will be.
TEST(Loading, EarlyBindingFollowsTheLoad) {
  Options options = managed(1, 3);
  options.policy = *policy_named("fifo");
  SteppedScheduler step(options);
  step.all_ready();
  EXPECT_THAT(step.submit(0, asking(5, 1h)), ElementsAre("queued 0", "load 0 at 0"));
  EXPECT_THAT(step.submit(1, asking(5, 1h)), ElementsAre("queued 1"));
  EXPECT_THAT(step.loaded(0, 0), ElementsAre("dispatch 0 to 0"));
  EXPECT_THAT(step.finish(0), ElementsAre("finish 0 completed", "dispatch 1 to 0"));
  EXPECT_THAT(step.submit(2, asking(5, 1h)), ElementsAre("queued 2"));
}

}  // namespace
}  // namespace sluice::core
