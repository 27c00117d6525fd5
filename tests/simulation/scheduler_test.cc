// The scheduler over virtual time: what a caller sees of it, by scenario.
#include <gtest/gtest.h>

#include <algorithm>

#include <memory>

#include "support/virtual_cluster.h"

namespace sluice::test {
namespace {

using namespace core;
using namespace std::chrono_literals;

Labels asking(Priority priority, Duration budget, std::uint32_t model = 0) {
  return {.model = ModelId{model}, .tenant = TenantId{0}, .priority = priority, .budget = budget};
}

constexpr TimePoint at(Duration d) {
  return TimePoint(d);
}

// Poisson arrivals of one kind, so many a second from 0 to `until`.
void offer(VirtualCluster& cluster, Random& random, double per_s, Duration until, Labels labels) {
  for (double t = random.exponential(1 / per_s); t < to_seconds(until);
       t += random.exponential(1 / per_s)) {
    cluster.submit_at(at(from_seconds(t)), labels);
  }
}

double hit_share(const VirtualCluster& cluster, Lane lane) {
  double hits = 0;
  double all = 0;
  for (const auto& [id, ended] : cluster.ended()) {
    if (ended.finish.lane != lane) continue;
    ++all;
    hits += ended.in_budget();
  }
  return all == 0 ? 1 : hits / all;
}

// 50 urgent pictures of 1 ms a second beside 60 documents of 30 ms a second, on two slots: 92 %
// over what the nodes can do.
std::unique_ptr<VirtualCluster> overloaded(Policy policy, std::uint64_t seed) {
  Options options = simple_options(2, 2, 1);
  options.policy = policy;
  auto cluster = std::make_unique<VirtualCluster>(
      options, ClusterBehaviour{.seed = seed, .service = {1ms, 30ms}});
  all_ready(*cluster);
  Random random(seed);
  offer(*cluster, random, 50, 20s, asking(0, 100ms, 0));
  offer(*cluster, random, 120, 20s, asking(8, 2s, 1));
  cluster->run();
  return cluster;
}

TEST(SchedulerSimulation, UrgentTasksMeetTheirDeadlinesUnderOverload) {
  EXPECT_GE(hit_share(*overloaded(Policy::sluice(), 1), Lane::kHigh), 0.99);
  EXPECT_LT(hit_share(*overloaded(*policy_named("fifo"), 1), Lane::kHigh), 0.6);
}

TEST(SchedulerSimulation, GoodputUnderOverloadIsNotBelowFifo) {
  const auto goodput = [](const VirtualCluster& c) {
    int n = 0;
    for (const auto& [id, ended] : c.ended()) n += ended.in_budget();
    return n;
  };
  EXPECT_GE(goodput(*overloaded(Policy::sluice(), 2)),
            goodput(*overloaded(*policy_named("fifo"), 2)));
}

TEST(SchedulerSimulation, EveryRequestHasOneOutcomeUnderEveryPolicy) {
  for (const Policy& policy : kPolicies) {
    const auto cluster = overloaded(policy, 3);
    EXPECT_EQ(cluster->ended().size(), cluster->submitted()) << policy.name;
  }
}

// R17: a task leaves when its deadline passes, not when its turn comes.
TEST(SchedulerSimulation, ExpiryComesAtTheDeadline) {
  Options options = simple_options(1, 1, 1);
  VirtualCluster cluster(options, {.service = {1s}});
  all_ready(cluster);
  cluster.submit_at(at(0ms), asking(5, 10s));
  cluster.submit_at(at(1ms), asking(5, 50ms));
  cluster.run();
  const Ended& second = cluster.ended().at(1);
  EXPECT_EQ(second.finish.outcome, Outcome::kExpired);
  EXPECT_EQ(second.finish.reason, Reason::kDeadlinePassed);
  EXPECT_GE(second.at, at(51ms));
  EXPECT_LE(second.at, at(53ms));
}

// R17: a caller that leaves while waiting is gone at once and is never dispatched.
TEST(SchedulerSimulation, CallerGoneLeavesTheQueueAtOnce) {
  VirtualCluster cluster(simple_options(1, 1, 1), {.service = {100ms}});
  all_ready(cluster);
  cluster.submit_at(at(0ms), asking(5, 10s));
  cluster.submit_at(at(1ms), asking(5, 10s));
  cluster.cancel_at(at(20ms), RequestId{1});
  cluster.run();
  EXPECT_EQ(cluster.ended().at(1).finish.outcome, Outcome::kCancelled);
  EXPECT_EQ(cluster.ended().at(1).at, at(20ms));
  EXPECT_EQ(cluster.dispatches().size(), 1u);
}

// The credit of an attempt that nobody waits for returns on proof, not on hope.
TEST(SchedulerSimulation, AbandonedAttemptKeepsItsCreditUntilItEnds) {
  VirtualCluster cluster(simple_options(1, 1, 1), {.service_cv = 0, .service = {100ms}});
  all_ready(cluster);
  cluster.submit_at(at(0ms), asking(5, 10s));
  cluster.cancel_at(at(10ms), RequestId{0});
  cluster.submit_at(at(11ms), asking(5, 10s));
  cluster.run_until(at(50ms));
  EXPECT_EQ(cluster.scheduler().counters().abandoned, 1u);
  EXPECT_EQ(cluster.scheduler().lane(Lane::kLatency).waiting, 1u);
  cluster.run();
  EXPECT_EQ(cluster.ended().at(1).finish.waited, 89ms);
  EXPECT_EQ(cluster.scheduler().counters().attempts, 0u);
}

// A later, more urgent task passes: binding is late.
TEST(SchedulerSimulation, UrgentTaskPassesWaitingOnes) {
  VirtualCluster cluster(simple_options(1, 1, 1), {.service_cv = 0, .service = {20ms}});
  all_ready(cluster);
  for (int i = 0; i < 5; ++i) cluster.submit_at(at(0ms), asking(8, 10s));
  cluster.submit_at(at(5ms), asking(0, 100ms));
  cluster.run();
  EXPECT_EQ(cluster.dispatches()[1].request, RequestId{5});
}

// R20: what cannot be in time is told so on arrival, with a time to come back.
TEST(SchedulerSimulation, HopelessTasksAreRefusedEarlyWithRetryAfter) {
  VirtualCluster cluster(simple_options(1, 1, 1), {.service_cv = 0, .service = {50ms}});
  all_ready(cluster);
  for (int i = 0; i < 20; ++i) cluster.submit_at(at(i * 100ms), asking(4, 1s));
  for (int i = 0; i < 40; ++i) cluster.submit_at(at(3s), asking(4, 500ms));
  cluster.run();
  const auto refused = cluster.count(Reason::kWouldMissDeadline);
  EXPECT_NEAR(refused, 30, 2);
  EXPECT_EQ(cluster.count(Outcome::kCompleted), 60 - refused);
  for (const auto& [id, ended] : cluster.ended()) {
    if (ended.finish.reason != Reason::kWouldMissDeadline) continue;
    EXPECT_EQ(ended.at, at(3s));
    EXPECT_GT(ended.finish.retry_after, 0ms);
    EXPECT_LE(ended.finish.retry_after, 2s);
  }
}

// R20, the other half: nobody is refused by a guess. A prior that is far too long refuses nobody,
// and an estimate from a bad time is forgotten.
TEST(SchedulerSimulation, PriorsRefuseNobody) {
  Options options = simple_options(1, 1, 1);
  options.models[0].expected_service = 10s;
  VirtualCluster cluster(options, {.service = {5ms}});
  all_ready(cluster);
  for (int i = 0; i < 50; ++i) cluster.submit_at(at(i * 20ms), asking(1, 100ms));
  cluster.run();
  EXPECT_EQ(cluster.count(Outcome::kCompleted), 50u);
}

TEST(SchedulerSimulation, SlowPastIsForgotten) {
  VirtualCluster cluster(simple_options(1, 1, 1), {.service_cv = 0, .service = {200ms}});
  all_ready(cluster);
  for (int i = 0; i < 10; ++i) cluster.submit_at(at(i * 300ms), asking(1, 1s));
  // Hopeless while the figures are fresh ...
  cluster.submit_at(at(4s), asking(1, 100ms));
  // ... and tried again once they are old.
  cluster.submit_at(at(40s), asking(1, 100ms));
  cluster.run();
  EXPECT_EQ(cluster.ended().at(10).finish.reason, Reason::kWouldMissDeadline);
  EXPECT_EQ(cluster.ended().at(11).finish.outcome, Outcome::kCompleted);
}

TEST(SchedulerSimulation, RunNowOrRefuseNeverQueues) {
  VirtualCluster cluster(simple_options(1, 1, 1), {.service = {50ms}});
  all_ready(cluster);
  Labels now_or_never = asking(1, 1s);
  now_or_never.may_queue = false;
  cluster.submit_at(at(0ms), now_or_never);
  cluster.submit_at(at(1ms), now_or_never);
  cluster.run();
  EXPECT_EQ(cluster.ended().at(0).finish.outcome, Outcome::kCompleted);
  EXPECT_EQ(cluster.ended().at(1).finish.reason, Reason::kWouldQueue);
  EXPECT_EQ(cluster.ended().at(1).at, at(1ms));
}

TEST(SchedulerSimulation, NoReplicaIsRefusedAndUnknownOnesAreWaitedFor) {
  VirtualCluster cluster(simple_options(1, 1, 1), {.service = {5ms}});
  cluster.submit_at(at(0ms), asking(1, 1s));
  cluster.report_at(at(50ms), {.node = NodeId{0}, .ready = true});
  cluster.report_at(at(200ms), {.node = NodeId{0}, .ready = false});
  cluster.submit_at(at(300ms), asking(1, 1s));
  cluster.run();
  EXPECT_EQ(cluster.ended().at(0).finish.outcome, Outcome::kCompleted);
  EXPECT_EQ(cluster.ended().at(0).finish.waited, 50ms);
  EXPECT_EQ(cluster.ended().at(1).finish.reason, Reason::kNoReplica);
}

// peers.md 4, 6: attempts whose fate is unknown give their credit back; dispatch goes on.
TEST(SchedulerSimulation, LostAttemptsDoNotLeakCredits) {
  Options options = simple_options(1, 2, 2);
  options.policy.control = Control::kStatic;  // no breaker
  VirtualCluster cluster(options,
                         {.seed = 5, .service = {5ms}, .error_share = 0.2, .lost_share = 0.2});
  all_ready(cluster);
  Random random(5);
  offer(cluster, random, 500, 10s, asking(3, 1s));
  cluster.run();
  EXPECT_EQ(cluster.ended().size(), cluster.submitted());
  EXPECT_EQ(cluster.scheduler().node(NodeId{0}).in_flight, 0u);
  EXPECT_EQ(cluster.scheduler().node(NodeId{1}).in_flight, 0u);
  EXPECT_GT(cluster.count(Reason::kAttemptLost), 500u);
}

// Amendment: credits, not slots, keep a far node busy.
TEST(SchedulerSimulation, FarNodesAreKeptBusyByCredits) {
  Options options = simple_options(1, 1, 4);
  options.nodes[0].round_trip = 10ms;
  VirtualCluster cluster(options, {.service_cv = 0, .service = {10ms}, .one_way = 5ms});
  all_ready(cluster);
  for (int i = 0; i < 4000; ++i) cluster.submit_at(at(i * 2500us), asking(3, 2s));
  cluster.run();
  EXPECT_EQ(cluster.scheduler().node(NodeId{0}).credits, 8u);
  EXPECT_EQ(cluster.count(Outcome::kCompleted), 4000u);
}

TEST(SchedulerSimulation, FastNodesGetMoreAndSlowTailsAreAvoided) {
  Options options = simple_options(2, 2, 2);
  options.nodes[0].models = {ModelId{0}};
  options.nodes[1].models = {ModelId{0}, ModelId{1}};
  VirtualCluster cluster(options, {.service = {5ms, 50ms}});
  all_ready(cluster);
  Random random(7);
  offer(cluster, random, 200, 10s, asking(2, 100ms, 0));
  offer(cluster, random, 20, 10s, asking(8, 1s, 1));
  cluster.run();
  EXPECT_GE(hit_share(cluster, Lane::kHigh), 0.99);
  EXPECT_EQ(cluster.count(Outcome::kFailed), 0u);
}

// Same options, seed and events: the same dispatches, to the node and the nanosecond.
TEST(SchedulerSimulation, SameSeedSameDispatches) {
  const auto first = overloaded(Policy::sluice(), 9)->dispatches();
  const auto second = overloaded(Policy::sluice(), 9)->dispatches();
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    ASSERT_EQ(first[i].request, second[i].request);
    ASSERT_EQ(first[i].node, second[i].node);
  }
}

// A mass event is handled in pieces: 256 tasks a call, the rest at once afterwards.
TEST(SchedulerSimulation, MassExpiryComesInPieces) {
  VirtualCluster cluster(simple_options(1, 1, 1), {.service = {10s}});
  all_ready(cluster);
  for (int i = 0; i < 1001; ++i) cluster.submit_at(at(0ms), asking(3, 100ms));
  cluster.run_until(at(99ms));
  ActionBuffer actions;
  cluster.scheduler().handle(Tick{}, at(200ms), actions);
  const auto ended = std::count_if(actions.begin(), actions.end(), [](const Action& action) {
    return std::holds_alternative<Finish>(action);
  });
  EXPECT_EQ(ended, 256);
  EXPECT_EQ(cluster.scheduler().next_wakeup(), at(200ms));
}

TEST(SchedulerSimulation, LaneCapacityRefusesWhatComesBeyond) {
  Options options = simple_options(1, 1, 1);
  options.lanes[2].capacity = 10;
  VirtualCluster cluster(options, {.service = {1s}});
  all_ready(cluster);
  for (int i = 0; i < 30; ++i) cluster.submit_at(at(i * 1us), asking(9, 1h));
  cluster.run_until(at(10ms));
  EXPECT_EQ(cluster.count(Reason::kQueueFull), 19u);
  EXPECT_EQ(cluster.scheduler().lane(Lane::kLow).waiting, 10u);
}

// Repeated and impossible events are counted and ignored.
TEST(SchedulerSimulation, NoiseChangesNothing) {
  VirtualCluster cluster(simple_options(1, 2, 1), {.seed = 3, .service = {5ms}});
  cluster.replay_noise(true);
  all_ready(cluster);
  Random random(3);
  offer(cluster, random, 300, 2s, asking(3, 200ms));
  for (std::uint64_t i = 0; i < 100; ++i) cluster.cancel_at(at(i * 7ms), RequestId{i});
  cluster.run();
  EXPECT_EQ(cluster.ended().size(), cluster.submitted());
  EXPECT_GT(cluster.scheduler().counters().ignored_events, 300u);
}

}  // namespace
}  // namespace sluice::test
