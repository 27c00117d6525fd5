// Complaints about what is refused, and what a caller may ask for (10 to 13).
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "simulation/complaints.h"

namespace sluice::test {
namespace {

using namespace core;
using namespace std::chrono_literals;

TEST(Complaint10, RunNowOrRejectCannotBeAskedFor) {
  VirtualCluster cluster(simple_options(1, 1, 1), {.service_cv = 0, .service = {50ms}});
  all_ready(cluster);
  Labels now_or_never = asking(1, 1s);
  now_or_never.may_queue = false;
  cluster.submit_at(at(0ms), now_or_never);
  cluster.submit_at(at(1ms), now_or_never);
  cluster.submit_at(at(2ms), asking(1, 1s));  // that does not ask for it waits
  cluster.run();
  EXPECT_TRUE(all_is_over(cluster));
  EXPECT_EQ(cluster.ended().at(0).finish.outcome, Outcome::kCompleted);
  EXPECT_EQ(cluster.ended().at(1).finish.reason, Reason::kWouldQueue);
  EXPECT_EQ(cluster.ended().at(1).at, at(1ms));
  EXPECT_EQ(cluster.ended().at(2).finish.waited, 48ms);
}

// `burst` requests at once, behind a few that teach the core what they take: the longest time that
// one of them is told to stay away, all of which come back then.
Duration told_to_stay_away(int burst, Reason reason, const Options& options, Duration budget) {
  VirtualCluster cluster(options, {.service_cv = 0, .service = {20ms}});
  all_ready(cluster);
  for (int i = 0; i < 20; ++i) cluster.submit_at(at(i * 100ms), asking(4, 10s));
  for (int i = 0; i < burst; ++i) cluster.submit_at(at(2s), asking(4, budget));
  cluster.run_until(at(2s));
  Duration longest{0};
  for (const auto& [id, ended] : cluster.ended()) {
    if (ended.finish.reason != reason) continue;
    EXPECT_GT(ended.finish.retry_after, 0ms);
    longest = std::max(longest, ended.finish.retry_after);
  }
  const std::uint64_t again = cluster.submitted();
  // In whole seconds, as a header says it.
  cluster.submit_at(at(2s) + std::chrono::ceil<std::chrono::seconds>(longest), asking(4, budget));
  cluster.run();
  EXPECT_TRUE(all_is_over(cluster));
  EXPECT_EQ(cluster.ended().at(again).finish.outcome, Outcome::kCompleted) << to_string(reason);
  return longest;
}

TEST(Complaint11, RefusalsWithoutAComputedRetryAfter) {
  const Options plain = simple_options(1, 1, 1);
  EXPECT_GT(told_to_stay_away(60, Reason::kWouldMissDeadline, plain, 500ms), 0ms);
  const auto full = [&](std::uint32_t capacity) {
    Options options = plain;
    options.lanes[1].capacity = capacity;
    return told_to_stay_away(200, Reason::kQueueFull, options, 100s);
  };
  // No constant: it grows with what waits.
  EXPECT_GT(full(100), 3 * full(20));
  Options limited = plain;
  limited.tenants.resize(1);
  limited.tenants[0].limits.rate_rps = 12;
  EXPECT_GT(told_to_stay_away(60, Reason::kRateLimited, limited, 100s), 0ms);
}

// What a replica is told has been checked and clamped: never a caller's word as it came.
TEST(Complaint12, PriorityIsForwardedBlindly) {
  Options options = simple_options(1, 1, 1);
  options.tenants = {{.name = "trusted"}, {.name = "modest", .best_priority = 5}};
  VirtualCluster cluster(options, {.service = {1ms}});
  all_ready(cluster);
  for (std::uint32_t tenant = 0; tenant < 2; ++tenant) {
    for (int p = 0; p < kPriorities; ++p) {
      const auto n = static_cast<int>(tenant) * kPriorities + p;
      cluster.submit_at(at(n * 100ms), asking(static_cast<Priority>(p), 10s, 0, tenant));
    }
  }
  cluster.run();
  EXPECT_TRUE(all_is_over(cluster));
  for (const Dispatch& dispatch : cluster.dispatches()) {
    const int n = static_cast<int>(dispatch.request);
    const int asked = n % kPriorities;
    EXPECT_EQ(dispatch.priority, n < kPriorities ? asked : std::max(asked, 5));
  }
}

// A tenant sends 100 requests at once, and may send 20 a second.
std::uint32_t completed_over_the_rate(OverRate over_rate, Duration& took) {
  Options options = simple_options(1, 1, 4);
  options.tenants.resize(1);
  options.tenants[0].limits = {.rate_rps = 20, .burst = 1, .over_rate = over_rate};
  VirtualCluster cluster(options, {.service = {5ms}});
  all_ready(cluster);
  for (int i = 0; i < 100; ++i) cluster.submit_at(at(0ms), asking(8, 30s));
  cluster.run();
  EXPECT_TRUE(all_is_over(cluster));
  for (const auto& [id, ended] : cluster.ended()) took = std::max(took, ended.at - at(0ms));
  return cluster.count(Outcome::kCompleted);
}

TEST(Complaint13, HeavyUsersAreCutOffInsteadOfSlowed) {
  Duration slowed{0};
  EXPECT_EQ(completed_over_the_rate(OverRate::kDelay, slowed), 100u);
  EXPECT_NEAR(to_seconds(slowed), 99.0 / 20, 0.2);
  Duration cut_off{0};
  EXPECT_EQ(completed_over_the_rate(OverRate::kRefuse, cut_off), 1u);
}

}  // namespace
}  // namespace sluice::test
