#include "sim/tally.h"

#include <gtest/gtest.h>

#include "unit/sim/small_world.h"

namespace sluice::sim {
namespace {

using core::Lane;
using core::Outcome;
using core::Reason;

Ended answered(Duration at, Duration latency, Lane lane = Lane::kHigh) {
  return {.at = TimePoint(at),
          .latency = latency,
          .waited = milliseconds(1),
          .outcome = Outcome::kCompleted,
          .reason = Reason::kNone,
          .lane = lane};
}

Ended failed(Duration at, Duration latency, Lane lane) {
  Ended ended = answered(at, latency, lane);
  ended.waited = std::nullopt;
  ended.outcome = Outcome::kFailed;
  ended.reason = Reason::kReplicaBusy;
  return ended;
}

workload::Run filled(const Tally& tally) {
  workload::Run run;
  tally.fill(run);
  return run;
}

TEST(Tally, EachRequestIsInEveryGroupThatItBelongsTo) {
  const Scenario scenario = small_world();
  Tally tally(scenario);
  Ended ended = answered(seconds(1), milliseconds(20));
  ended.model = 1;
  ended.tenant = 1;
  tally.record(ended);
  const workload::Run run = filled(tally);
  EXPECT_EQ(run.total.offered, 1u);
  EXPECT_EQ(run.lanes.at("high").offered, 1u);
  EXPECT_EQ(run.models.at("long").offered, 1u);
  EXPECT_EQ(run.tenants.at("basic").offered, 1u);
  EXPECT_EQ(run.phases.at("steady").total.offered, 1u);
  EXPECT_EQ(run.phases.at("steady").lanes.at("high").offered, 1u);
  EXPECT_EQ(run.phases.at("steady").models.at("long").offered, 1u);
  EXPECT_EQ(run.total.latency.max(), milliseconds(20));
}

TEST(Tally, BudgetIsThatOfTheLaneAndItsLastInstantCounts) {
  const Scenario scenario = small_world();
  Tally tally(scenario);
  tally.record(answered(seconds(1), milliseconds(80)));
  tally.record(answered(seconds(1), milliseconds(81)));
  tally.record(answered(seconds(1), milliseconds(81), Lane::kLatency));
  const workload::Run run = filled(tally);
  EXPECT_EQ(run.lanes.at("high").in_budget, 1u);
  EXPECT_EQ(run.lanes.at("high").answered, 2u);
  EXPECT_EQ(run.lanes.at("latency").in_budget, 1u);
}

TEST(Tally, FailuresHaveReasonsAndNoLatency) {
  const Scenario scenario = small_world();
  Tally tally(scenario);
  tally.record(failed(seconds(1), milliseconds(3), Lane::kHigh));
  Ended never = failed(seconds(1), seconds(40), Lane::kHigh);
  never.reason = std::nullopt;
  tally.record(never);
  Ended refused = failed(seconds(1), Duration::zero(), Lane::kHigh);
  refused.outcome = Outcome::kRefused;
  refused.reason = Reason::kQueueFull;
  tally.record(refused);
  const workload::Run run = filled(tally);
  EXPECT_EQ(run.total.failed.at("replica_busy"), 1u);
  EXPECT_EQ(run.total.failed.at("unanswered"), 1u);
  EXPECT_EQ(run.total.refused.at("queue_full"), 1u);
  EXPECT_EQ(run.total.outcomes.at("failed"), 2u);
  EXPECT_EQ(run.total.latency.count(), 0u);
  EXPECT_EQ(run.total.wait.count(), 2u);
}

TEST(Tally, TheLowLaneStarvesByWaitingOrByNeverBeingServed) {
  const Scenario scenario = small_world();
  Tally tally(scenario);
  Ended ended = answered(seconds(1), seconds(5), Lane::kLow);
  ended.waited = seconds(2);
  tally.record(ended);
  ended.waited = seconds(2) + Duration(1);
  tally.record(ended);
  tally.record(failed(seconds(1), milliseconds(3), Lane::kLow));
  tally.record(failed(seconds(1), seconds(20), Lane::kLow));
  // Where no threshold is given nobody starves.
  tally.record(failed(seconds(1), seconds(20), Lane::kLatency));
  const workload::Run run = filled(tally);
  EXPECT_EQ(run.lanes.at("low").starved, 3u);
  EXPECT_EQ(run.lanes.at("latency").starved, 0u);
  EXPECT_EQ(tally.waited_too_long(), 2u);
  EXPECT_EQ(tally.starvable(), 4u);
}

TEST(Tally, ThePeakCountsByTimeOfAnswer) {
  Scenario scenario = small_world();
  scenario.streams[0].phases = {
      {.name = "calm", .duration = seconds(10), .rate_from_rps = 1, .rate_to_rps = 1},
      {.name = "hold", .duration = seconds(5), .rate_from_rps = 9, .rate_to_rps = 9}};
  Tally tally(scenario);
  tally.record(answered(milliseconds(9950), milliseconds(60)));
  tally.record(answered(seconds(12), milliseconds(90)));
  tally.record(answered(milliseconds(14950), milliseconds(60)));
  tally.record(failed(seconds(12), milliseconds(3), Lane::kHigh));
  const workload::Run run = filled(tally);
  EXPECT_EQ(run.peak_answered, 2u);
  EXPECT_EQ(run.peak_in_budget, 1u);
  EXPECT_EQ(run.peak_duration, seconds(5));
}

}  // namespace
}  // namespace sluice::sim
