// A second attempt at what takes longer than it should: when, where, and that one answer counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Options hedged(std::uint32_t nodes = 2) {
  Options options = small_options(1, nodes);
  options.control.reserve.most_share = 0;
  options.models[0].hedge = true;
  return options;
}

Labels twice() {
  Labels labels = asking(5, 10s);
  labels.retriable = true;
  return labels;
}

// One request has run on node 0 for longer than nearly all of them do.
SteppedScheduler slow(Options options = hedged()) {
  SteppedScheduler step(std::move(options));
  step.all_ready();
  for (int i = 0; i < 2; ++i) step.teach(10ms);
  step.submit(1, twice());
  step.advance(1s);
  return step;
}

TEST(Hedging, TriesElsewhereWhenTheFirstIsSlow) {
  auto step = slow();
  EXPECT_THAT(step.tick(), ElementsAre("dispatch 1 to 1"));
  EXPECT_EQ(step.scheduler().counters().running, 1u);
  EXPECT_EQ(step.scheduler().counters().hedged, 1u);
}

TEST(Hedging, TheFirstAnswerCountsAndTheOtherIsStopped) {
  auto step = slow();
  const AttemptId first = step.attempt(1);
  step.tick();
  const AttemptId second = step.attempt(1);
  EXPECT_THAT(step.tell(AnswerStarted{second}), ElementsAre("stop 1 at 0"));
  EXPECT_THAT(step.tell(AttemptFinished{second, AttemptResult::kAnswered}),
              ElementsAre("finish 1 completed"));
  EXPECT_EQ(step.finished(1).node, NodeId{1});
  EXPECT_THAT(step.tell(AttemptFinished{first, AttemptResult::kStopped}), IsEmpty());
  EXPECT_EQ(step.scheduler().counters().attempts, 0u);
}

TEST(Hedging, AWholeAnswerWithoutAStartCountsToo) {
  auto step = slow();
  const AttemptId first = step.attempt(1);
  step.tick();
  EXPECT_THAT(step.tell(AttemptFinished{first, AttemptResult::kAnswered}),
              ElementsAre("stop 1 at 1", "finish 1 completed"));
  EXPECT_EQ(step.finished(1).node, NodeId{0});
}

TEST(Hedging, OneFailureOfTwoIsNoEnd) {
  auto step = slow();
  const AttemptId first = step.attempt(1);
  step.tick();
  EXPECT_THAT(step.tell(AttemptFinished{first, AttemptResult::kBadAnswer}), IsEmpty());
  EXPECT_THAT(step.finish(1), ElementsAre("finish 1 completed"));
}

TEST(Hedging, ACallerThatGoesStopsBoth) {
  auto step = slow();
  step.tick();
  EXPECT_THAT(step.tell(Cancelled{step.dispatched(1).task}),
              ElementsAre("stop 1 at 1", "stop 1 at 0", "finish 1 cancelled caller_gone"));
}

TEST(Hedging, TakesNoSlotThatSomebodyWaitsFor) {
  Options options = hedged();
  options.nodes[1].slots = 1;
  SteppedScheduler step(options);
  step.all_ready();
  for (int i = 0; i < 2; ++i) step.teach(10ms);
  step.submit(1, twice());
  step.submit(2, asking(5, 10s));
  step.submit(3, asking(5, 10s));
  step.advance(1s);
  EXPECT_THAT(step.tick(), IsEmpty());
}

// There is room, but a task waits that its tenant's limit holds up: it may run any moment.
TEST(Hedging, IsLeftWhileAnybodyWaitsForTheseNodes) {
  for (const bool somebody_waits : {false, true}) {
    Options options = hedged();
    options.nodes[1].slots = options.nodes[1].credits.emplace(3);
    options.tenants.push_back({.name = "held", .limits = {.concurrency = 1}});
    SteppedScheduler step(options);
    step.all_ready();
    for (int i = 0; i < 2; ++i) step.teach(10ms);
    ASSERT_THAT(step.submit(1, twice()), ElementsAre("dispatch 1 to 0"));
    Labels held = asking(5, 10s);
    held.tenant = TenantId{1};
    ASSERT_THAT(step.submit(2, held), ElementsAre("dispatch 2 to 1"));
    if (somebody_waits) {
      ASSERT_THAT(step.submit(3, held), ElementsAre("queued 3"));
    }
    step.advance(1s);
    step.tick();
    EXPECT_EQ(step.scheduler().counters().hedged, somebody_waits ? 0u : 1u);
  }
}

TEST(Hedging, IsOnlyForWhatMayRunTwiceAndAsksForIt) {
  Options never = hedged();
  never.models[0].hedge = false;
  auto step = slow(never);
  EXPECT_THAT(step.tick(), IsEmpty());

  SteppedScheduler once(hedged());
  once.all_ready();
  once.teach(10ms);
  once.submit(1, asking(5, 10s));
  once.advance(1s);
  EXPECT_THAT(once.tick(), IsEmpty());
}

TEST(Hedging, IsPaidFromTheRetryBudget) {
  Options options = hedged();
  options.retry.budget = {.share = 0, .floor_per_second = 0, .burst = 0};
  auto step = slow(options);
  EXPECT_THAT(step.tick(), IsEmpty());
}

}  // namespace
}  // namespace sluice::core
