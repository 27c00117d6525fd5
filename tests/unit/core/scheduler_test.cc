#include "core/scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Scheduler, NothingWaitsNothingWakes) {
  SteppedScheduler step(small_options());
  EXPECT_EQ(step.scheduler().next_wakeup(), kNever);
  EXPECT_THAT(step.tick(), IsEmpty());
}

TEST(Scheduler, WakesNotLaterThanATickAfterTheFirstDeadline) {
  SteppedScheduler step(small_options());
  step.submit(0, asking(5, 100ms));
  step.submit(1, asking(5, 300ms));
  EXPECT_LE(step.scheduler().next_wakeup(), step.now() + 102ms);
  // Wakers come early at times, while the wheel turns; they always come to the point.
  while (step.scheduler().counters().waiting == 2) {
    ASSERT_NE(step.scheduler().next_wakeup(), kNever);
    ASSERT_LE(step.scheduler().next_wakeup(), TimePoint(1s + 102ms));
    step.set_now(step.scheduler().next_wakeup());
    step.tick();
  }
  EXPECT_GE(step.now(), TimePoint(1s + 100ms));
}

TEST(Scheduler, TimeThatGoesBackIsCountedAndReadAsTheLatestSeen) {
  SteppedScheduler step(small_options());
  step.all_ready();
  step.advance(10s);
  step.submit(0, asking(5, 1s));
  step.advance(-5s);
  EXPECT_THAT(step.finish(0), ElementsAre("finish 0 completed"));
  EXPECT_EQ(step.finished(0).service, 0s);
  EXPECT_EQ(step.scheduler().counters().ignored_events, 1u);
}

