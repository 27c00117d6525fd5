// That each check can fail: it is lied to about what the core does, or believes in options that the
// core does not have.
#include "sim/checks/checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/sim/checks/lied_to.h"

namespace sluice::sim {
namespace {

using core::Adjusted;
using core::AdmissionRecord;
using core::Dispatch;
using core::Finish;
using core::PlacementRecord;
using core::Queued;
using core::Requeued;
using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::StrEq;

// What the core believes is `core`, what the check does is `believed`.
struct Belief {
  Scenario scenario = crowded_world();
  core::Options core = options_for(scenario);
  core::Options believed = core;

  std::string found(std::unique_ptr<Check> check, Lie lie = nullptr) const {
    return found_in(scenario, std::move(check), core, believed, std::move(lie));
  }
};

TEST(Checks, AllAreSilentAboutTheTruth) {
  const Scenario scenario = crowded_world();
  RunOptions options{.seed = 1, .check = true};
  const Result result = simulate(scenario, *policy_spec("sluice", scenario), options);
  EXPECT_EQ(result.violations, std::vector<std::string>{});
  EXPECT_GT(result.requests, 2000u);
}

TEST(Checks, AFindingEndsTheRunAndSaysWhenAndWhat) {
  Findings findings;
  findings.add(TimePoint(milliseconds(1500)), "order", "nothing is right");
  EXPECT_EQ(findings.count(), 1u);
  EXPECT_THAT(findings.kept().front(), StrEq("at 1.500000000 s: order: nothing is right"));
  for (int i = 0; i < 200; ++i) findings.add({}, "order", "x");
  EXPECT_EQ(findings.count(), 201u);
  EXPECT_EQ(findings.kept().size(), 100u);
}

TEST(Checks, OneOutcome) {
  EXPECT_THAT(found_when_lied_to(one_outcome_check(), without<Queued>()),
              HasSubstr("a submitted request was not answered"));
  EXPECT_THAT(found_when_lied_to(one_outcome_check(), without<Dispatch>()),
              HasSubstr("one outcome"));
  EXPECT_THAT(found_when_lied_to(one_outcome_check(), twice<Finish>()),
              HasSubstr("a request has ended twice"));
  EXPECT_THAT(found_when_lied_to(one_outcome_check(), twice<Dispatch>()),
              HasSubstr("hedged that may not be"));
  EXPECT_THAT(found_when_lied_to(one_outcome_check(), about<Finish>([](Finish& f) {
                                   f.outcome = core::Outcome::kCompleted;
                                 })),
              HasSubstr("an outcome does not fit its event"));
}

TEST(Checks, Conservation) {
  const Scenario scenario = crowded_world();
  EXPECT_THAT(found_when_lied_to(conservation_check(scenario), without<Queued>()),
              HasSubstr("the core holds other tasks than were queued"));
}

TEST(Checks, WhatDoesNotExistIsTheLastFinding) {
  EXPECT_THAT(
      found_when_lied_to(credits_check(), about<Dispatch>([](Dispatch& d) { d.node = {7}; })),
      HasSubstr("a node that does not exist"));
  const auto kind = HasSubstr("a model or a priority that does not exist");
  EXPECT_THAT(
      found_when_lied_to(fairness_check(), about<Dispatch>([](Dispatch& d) { d.model = {7}; })),
      kind);
  EXPECT_THAT(found_when_lied_to(order_check(), about<Queued>([](Queued& q) { q.model = {7}; })),
              kind);
  EXPECT_THAT(found_when_lied_to(order_check(), about<Queued>([](Queued& q) { q.priority = 10; })),
              kind);
}

TEST(Checks, Credits) {
  EXPECT_THAT(
      found_when_lied_to(credits_check(), about<Dispatch>([](Dispatch& d) { d.node = {0}; })),
      HasSubstr("credits: "));
  Belief elsewhere;
  elsewhere.believed.nodes[1].models = {core::ModelId{0}};
  EXPECT_THAT(elsewhere.found(credits_check()), HasSubstr("a node without the model"));
  Belief choosy;
  choosy.believed.nodes[1].accepts = core::PriorityRange{0, 2};
  EXPECT_THAT(choosy.found(credits_check()), HasSubstr("does not take its priority"));
}

// R40.
TEST(Checks, Decisions) {
  EXPECT_THAT(found_when_lied_to(decisions_check(), without<PlacementRecord>()),
              HasSubstr("a dispatch without the record that explains it"));
  EXPECT_THAT(found_when_lied_to(decisions_check(), without<AdmissionRecord>()),
              HasSubstr("decisions: "));
  EXPECT_THAT(found_when_lied_to(decisions_check(), twice<AdmissionRecord>()),
              HasSubstr("two admission records at once"));
  EXPECT_THAT(found_when_lied_to(decisions_check(), about<PlacementRecord>([](PlacementRecord& p) {
                                   p.best[0].cost = 1e18;
                                 })),
              HasSubstr("a better node is listed"));
  EXPECT_THAT(found_when_lied_to(decisions_check(),
                                 about<PlacementRecord>([](PlacementRecord& p) { p.listed = 0; })),
              HasSubstr("does not list what it chose"));
  EXPECT_THAT(found_when_lied_to(decisions_check(),
                                 about<AdmissionRecord>([](AdmissionRecord& a) { a.share = 2; })),
              HasSubstr("impossible figures"));
}

TEST(Checks, Clock) {
  EXPECT_THAT(
      found_when_lied_to(clock_check(), about<Finish>([](Finish& f) { f.waited += Duration(1); })),
      HasSubstr("do not add up to now"));
  EXPECT_THAT(
      found_when_lied_to(clock_check(), about<Finish>([](Finish& f) { f.service = Duration(-1); })),
      HasSubstr("a span of time is negative"));
}

TEST(Checks, Order) {
  EXPECT_THAT(found_when_lied_to(order_check(), about<Dispatch>([](Dispatch& d) { ++d.rank; })),
              HasSubstr("a rank has changed while its task waited"));
  Belief helpful;
  helpful.believed.score.per_drop_share = std::chrono::hours(1);
  // Every other task is said to have come earlier by far, and still waits its turn.
  const auto earlier = [odd = false](Queued& queued) mutable {
    odd = !odd;
    if (odd) queued.rank -= std::int64_t{60'000'000'000};
  };
  EXPECT_THAT(helpful.found(order_check(), about<Queued>(earlier)), HasSubstr("order: "));
  Belief other;
  other.believed.policy.ordering = core::Ordering::kDeadline;
  EXPECT_THAT(other.found(order_check()), HasSubstr("a rank is not what the ordering says"));
}

// Everybody waits, and for long.
TEST(Checks, Fairness) {
  Belief belief;
  for (auto& weights : belief.scenario.streams[0].priority_weights) weights = {0, 0, 0, 0, 1};
  for (LaneRules& lane : belief.scenario.lanes) {
    lane.budget = lane.client_timeout = std::chrono::minutes(1);
  }
  belief.core = options_for(belief.scenario);
  for (core::TenantOptions& tenant : belief.core.tenants) tenant.core = true;
  belief.believed = belief.core;
  EXPECT_THAT(belief.found(fairness_check()), StrEq(""));
  belief.believed.tenants[0].weight = 100;
  EXPECT_THAT(belief.found(fairness_check()), HasSubstr("apart per weight"));
}

TEST(Checks, Age) {
  EXPECT_THAT(found_when_lied_to(age_check(), without<Finish>(1)), StrEq(""));
  Belief patient;
  for (core::LaneOptions& lane : patient.believed.lanes) lane.max_age = milliseconds(20);
  EXPECT_THAT(patient.found(age_check()), HasSubstr("age: "));
  EXPECT_THAT(found_when_lied_to(age_check(), about<Finish>([](Finish& f) {
                                   f.outcome = core::Outcome::kExpired;
                                   f.reason = core::Reason::kDeadlinePassed;
                                   f.deadline = kNever;
                                 })),
              HasSubstr("a task expires before its time"));
  EXPECT_THAT(found_when_lied_to(age_check(), about<Finish>([](Finish& f) {
                                   f.outcome = core::Outcome::kExpired;
                                   f.reason = core::Reason::kLoadFailed;
                                 })),
              HasSubstr("needs none"));
}

TEST(Checks, Boost) {
  Belief impatient;
  for (Duration& wait : impatient.believed.control.lane_weights.oldest_wait) wait = milliseconds(5);
  impatient.believed.control.lane_weights.boost_rest = milliseconds(5);
  impatient.believed.control.lane_weights.boost_for = milliseconds(5);
  EXPECT_THAT(impatient.found(boost_check()), HasSubstr("a lane starves without a boost"));
}

// Short urgent tasks among long ones that can be stopped.
TEST(Checks, Preemption) {
  Belief belief;
  belief.scenario.streams[0].mix = {0.5, 0.5};
  belief.scenario.streams[0].priority_weights = {{1}, {0, 0, 0, 0, 0, 0, 0, 0, 1}};
  belief.scenario.lanes[0].budget = milliseconds(30);
  belief.scenario.kinds[0].cancel = core::CancelMode::kStops;
  belief.core = options_for(belief.scenario);
  belief.core.control.reserve.most_share = 0;
  belief.believed = belief.core;
  EXPECT_THAT(belief.found(preemption_check()), StrEq(""));
  belief.believed.preemption.most = 0;
  EXPECT_THAT(belief.found(preemption_check()), HasSubstr("a task is preempted too often"));
  belief.believed.preemption.most = 1;
  for (core::NodeOptions& node : belief.believed.nodes) node.cancel = core::CancelMode::kIgnored;
  EXPECT_THAT(belief.found(preemption_check()), HasSubstr("where it would run on"));
}

TEST(Checks, Outcome) {
  EXPECT_THAT(found_when_lied_to(outcome_check(),
                                 about<Finish>([](Finish& f) { f.retry_after = Duration(5); })),
              HasSubstr("does not say when to come again, or something else does"));
  EXPECT_THAT(found_when_lied_to(outcome_check(),
                                 about<Finish>([](Finish& f) { f.tenant = {f.tenant.value ^ 1}; })),
              HasSubstr("another model or tenant"));
  EXPECT_THAT(found_when_lied_to(outcome_check(), about<Finish>([](Finish& f) {
                                   f.reason = core::Reason::kQueueFull;
                                 })),
              HasSubstr("a reason of another outcome"));
  EXPECT_THAT(found_when_lied_to(outcome_check(),
                                 about<Finish>([](Finish& f) { f.node = core::NodeId{}; })),
              HasSubstr("does not say where its task ran"));
}

TEST(Checks, Tables) {
  Belief small;
  for (core::LaneOptions& lane : small.believed.lanes) lane.capacity = 1;
  EXPECT_THAT(small.found(tables_check()), HasSubstr("more tasks than"));
}

TEST(Checks, Records) {
  const auto told = [](auto change) {
    return found_when_lied_to(records_check(), besides(Adjusted{change}));
  };
  EXPECT_THAT(told(core::CorrectionChange{.kind = {0}, .from = 2, .to = 3}),
              HasSubstr("a correction beyond its bound"));
  EXPECT_THAT(told(core::CorrectionChange{.kind = {0}, .from = 1, .to = 2}),
              HasSubstr("does not go on from the last one"));
  EXPECT_THAT(told(core::PenaltyChange{.tenant = {9}, .to = 1}), HasSubstr("a penalty of nobody"));
  EXPECT_THAT(told(core::PenaltyChange{.tenant = {0}, .to = 2}),
              HasSubstr("a penalty of more than one level"));
  EXPECT_THAT(told(core::LaneWeightChange{.from = 16, .to = 80}), HasSubstr("records: "));
  EXPECT_THAT(told(core::ShareChange{.from = 1, .to = 0.5, .figure = 2}), HasSubstr("records: "));
  Belief still;
  still.believed.policy.control = core::Control::kStatic;
  EXPECT_THAT(still.found(records_check()), HasSubstr("a policy that does not adapt"));
}

// Models come and go, and there is room for one.
TEST(Checks, Residency) {
  Belief belief;
  belief.scenario.kinds[0].managed = true;
  belief.scenario.kinds[0].memory_bytes = 5e9;
  for (Model& model : belief.scenario.models) {
    model.memory_bytes = 3e9;
    model.load_time = milliseconds(100);
  }
  belief.core = belief.believed = options_for(belief.scenario);
  EXPECT_THAT(belief.found(residency_check()), StrEq(""));
  EXPECT_THAT(belief.found(residency_check(), without<Adjusted>(1)),
              HasSubstr("an order that no change explains"));
  EXPECT_THAT(belief.found(residency_check(), besides(core::UnloadModel{{0}, {0}})),
              HasSubstr("an order that no change explains"));
  EXPECT_THAT(belief.found(residency_check(),
                           about<Adjusted>(
                               [](Adjusted& adjusted) {
                                 if (auto* const change =
                                         std::get_if<core::ResidencyChange>(&adjusted.change)) {
                                   change->from = core::ResidencyState::kAborting;
                                 }
                               },
                               1)),
              HasSubstr("does not go on from its last state"));
  belief.believed.nodes[0].memory_bytes = 2'000'000'000;
  belief.believed.nodes[1].memory_bytes = 2'000'000'000;
  EXPECT_THAT(belief.found(residency_check()), HasSubstr("more than its memory"));
  belief.believed = belief.core;
  belief.believed.nodes[0].managed = belief.believed.nodes[1].managed = false;
  EXPECT_THAT(belief.found(residency_check()), HasSubstr("comes or goes where it does not"));
  Belief other;
  for (core::NodeOptions& node : other.believed.nodes) node.managed = true;
  EXPECT_THAT(other.found(residency_check()), HasSubstr("has not loaded the model"));
}

TEST(Checks, Breakers) {
  const auto told = [](core::BreakerState from, core::BreakerState to, core::BreakerCause cause,
                       Duration open_for = std::chrono::seconds(2)) {
    core::BreakerChange change{.node = {0}, .model = {0}};
    change.transition = {.from = from, .to = to, .cause = cause, .open_for = open_for};
    return found_when_lied_to(breakers_check(), besides(Adjusted{change}));
  };
  using core::BreakerCause;
  using core::BreakerState;
  EXPECT_THAT(told(BreakerState::kOpen, BreakerState::kHalfOpen, BreakerCause::kTimeUp),
              HasSubstr("does not go on from its last state"));
  EXPECT_THAT(told(BreakerState::kClosed, BreakerState::kOpen, BreakerCause::kTimeUp),
              HasSubstr("changes as it may not"));
  EXPECT_THAT(
      told(BreakerState::kClosed, BreakerState::kOpen, BreakerCause::kLatency, milliseconds(1)),
      HasSubstr("opens for too short"));
  EXPECT_THAT(told(BreakerState::kClosed, BreakerState::kOpen, BreakerCause::kLatency),
              HasSubstr("a dispatch through an open breaker"));
}

TEST(Checks, Retries) {
  Belief belief;
  belief.scenario.faults = {{.kind = FaultKind::kCrash,
                             .at = std::chrono::seconds(2),
                             .until = std::chrono::seconds(3),
                             .nodes = {0}}};
  EXPECT_THAT(belief.found(retries_check()), StrEq(""));
  belief.believed.retry.most_attempts = 1;
  EXPECT_THAT(belief.found(retries_check()), HasSubstr("a request is tried too often"));
  belief.believed = belief.core;
  belief.believed.retry.budget = {.share = 0, .floor_per_second = 0, .burst = 0};
  EXPECT_THAT(belief.found(retries_check()), HasSubstr("more retries than the budget"));
  belief.believed.policy.control = core::Control::kStatic;
  EXPECT_THAT(belief.found(retries_check()), HasSubstr("a policy that has none"));
}

TEST(Checks, Limits) {
  Belief belief;
  belief.believed.tenants[0].limits.concurrency = 1;
  EXPECT_THAT(belief.found(limits_check()), HasSubstr("a tenant runs more than it may"));
  belief.believed = belief.core;
  belief.believed.tenants[0].limits.rate_rps = 50;
  EXPECT_THAT(belief.found(limits_check()), HasSubstr("let in beyond its rate"));
  belief.believed = belief.core;
  belief.believed.tenants[0].limits.waiting = {1, 1, 1};
  EXPECT_THAT(belief.found(limits_check()), HasSubstr("more waiting than it may"));
  belief.believed = belief.core;
  belief.believed.tenants[0].best_priority = 5;
  EXPECT_THAT(belief.found(limits_check()), HasSubstr("more urgent than its tenant may ask for"));
}

// It believes that less is known: what ends an attempt then names nothing.
TEST(Checks, BadInput) {
  EXPECT_THAT(found_when_lied_to(bad_input_check(), without<Dispatch>()),
              HasSubstr("senseless events are not counted, or sensible ones are"));
}

}  // namespace
}  // namespace sluice::sim
