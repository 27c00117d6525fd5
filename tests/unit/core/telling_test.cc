// Why: what the core says before it acts (R40).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

TEST(Telling, ADispatchNamesTheNodesThatWereWeighed) {
  Options options = small_options(1, 3);
  options.control.reserve.most_share = 0;
  SteppedScheduler step(std::move(options));
  step.all_ready();
  step.tell(NodeReport{.node = NodeId{0}, .ready = true, .round_trip = 30ms});
  step.tell(NodeReport{.node = NodeId{1}, .ready = true, .round_trip = 10ms});
  step.tell(NodeReport{.node = NodeId{2}, .ready = true, .round_trip = 20ms});
  EXPECT_THAT(step.submit(1, asking(5, 10s)), ElementsAre("dispatch 1 to 1"));
  const PlacementRecord& why = step.placement(1);
  EXPECT_EQ(why.verdict, Verdict::kRun);
  EXPECT_EQ(why.node, NodeId{1});
  EXPECT_EQ(why.considered, 3u);
  ASSERT_EQ(why.listed, 3u);
  EXPECT_EQ(why.best[0].node, NodeId{1});
  EXPECT_EQ(why.best[1].node, NodeId{2});
  EXPECT_EQ(why.best[2].node, NodeId{0});
  EXPECT_EQ(why.best[2].predicted - why.best[0].predicted, 20ms);
  EXPECT_LT(why.best[0].cost, why.best[1].cost);
}

TEST(Telling, AnAdmissionNamesThePredictionAndTheWorkAhead) {
  SteppedScheduler step(small_options(1, 1));
  step.all_ready();
  for (int i = 0; i < 10; ++i) step.teach(10ms);
  step.submit(1, asking(5, 10s));
  for (std::uint64_t request = 2; request < 6; ++request) step.submit(request, asking(5, 10s));
  const AdmissionRecord& why = step.admission(5);
  EXPECT_EQ(why.reason, Reason::kNone);
  EXPECT_TRUE(why.trusted);
  EXPECT_NEAR(static_cast<double>(why.service.count()), 1e7, 1e5);
  EXPECT_GT(why.work_ahead, 0ms);
  EXPECT_EQ(why.slots, 1);
  EXPECT_GT(why.share, 0);
  EXPECT_EQ(why.original, 5);
}

TEST(Telling, ARefusalHasTheReasonAndTheFiguresOfItsRecord) {
  SteppedScheduler step(small_options(1, 1));
  step.all_ready();
  for (int i = 0; i < 10; ++i) step.teach(100ms);
  step.submit(1, asking(5, 10s));
  EXPECT_THAT(step.submit(2, asking(5, 20ms)), ElementsAre("finish 2 refused would_miss_deadline"));
  const AdmissionRecord& why = step.admission(2);
  EXPECT_EQ(why.reason, Reason::kWouldMissDeadline);
  EXPECT_EQ(step.finished(2).reason, why.reason);
  EXPECT_TRUE(why.trusted);
  EXPECT_GT(why.until_slot + why.service, why.budget);
}

// The free node is slow and the fast one busy, but soon free.
TEST(Telling, AWaitNamesTheNodeThatIsWaitedFor) {
  Options options = small_options(1, 2);
  options.control.reserve.most_share = 0;
  for (NodeOptions& node : options.nodes) node.kind = "gpu";
  SteppedScheduler step(std::move(options));
  step.all_ready();
  step.tell(NodeReport{.node = NodeId{1}, .ready = true, .round_trip = 5s});
  for (int i = 0; i < 10; ++i) step.teach(100ms);
  EXPECT_THAT(step.submit(1, asking(5, 10s)), ElementsAre("dispatch 1 to 0"));
  EXPECT_THAT(step.submit(2, asking(5, 1s)), ElementsAre("queued 2"));
  const PlacementRecord& why = step.placement(2);
  EXPECT_EQ(why.verdict, Verdict::kWait);
  EXPECT_EQ(why.node, NodeId{0});
  ASSERT_EQ(why.listed, 2u);
  EXPECT_TRUE(why.best[0].has(Mark::kBusy));
  EXPECT_TRUE(why.best[1].has(Mark::kLate));
}

TEST(Telling, WhatIsGivenUpSaysThatNoNodeCouldDoIt) {
  SteppedScheduler step(small_options(1, 1));
  step.all_ready();
  for (int i = 0; i < 10; ++i) step.teach(100ms);
  step.submit(1, asking(5, 10s));
  EXPECT_THAT(step.submit(2, asking(5, 300ms)), ElementsAre("queued 2"));
  step.advance(250ms);
  EXPECT_THAT(step.tick(), ElementsAre("finish 2 expired deadline_unreachable"));
  const PlacementRecord& why = step.placement(2);
  EXPECT_EQ(why.verdict, Verdict::kHopeless);
  EXPECT_EQ(step.finished(2).reason, Reason::kDeadlineUnreachable);
  ASSERT_EQ(why.listed, 1u);
  EXPECT_TRUE(why.best[0].has(Mark::kLate));
}

}  // namespace
}  // namespace sluice::core