TEST(Scheduler, EventsThatNameNothingAliveAreCountedAndIgnored) {
  SteppedScheduler step(small_options());
  step.all_ready();
  step.submit(0, asking(5, 1s));
  step.finish(0);
  const std::vector<Event> dead{Cancelled{step.task(0)},
                                Cancelled{TaskId{}},
                                Cancelled{TaskId::unpack(0xffffffff'00000000)},
                                AnswerStarted{step.attempt(0)},
                                AnswerStarted{AttemptId{7, 1}},
                                AttemptFinished{step.attempt(0), AttemptResult::kAnswered},
                                AttemptLost{step.attempt(0)},
                                AttemptLost{AttemptId{}},
                                NodeReport{.node = NodeId{1}, .ready = true},
                                NodeReport{.node = NodeId{}, .ready = true}};
  for (const Event& event : dead) EXPECT_THAT(step.tell(event), IsEmpty());
  EXPECT_EQ(step.scheduler().counters().ignored_events, dead.size());
}

TEST(Scheduler, SecondStartOfAnAnswerIsIgnored) {
  SteppedScheduler step(small_options());
  step.all_ready();
  step.submit(0, asking(5, 1s));
  step.tell(AnswerStarted{step.attempt(0)});
  step.tell(AnswerStarted{step.attempt(0)});
  EXPECT_EQ(step.scheduler().counters().ignored_events, 1u);
}

TEST(Scheduler, NodeViewShowsCreditsInUse) {
  Options options = small_options();
  options.nodes[0].slots = 2;
  options.nodes[0].round_trip = 3ms;
  SteppedScheduler step(options);
  EXPECT_FALSE(step.scheduler().node({0}).reported);
  step.all_ready();
  step.submit(0, asking(5, 1s));
  const NodeView view = step.scheduler().node({0});
  EXPECT_TRUE(view.ready);
  EXPECT_TRUE(view.reported);
  EXPECT_EQ(view.slots, 2u);
  EXPECT_EQ(view.credits, 2u);
  EXPECT_EQ(view.in_flight, 1u);
  EXPECT_EQ(view.round_trip, 3ms);
}

TEST(Scheduler, LaneViewShowsWhatWaitsInIt) {
  SteppedScheduler step(small_options());
  Labels labels = asking(8, 1s);
  labels.size_bytes = 500;
  step.submit(0, labels);
  step.submit(1, labels);
  EXPECT_EQ(step.scheduler().lane(Lane::kLow).waiting, 2u);
  EXPECT_EQ(step.scheduler().lane(Lane::kLow).waiting_bytes, 1'000u);
  EXPECT_EQ(step.scheduler().lane(Lane::kHigh).waiting, 0u);
}

TEST(Scheduler, ModelIsReadyWhileACandidateIs) {
  Options options = small_options(2, 2);
  options.nodes[1].models = {ModelId{1}};
  SteppedScheduler step(options);
  EXPECT_FALSE(step.scheduler().model_ready({0}));
  step.report(0, true);
  EXPECT_TRUE(step.scheduler().model_ready({0}));
  EXPECT_TRUE(step.scheduler().model_ready({1}));
  step.report(0, false);
  step.report(1, true);
  EXPECT_FALSE(step.scheduler().model_ready({0}));
  EXPECT_TRUE(step.scheduler().model_ready({1}));
}

// One outcome and one reason for each way in which an attempt can end.
TEST(Scheduler, ResultsOfAttemptsAreOutcomesOfTasks) {
  const std::vector<std::pair<AttemptResult, std::string>> table{
      {AttemptResult::kAnswered, "completed"},
      {AttemptResult::kRejected, "completed"},
      {AttemptResult::kError, "failed replica_error"},
      {AttemptResult::kBusy, "failed replica_busy"},
      {AttemptResult::kUnreachable, "failed replica_unreachable"},
      {AttemptResult::kTimeout, "failed replica_timeout"},
      {AttemptResult::kBadAnswer, "failed bad_answer"},
      {AttemptResult::kStopped, "failed attempt_lost"}};
  SteppedScheduler step(small_options());
  step.all_ready();
  for (std::uint64_t i = 0; i < table.size(); ++i) {
    step.submit(i, asking(5, 1s));
    EXPECT_THAT(step.finish(i, table[i].first),
                ElementsAre("finish " + std::to_string(i) + " " + table[i].second));
  }
  step.submit(100, asking(5, 1s));
  EXPECT_THAT(step.tell(AttemptLost{step.attempt(100)}),
              ElementsAre("finish 100 failed attempt_lost"));
}

TEST(SchedulerDeathTest, OptionsThatDoNotFitTogether) {
  Options no_tenant = small_options();
  no_tenant.tenants.clear();
  EXPECT_DEATH(Scheduler{no_tenant}, "there is always a default tenant");
  Options no_type = small_options();
  no_type.models[0].task_type = TaskTypeId{7};
  EXPECT_DEATH(Scheduler{no_type}, "a model without task type");
  Options endless = small_options();
  endless.lanes[0].capacity = 0x7fffffff;
  EXPECT_DEATH(Scheduler{endless}, "more than 2\\^31 tasks");
}

TEST(Scheduler, SaysWhereAModelIsLoaded) {
  Options options = small_options(2, 3);
  options.nodes[0].managed = options.nodes[1].managed = true;
  options.nodes[2].models = {ModelId{1}};
  options.nodes[0].models = options.nodes[1].models = {ModelId{0}};
  SteppedScheduler step(options);
  step.all_ready();
  EXPECT_EQ(step.scheduler().replicas_loaded({0}), 0u);
  EXPECT_EQ(step.scheduler().residency({0}, {0}), ResidencyState::kCold);
  EXPECT_EQ(step.scheduler().replicas_loaded({1}), std::nullopt) << "it does not come and go";
  EXPECT_EQ(step.scheduler().residency({2}, {1}), ResidencyState::kLoaded);
  step.loaded(0, 1);
  EXPECT_EQ(step.scheduler().replicas_loaded({0}), 1u);
  EXPECT_EQ(step.scheduler().residency({1}, {0}), ResidencyState::kLoaded);
  step.report(1, false);
  EXPECT_EQ(step.scheduler().replicas_loaded({0}), 0u);
}

}  // namespace
}  // namespace sluice::core
