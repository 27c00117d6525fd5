// Complaints about what waits, and whose turn it is (1, 2, 3, 14, 17).
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "simulation/complaints.h"

namespace sluice::test {
namespace {

using namespace core;
using namespace std::chrono_literals;

// 2000 of each lane's are there at once, on a slot that does 100 a second: how many of the low
// lane's have had their turn after 10 s.
std::ptrdiff_t low_served(const Policy& policy) {
  Options options = simple_options(1, 1, 1);
  options.policy = policy;
  VirtualCluster cluster(options, {.service_cv = 0, .service = {10ms}});
  all_ready(cluster);
  for (int i = 0; i < 2000; ++i) {
    cluster.submit_at(at(0ms), asking(0, 100s));
    cluster.submit_at(at(0ms), asking(9, 100s));
  }
  cluster.run_until(at(10s));
  const auto served = dispatched(cluster, [](const auto& d) { return d.lane == Lane::kLow; });
  cluster.run();
  EXPECT_TRUE(all_is_over(cluster));
  return served;
}

TEST(Complaint01, StrictBandsStarveBatchWork) {
  Policy weighted = Policy::sluice();
  weighted.admission = Admission::kCapacityOnly;
  weighted.control = Control::kStatic;  // the weights as they are configured
  // Weight 1 of 17 of about 1000 dispatches, within a task of each.
  EXPECT_NEAR(static_cast<double>(low_served(weighted)), 1000.0 / 17, 3);
  Policy strict = weighted;
  strict.lane_service = LaneServiceKind::kMerged;
  strict.ordering = Ordering::kPriority;
  EXPECT_EQ(low_served(strict), 0);
}

// One document of 20 ms at 1 s, in a stream of pictures that is more than the node can take: when
// it was dispatched.
TimePoint long_task_begins(double shortest_service, std::vector<Dispatch>& before) {
  Options options = simple_options(2, 1, 1);
  options.policy = Policy::balancer("", PlacementKind::kFinishFirst);
  options.policy.ordering = Ordering::kShortest;
  options.models[1].expected_service = 20ms;
  options.score.shortest_service = shortest_service;
  VirtualCluster cluster(options, {.service_cv = 0, .service = {1ms, 20ms}});
  all_ready(cluster);
  for (int i = 0; i < 11'000; ++i) cluster.submit_at(at(i * 900us), asking(4, 100s, 0));
  cluster.submit_at(at(1s), asking(4, 100s, 1));
  cluster.run();
  EXPECT_TRUE(all_is_over(cluster));
  for (const Dispatch& dispatch : cluster.dispatches()) {
    if (dispatch.model == ModelId{1}) {
      const Finish& finish =
          cluster.ended().at(static_cast<std::uint64_t>(dispatch.request)).finish;
      return finish.arrival + finish.waited;
    }
    before.push_back(dispatch);
  }
  return kNever;
}

// With ageing nothing passes that comes later than the bound beside the ordering says.
TEST(Complaint02, ShortestFirstWithoutAgeingStarvesTheLong) {
  std::vector<Dispatch> before;
  EXPECT_LT(long_task_begins(10, before), at(1s + 500ms));
  for (const Dispatch& dispatch : before) EXPECT_LE(dispatch.deadline - 100s, at(1s + 10 * 20ms));
  std::vector<Dispatch> starving;
  EXPECT_GT(long_task_begins(1'000, starving), at(9s));
}

// An urgent task comes 5 ms after twenty that are not; the node serves as they come. With `credits`
// for all of them, they are there already.
Duration urgent_takes(std::optional<std::uint32_t> credits) {
  Options options = simple_options(1, 1, 1);
  options.nodes[0].credits = credits;
  options.policy.admission = Admission::kCapacityOnly;
  VirtualCluster cluster(options, {.service_cv = 0, .service = {20ms}});
  all_ready(cluster);
  for (int i = 0; i < 20; ++i) cluster.submit_at(at(0ms), asking(8, 10s));
  cluster.submit_at(at(5ms), asking(1, 10s));
  cluster.run();
  EXPECT_TRUE(all_is_over(cluster));
  // The replica is told, too.
  EXPECT_EQ(dispatched(cluster, [](const auto& d) { return d.priority == 1; }), 1);
  return cluster.ended().at(20).at - at(5ms);
}

TEST(Complaint03, OrderIsLostOnceTheEngineQueues) {
  EXPECT_LE(urgent_takes(std::nullopt), 40ms);  // what runs, and itself
  EXPECT_GE(urgent_takes(64), 400ms);
}

// Two tenants are backlogged for ten seconds, one with tasks of 30 ms, one with tasks of 1 ms:
// device time of the first ÷ that of the second.
double device_time_ratio(Fairness fairness) {
  Options options = simple_options(2, 1, 1);
  options.policy.fairness = fairness;
  options.policy.ordering = Ordering::kArrival;
  options.policy.admission = Admission::kCapacityOnly;
  options.policy.control = Control::kStatic;
  options.tenants = {{.name = "pages"}, {.name = "pictures"}};
  options.lanes[1].capacity = 20'000;
  VirtualCluster cluster(options, {.service_cv = 0, .service = {30ms, 1ms}});
  all_ready(cluster);
  for (int i = 0; i < 9'000; ++i) {
    cluster.submit_at(at(i * 10us), asking(4, 1000s, 0, 0));
    cluster.submit_at(at(i * 10us), asking(4, 1000s, 1, 1));
  }
  cluster.run_until(at(10s));
  const auto pages = dispatched(cluster, [](const auto& d) { return d.model == ModelId{0}; });
  const auto pictures = static_cast<std::ptrdiff_t>(cluster.dispatches().size()) - pages;
  cluster.run();
  EXPECT_TRUE(all_is_over(cluster));
  return 30.0 * static_cast<double>(pages) / static_cast<double>(pictures);
}

TEST(Complaint14, FairnessByTurnsIgnoresCost) {
  EXPECT_NEAR(device_time_ratio(Fairness::kTenants), 1, 0.05);
  EXPECT_NEAR(device_time_ratio(Fairness::kNone), 30, 3);  // a turn each
}

// 50 requests a second on a slot that does 100, but 400 for five seconds: shares of what it could
// have answered in time that it did, in the rush and after it.
struct Rush {
  double during = 0;
  double after = 0;
};
Rush rush(const Policy& policy) {
  Options options = simple_options(1, 1, 1);
  options.policy = policy;
  VirtualCluster cluster(options, {.seed = 3, .service = {10ms}});
  all_ready(cluster);
  for (int i = 0; i < 250; ++i) cluster.submit_at(at(i * 20ms), asking(4, 200ms));
  for (int i = 0; i < 2000; ++i) cluster.submit_at(at(5s + i * 2500us), asking(4, 200ms));
  for (int i = 0; i < 250; ++i) cluster.submit_at(at(10s + i * 20ms), asking(4, 200ms));
  cluster.run();
  EXPECT_TRUE(all_is_over(cluster));
  Rush good;
  for (const auto& [id, ended] : cluster.ended()) {
    if (!ended.in_budget()) continue;
    if (id >= 250 && id < 2250) good.during += 1.0 / 500;
    if (id >= 2250) good.after += 1.0 / 250;
  }
  return good;
}

// With the defaults: nothing has to be loaded anew for what comes after a rush to be served.
TEST(Complaint17, QueueTimeoutsCostThroughputUntilReload) {
  const Rush sluice = rush(Policy::sluice());
  EXPECT_GT(sluice.during, 0.9);
  EXPECT_GT(sluice.after, 0.95);
  const Rush fifo = rush(*policy_named("fifo"));
  EXPECT_LT(fifo.during, 0.2);
  EXPECT_LT(fifo.after, 0.2);
}

}  // namespace
}  // namespace sluice::test
