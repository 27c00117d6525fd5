// Complaints about what is known of replicas, and about attempts that end otherwise than well (4 to
// 9); 19 is joining_test.cc.
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "simulation/complaints.h"
#include "unit/core/stepped_scheduler.h"

namespace sluice::test {
namespace {

using namespace core;
using namespace std::chrono_literals;

Options scored(std::uint32_t nodes, std::uint32_t slots) {
  Options options = simple_options(1, nodes, slots);
  options.policy.placement = PlacementKind::kScore;
  options.policy.control = Control::kStatic;
  return options;
}

void report_load(VirtualCluster& cluster, TimePoint when, std::uint32_t node, double utilisation) {
  cluster.figures_at(when, {.node = NodeId{node}, .utilisation = utilisation, .memory = 0.5});
}

// A node says at 0 s that it is saturated, and never says anything again. Tasks come from 1 s on.
std::uint32_t served_after_last_word(Duration believed_for) {
  Options options = scored(1, 2);
  options.placement.least_score = 0.5;
  options.placement.ages = {.fresh_for = believed_for / 2, .unknown_after = believed_for};
  VirtualCluster cluster(options, {.service = {10ms}});
  all_ready(cluster);
  cluster.figures_at(at(0ms), {.node = NodeId{0}, .utilisation = 1.0, .memory = 1.0});
  for (int i = 0; i < 100; ++i) cluster.submit_at(at(1s + i * 50ms), asking(4, 20s));
  cluster.run();
  EXPECT_TRUE(all_is_over(cluster));
  return cluster.count(Outcome::kCompleted);
}

TEST(Complaint04, StaleMetricsHaltAllDispatchForGood) {
  const FigureAges usual;
  EXPECT_EQ(served_after_last_word(usual.unknown_after), 100u);
  EXPECT_LT(served_after_last_word(10h), 10u);
}

// Two nodes of 8 slots are scraped, one a little freer than the other, and score by what they said
// alone; then 8 tasks come at once, before the next scrape.
TEST(Complaint05, TheGateOvershootsBetweenTwoScrapes) {
  Options options = scored(2, 8);
  options.placement.throttle = 1000;
  options.placement.node = {.utilisation = 1, .memory = 0, .queue = 0};
  options.placement.task = {.latency = 0, .resources = 1, .urgency = 0, .shift = 0};
  VirtualCluster cluster(options, {.service = {1s}});
  all_ready(cluster);
  report_load(cluster, at(0ms), 0, 0.2);
  report_load(cluster, at(0ms), 1, 0.3);
  for (int i = 0; i < 8; ++i) cluster.submit_at(at(10ms), asking(4, 20s));
  cluster.run_until(at(20ms));
  // What was sent since counts: they take turns, instead of all running to the freer one.
  EXPECT_EQ(dispatched_to(cluster, 0), 4);
  EXPECT_EQ(dispatched_to(cluster, 1), 4);
  cluster.run();
  EXPECT_TRUE(all_is_over(cluster));
}

// One attempt runs for five minutes beside short ones, the ends of many of which are never known.
// Its credit stays taken, theirs come back.
TEST(Complaint06, InFlightCountsOfLiveRequestsAreDropped) {
  Options options = simple_options(2, 1, 4);
  options.nodes[0].credits = 4;
  options.policy.control = Control::kStatic;
  ClusterBehaviour behaviour{.seed = 5, .service_cv = 0, .service = {5min, 20ms}};
  behaviour.lost_share = 0.3;
  VirtualCluster cluster(options, behaviour);
  all_ready(cluster);
  cluster.submit_at(at(0ms), asking(4, 10min, 0));
  for (int i = 0; i < 24'000; ++i) cluster.submit_at(at(i * 10ms), asking(4, 1s, 1));
  cluster.run_until(at(4min + 30s));
  EXPECT_EQ(cluster.scheduler().node(NodeId{0}).in_flight, 1u);
  cluster.run();
  EXPECT_TRUE(all_is_over(cluster));
  EXPECT_GT(cluster.count(Reason::kAttemptLost), 5'000u);
  EXPECT_GT(cluster.count(Outcome::kCompleted), 15'000u);
  EXPECT_EQ(cluster.scheduler().node(NodeId{0}).in_flight, 0u);
}

// Node 0 of two is at work for somebody else; or no node reports anything. Share that goes to it.
double share_to_the_first(PlacementKind placement, bool reports) {
  Options options = scored(2, 8);
  options.policy.placement = placement;
  VirtualCluster cluster(options, {.seed = 2, .service = {20ms}});
  all_ready(cluster);
  for (int i = 0; reports && i < 20; ++i) {
    report_load(cluster, at(i * 500ms), 0, 1.0);
    report_load(cluster, at(i * 500ms), 1, 0.2);
  }
  for (int i = 0; i < 2'000; ++i) cluster.submit_at(at(i * 5ms), asking(4, 1s));
  cluster.run();
  EXPECT_TRUE(all_is_over(cluster));
  return static_cast<double>(dispatched_to(cluster, 0)) / 2'000;
}

TEST(Complaint07, LoadIsCountedOnlyLocallyOrOnlyFromMetrics) {
  EXPECT_LT(share_to_the_first(PlacementKind::kScore, true), 0.1);
  EXPECT_NEAR(share_to_the_first(PlacementKind::kScore, false), 0.5, 0.1);
  // Who counts only what it has sent itself sees no difference.
  EXPECT_NEAR(share_to_the_first(PlacementKind::kLeastOutstanding, true), 0.5, 0.1);
}

// Where the replica can stop, it is asked to, and the credit serves the next one at once; elsewhere
// it is counted until it ends, not for ever.
TEST(Complaint08, CancelledRequestsRunToCompletionOrStayCounted) {
  using Said = SteppedScheduler::Said;
  for (const CancelMode mode : {CancelMode::kStops, CancelMode::kIgnored}) {
    Options options = small_options();
    options.nodes[0].cancel = mode;
    SteppedScheduler s(options);
    s.all_ready();
    s.submit(1, core::asking(4, 10s));
    s.submit(2, core::asking(4, 10s));
    s.submit(3, core::asking(4, 10s));
    EXPECT_EQ(s.cancel(3), (Said{"finish 3 cancelled caller_gone"}));
    EXPECT_EQ(s.scheduler().counters().waiting, 1u);
    s.cancel(1);
    EXPECT_EQ(s.scheduler().counters().abandoned, 1u);
    const bool stops = mode == CancelMode::kStops;
    const auto result = stops ? AttemptResult::kStopped : AttemptResult::kAnswered;
    EXPECT_EQ(s.finish(1, result), (Said{"dispatch 2 to 0"}));
    s.finish(2);
    EXPECT_EQ(s.scheduler().counters().attempts, 0u);
    EXPECT_TRUE(s.scheduler().counters().conserved());
  }
}

// Breakers that open while a replica answers everything in this way.
std::ptrdiff_t breakers_opened(AttemptResult result) {
  ClusterBehaviour behaviour{.service = {5ms}};
  behaviour.result = [=](NodeId, TimePoint) { return result; };
  VirtualCluster cluster(simple_options(1, 1, 2), behaviour);
  all_ready(cluster);
  for (int i = 0; i < 300; ++i) cluster.submit_at(at(i * 20ms), asking(4, 1s));
  cluster.run();
  EXPECT_TRUE(all_is_over(cluster));
  const auto& all = cluster.adjustments();
  return std::count_if(all.begin(), all.end(), [](const Adjusted& adjusted) {
    return std::holds_alternative<BreakerChange>(adjusted.change);
  });
}

TEST(Complaint09, ClientErrorsAndBusyReplicasOpenBreakers) {
  EXPECT_EQ(breakers_opened(AttemptResult::kRejected), 0);
  EXPECT_EQ(breakers_opened(AttemptResult::kBusy), 0);
  EXPECT_GT(breakers_opened(AttemptResult::kError), 0);
}

}  // namespace
}  // namespace sluice::test
