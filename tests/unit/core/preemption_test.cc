// R15: who loses a slot, to whom, how often, and what becomes of both.
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using Said = SteppedScheduler::Said;

// One slot a node, attempts stop when told to.
Options stoppable(std::uint32_t nodes) {
  Options options = small_options(1, nodes);
  for (NodeOptions& node : options.nodes) node.cancel = CancelMode::kStops;
  // Nothing is kept for the high lane: what is urgent finds the slots taken.
  options.control.reserve.most_share = 0;
  return options;
}

Labels low(bool retriable = true) {
  Labels labels = asking(8, 60s);
  labels.retriable = retriable;
  return labels;
}

SteppedScheduler taught(Options options, Duration service = 100ms) {
  SteppedScheduler s(std::move(options));
  s.all_ready().teach(service);
  return s;
}

TEST(Preemption, TakesTheSlotOfALowTaskForOneThatWouldBeLate) {
  SteppedScheduler s = taught(stoppable(1));
  s.submit(1, low());
  EXPECT_EQ(s.submit(2, asking(0, 120ms)),
            (Said{"stop 1 at 0", "requeue 1 preempted", "queued 2"}));
  // The credit comes back on proof, and goes to whom it was taken for.
  EXPECT_EQ(s.finish(1, AttemptResult::kStopped), (Said{"dispatch 2 to 0"}));
  s.advance(100ms);
  EXPECT_EQ(s.finish(2), (Said{"finish 2 completed", "dispatch 1 to 0"}));
  EXPECT_EQ(s.scheduler().counters().preemptions, 1u);
  EXPECT_EQ(s.scheduler().counters().retries, 0u);
}

TEST(Preemption, IsNotForOneThatIsInTimeAnyway) {
  SteppedScheduler s = taught(stoppable(1));
  s.submit(1, low());
  EXPECT_EQ(s.submit(2, asking(0, 500ms)), (Said{"queued 2"}));
}

TEST(Preemption, IsNotForOneThatWouldStillBeLate) {
  SteppedScheduler s = taught(stoppable(1));
  s.submit(1, low());
  EXPECT_EQ(s.submit(2, asking(0, 60ms)), (Said{"finish 2 refused would_miss_deadline"}));
}

TEST(Preemption, IsForTheHighLaneOnly) {
  SteppedScheduler s = taught(stoppable(1));
  s.submit(1, low());
  EXPECT_EQ(s.submit(2, asking(3, 120ms)), (Said{"finish 2 refused would_miss_deadline"}));
}

TEST(Preemption, SparesWhatMayNotRunTwiceAndNodesThatDoNotStop) {
  SteppedScheduler once = taught(stoppable(1));
  once.submit(1, low(false));
  EXPECT_EQ(once.submit(2, asking(0, 120ms)), (Said{"finish 2 refused would_miss_deadline"}));

  Options deaf = stoppable(1);
  deaf.nodes[0].cancel = CancelMode::kIgnored;
  SteppedScheduler s = taught(deaf);
  s.submit(1, low());
  EXPECT_EQ(s.submit(2, asking(0, 120ms)), (Said{"finish 2 refused would_miss_deadline"}));
}

TEST(Preemption, SparesWhatHasBegunToAnswer) {
  SteppedScheduler s = taught(stoppable(1));
  s.submit(1, low());
  s.tell(AnswerStarted{s.attempt(1)});
  EXPECT_EQ(s.submit(2, asking(0, 120ms)), (Said{"finish 2 refused would_miss_deadline"}));
}

TEST(Preemption, HitsATaskNoOftenerThanItMay) {
  SteppedScheduler s = taught(stoppable(1));
  s.submit(1, low());
  s.submit(2, asking(0, 120ms));
  s.finish(1, AttemptResult::kStopped);
  s.advance(100ms);
  s.finish(2);
  EXPECT_EQ(s.submit(3, asking(0, 120ms)), (Said{"finish 3 refused would_miss_deadline"}));
}

TEST(Preemption, ChoosesTheLeastWorkLost) {
  SteppedScheduler s(stoppable(2));
  s.report(0, true);
  s.teach(100ms);
  s.report(0, false);
  s.report(1, true);
  s.teach(100ms);
  s.report(0, true);
  s.submit(1, low());
  s.advance(30ms);
  s.submit(2, low());
  s.advance(10ms);
  EXPECT_EQ(s.submit(3, asking(0, 105ms)),
            (Said{"stop 2 at 1", "requeue 2 preempted", "queued 3"}));
}

TEST(Preemption, CanBeTurnedOff) {
  Options options = stoppable(1);
  options.preemption.most = 0;
  SteppedScheduler s = taught(options);
  s.submit(1, low());
  EXPECT_EQ(s.submit(2, asking(0, 120ms)), (Said{"finish 2 refused would_miss_deadline"}));
}

TEST(Preemption, SurvivesAnAnswerThatCameAllTheSame) {
  SteppedScheduler s = taught(stoppable(1));
  s.submit(1, low());
  s.submit(2, asking(0, 120ms));
  EXPECT_EQ(s.finish(1, AttemptResult::kAnswered), (Said{"dispatch 2 to 0"}));
  EXPECT_EQ(s.cancel(1), (Said{"finish 1 cancelled caller_gone"}));
}

}  // namespace
}  // namespace sluice::core
