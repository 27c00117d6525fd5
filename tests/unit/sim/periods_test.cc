#include "sim/periods.h"

#include <gtest/gtest.h>

#include "unit/sim/small_world.h"

namespace sluice::sim {
namespace {

workload::Phase phase(const char* name, int duration_s, double from, double to) {
  return {.name = name, .duration = seconds(duration_s), .rate_from_rps = from, .rate_to_rps = to};
}

TEST(Periods, OneStreamsPhasesKeepTheirNames) {
  Scenario scenario = small_world();
  scenario.streams[0].phases = {phase("calm", 10, 1, 1), phase("ramp", 5, 1, 9),
                                phase("hold", 20, 9, 9)};
  const auto periods = phases_of(scenario);
  ASSERT_EQ(periods.size(), 3u);
  EXPECT_EQ(periods[1].name, "ramp");
  EXPECT_EQ(periods[1].begin, seconds(10));
  EXPECT_EQ(periods[2].end, seconds(35));
  EXPECT_EQ(traffic_end(scenario), seconds(35));
  EXPECT_EQ(peak_of(scenario).begin, seconds(15));
  EXPECT_EQ(peak_of(scenario).end, seconds(35));
}

TEST(Periods, SeveralStreamsAreNamedAndTheirRatesAddUp) {
  Scenario scenario = small_world();
  Stream burst = scenario.streams[0];
  burst.name = "burst";
  burst.phases = {phase("calm", 6, 0, 0), phase("up", 2, 0, 100), phase("calm again", 1, 0, 0)};
  scenario.streams.push_back(burst);
  const auto periods = phases_of(scenario);
  ASSERT_EQ(periods.size(), 4u);
  EXPECT_EQ(periods[0].name, "all");
  EXPECT_EQ(periods[2].name, "burst/up");
  EXPECT_EQ(first_phases(scenario), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(peak_of(scenario).begin, seconds(6));
  EXPECT_EQ(peak_of(scenario).end, seconds(8));
}

TEST(Periods, AStreamThatHasEndedSendsNothing) {
  Scenario scenario = small_world();
  Stream late = scenario.streams[0];
  late.phases = {phase("long", 20, 60, 60)};
  scenario.streams.push_back(late);
  EXPECT_EQ(peak_of(scenario).end, seconds(10));
  EXPECT_EQ(traffic_end(scenario), seconds(20));
}

}  // namespace
}  // namespace sluice::sim
