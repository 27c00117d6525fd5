#include "workload/report.h"

#include <gtest/gtest.h>

namespace sluice::workload {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

RateCurve quiet_then_busy() {
  return RateCurve(
      {{.name = "quiet", .duration = seconds(10), .rate_from_rps = 1, .rate_to_rps = 1},
       {.name = "busy", .duration = seconds(5), .rate_from_rps = 9, .rate_to_rps = 9}});
}

Sample completed(Duration intended, Duration latency) {
  return {.lane = "high",
          .tenant = "acme",
          .model = "detect",
          .outcome = "completed",
          .reason = "none",
          .replica = "r1",
          .phase = intended < seconds(10) ? 0u : 1u,
          .intended = intended,
          .latency = latency,
          .budget = milliseconds(100),
          .starved_after = seconds(2)};
}

Sample refused(Duration intended) {
  Sample sample = completed(intended, milliseconds(1));
  sample.outcome = "refused";
  sample.reason = "queue_full";
  sample.replica = "";
  return sample;
}

TEST(Report, OnlyAnAnswerWithinBudgetIsAHit) {
  RunRecorder recorder("p", 1, quiet_then_busy());
  recorder.record(completed(seconds(1), milliseconds(100)));
  recorder.record(completed(seconds(1), milliseconds(101)));
  recorder.record(refused(seconds(1)));
  const Group& total = recorder.run().total;
  EXPECT_EQ(total.offered, 3u);
  EXPECT_EQ(total.answered, 2u);
  EXPECT_EQ(total.in_budget, 1u);
  EXPECT_EQ(total.refused.at("queue_full"), 1u);
  EXPECT_DOUBLE_EQ(*total.share(total.in_budget), 1.0 / 3);
}

TEST(Report, LatencyIsThatOfAnsweredRequests) {
  RunRecorder recorder("p", 1, quiet_then_busy());
  recorder.record(completed(seconds(1), milliseconds(40)));
  Sample failed = completed(seconds(1), seconds(9));
  failed.outcome = "failed";
  failed.reason = "replica_error";
  recorder.record(failed);
  EXPECT_EQ(recorder.run().total.latency.count(), 1u);
  EXPECT_EQ(recorder.run().total.latency.max(), milliseconds(40));
  EXPECT_EQ(recorder.run().total.failed.at("replica_error"), 1u);
}

TEST(Report, StarvedIsWaitedTooLongOrNeverServed) {
  RunRecorder recorder("p", 1, quiet_then_busy());
  Sample waited = completed(seconds(1), seconds(3));
  waited.wait = seconds(2) + milliseconds(1);
  recorder.record(waited);
  waited.wait = seconds(2);
  recorder.record(waited);
  recorder.record(refused(seconds(1)));
  EXPECT_EQ(recorder.run().total.starved, 2u);
  EXPECT_EQ(recorder.run().total.wait.count(), 2u);
}

TEST(Report, GroupsByArrivalAndPeakByAnswer) {
  RunRecorder recorder("p", 1, quiet_then_busy());
  // Sent in the quiet phase, answered in the busy one.
  recorder.record(completed(milliseconds(9950), milliseconds(90)));
  // Sent in the busy phase, answered after its end, and one within it but over budget.
  recorder.record(completed(milliseconds(14950), milliseconds(90)));
  recorder.record(completed(seconds(12), milliseconds(200)));
  const auto& run = recorder.run();
  EXPECT_EQ(run.phases.at("quiet").total.offered, 1u);
  EXPECT_EQ(run.phases.at("busy").lanes.at("high").offered, 2u);
  EXPECT_EQ(run.peak_answered, 2u);
  EXPECT_EQ(run.peak_in_budget, 1u);
  EXPECT_DOUBLE_EQ(run.peak_per_second(run.peak_answered), 2.0 / 5);
  EXPECT_DOUBLE_EQ(run.per_second(run.total.offered), 3.0 / 15);
}

TEST(Report, CountsAttemptsAndFailuresOfEachReplica) {
  RunRecorder recorder("p", 1, quiet_then_busy());
  recorder.record(completed(seconds(1), milliseconds(1)));
  Sample failed = completed(seconds(1), milliseconds(1));
  failed.outcome = "failed";
  recorder.record(failed);
  recorder.record(refused(seconds(1)));
  const ReplicaReport& replica = recorder.run().replicas.at("r1");
  EXPECT_EQ(replica.attempts, 2u);
  EXPECT_EQ(replica.failures, 1u);
  EXPECT_EQ(recorder.run().replicas.size(), 1u);
}

TEST(Report, AShareOfNothingIsNoNumber) {
  const Group nothing;
  EXPECT_FALSE(nothing.share(0));
}

}  // namespace
}  // namespace sluice::workload
