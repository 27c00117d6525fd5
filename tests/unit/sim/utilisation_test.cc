#include "sim/utilisation.h"

#include <gtest/gtest.h>

#include "unit/sim/small_world.h"

namespace sluice::sim {
namespace {

// One node of two slots runs "long" from 1 ms to 101 ms; the other is idle.
class UtilisationTest : public ::testing::Test {
 protected:
  UtilisationTest() {
    JobTable& jobs = cluster_.jobs();
    const JobId id = jobs.acquire();
    jobs[id.slot].attempt = {0, 1};
    jobs[id.slot].model = 1;
    cluster_.send(id, TimePoint{});
    while (!events_.empty()) {
      const Event event = events_.pop();
      if (event.kind == EventKind::kPeriodEnds) {
        utilisation_.on(event);
      } else if (event.kind != EventKind::kReachGateway) {
        cluster_.on(event);
      }
    }
  }

  static Scenario world() {
    Scenario scenario = small_world(2);
    scenario.streams[0].phases = {
        {.name = "first", .duration = milliseconds(51), .rate_from_rps = 9, .rate_to_rps = 9},
        {.name = "second", .duration = milliseconds(149), .rate_from_rps = 1, .rate_to_rps = 1}};
    scenario.window = {milliseconds(11), milliseconds(21)};
    return scenario;
  }

  Scenario scenario_ = world();
  Draws draws_{scenario_, 1};
  EventQueue events_;
  Strikes strikes_{2};
  Cluster cluster_{scenario_, draws_, events_, strikes_, 10};
  Utilisation utilisation_{scenario_, cluster_, events_};
};

TEST_F(UtilisationTest, IsBusySlotTimeOfThePeriod) {
  const Period window{.begin = milliseconds(11), .end = milliseconds(21)};
  EXPECT_DOUBLE_EQ(utilisation_.share(0, window), 0.5);
  EXPECT_DOUBLE_EQ(utilisation_.share(1, window), 0);
  EXPECT_DOUBLE_EQ(utilisation_.mean_share(window), 0.25);
}

TEST_F(UtilisationTest, FillsPeakPhasesReplicasAndKinds) {
  workload::Run run;
  utilisation_.fill(run);
  EXPECT_DOUBLE_EQ(*run.utilization_share, 50.0 / 51 / 4);
  EXPECT_DOUBLE_EQ(*run.phases.at("second").utilization_share, 50.0 / 149 / 4);
  EXPECT_DOUBLE_EQ(*run.replicas.at("box-0").utilization_share, 0.25);
  utilisation_.fill_kinds(run.measures);
  EXPECT_DOUBLE_EQ(*run.measures.at("utilization_box_share"), 50.0 / 51 / 4);
}

}  // namespace
}  // namespace sluice::sim
