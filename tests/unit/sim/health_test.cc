#include "sim/health.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "unit/sim/small_world.h"

namespace sluice::sim {
namespace {

using Said = std::vector<std::string>;

class HealthTest : public ::testing::Test {
 protected:
  HealthTest() : scenario_(small_world(1)), draws_(scenario_, 1), strikes_(1) {
    scenario_.health_check = seconds(4);
    cluster_ = std::make_unique<Cluster>(scenario_, draws_, events_, strikes_, 100);
  }

  void watch(Health::Watch watch) {
    health_ = std::make_unique<Health>(scenario_, watch, *cluster_, draws_, strikes_, events_);
  }
  // What the core would be told until this time.
  Said until(Duration time) {
    Said said;
    while (events_.next_at() <= TimePoint(time)) {
      const Event event = events_.pop();
      const auto report = health_->on(event);
      if (!report) continue;
      said.push_back((report->ready ? "ready at " : "not ready at ") +
                     std::to_string(event.at.time_since_epoch() / milliseconds(1)) + " ms");
      last_ = *report;
    }
    now_ = TimePoint(time);
    return said;
  }
  void set(const Condition& condition) {
    cluster_->set_condition(0, condition, now_);
    health_->look_at(0, now_);
  }

  Scenario scenario_;
  Draws draws_;
  EventQueue events_;
  Strikes strikes_;
  std::unique_ptr<Cluster> cluster_;
  std::unique_ptr<Health> health_;
  core::NodeReport last_;
  TimePoint now_;
};

TEST_F(HealthTest, ProbesEverySecondAndMeasuresTheRoundTrip) {
  watch(Health::Watch::kProbing);
  EXPECT_TRUE(health_->first_report(0).ready);
  EXPECT_EQ(until(milliseconds(2500)), (Said{"ready at 1002 ms", "ready at 2002 ms"}));
  EXPECT_EQ(last_.round_trip, milliseconds(2));
}

TEST_F(HealthTest, ASilentNodeIsNotReadyASecondAfterItsProbe) {
  watch(Health::Watch::kProbing);
  until(milliseconds(1500));
  set({.silent = true});
  EXPECT_EQ(until(milliseconds(3500)), Said{"not ready at 3000 ms"});
  set({});
  EXPECT_EQ(until(milliseconds(4500)), (Said{"not ready at 4000 ms", "ready at 4002 ms"}));
}

TEST_F(HealthTest, ARefusedConnectionIsSeenAtOnce) {
  watch(Health::Watch::kProbing);
  set({.crashed = true});
  EXPECT_EQ(until(milliseconds(1500)), Said{"not ready at 1002 ms"});
}

TEST_F(HealthTest, APartitionIsStruckByTheProbeThatItSwallows) {
  watch(Health::Watch::kProbing);
  strikes_.arm(0, FaultKind::kPartition);
  set({.cut_off = true});
  EXPECT_EQ(until(milliseconds(2100)), Said{"not ready at 2000 ms"});
  EXPECT_EQ(strikes_.count(FaultKind::kPartition), 1u);
}

TEST_F(HealthTest, StaleFiguresStayAsTheyWere) {
  watch(Health::Watch::kProbing);
  until(milliseconds(1500));
  strikes_.arm(0, FaultKind::kStaleMetrics);
  set({.stale_metrics = true});
  scenario_.paths[0] = {.name = "far", .least = milliseconds(50), .most = milliseconds(50)};
  until(milliseconds(2500));
  EXPECT_EQ(last_.round_trip, milliseconds(2));
  EXPECT_EQ(strikes_.count(FaultKind::kStaleMetrics), 1u);
  set({});
  until(milliseconds(3500));
  EXPECT_EQ(last_.round_trip, milliseconds(100));
}

TEST_F(HealthTest, ABalancerKnowsOnlyAfterTheTimeOfItsHealthCheck) {
  watch(Health::Watch::kBalancer);
  until(seconds(1));
  set({.silent = true});
  EXPECT_EQ(until(seconds(5)), Said{"not ready at 5000 ms"});
  set({});
  EXPECT_EQ(until(seconds(20)), Said{"ready at 9000 ms"});
}

TEST_F(HealthTest, ABalancerNeverKnowsOfWhatIsOverSooner) {
  watch(Health::Watch::kBalancer);
  until(seconds(1));
  set({.frozen = true});
  until(seconds(3));
  set({});
  EXPECT_EQ(until(seconds(20)), Said{"ready at 7000 ms"});
}

}  // namespace
}  // namespace sluice::sim
