#include "sim/rate_segments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace sluice::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::vector<workload::Phase> two_phases() {
  return {{.name = "ramp", .duration = milliseconds(2500), .rate_from_rps = 0, .rate_to_rps = 100},
          {.name = "hold", .duration = seconds(2), .rate_from_rps = 100, .rate_to_rps = 100}};
}

std::vector<RateSegment> all(const Arrivals& arrivals, std::uint64_t seed = 1) {
  RateSegments segments(two_phases(), arrivals, seed);
  std::vector<RateSegment> list;
  while (const auto segment = segments.next()) list.push_back(*segment);
  return list;
}

TEST(RateSegments, WithoutModulationAreThePhases) {
  const auto list = all({});
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].end, milliseconds(2500));
  EXPECT_EQ(list[0].to_rps, 100);
  EXPECT_EQ(list[1].phase, 1U);
  EXPECT_EQ(list[1].end, milliseconds(4500));
}

TEST(RateSegments, FollowEachOtherWithoutAGapAndEndAtWholeIntervalsAndPhases) {
  Arrivals arrivals;
  arrivals.modulation.cv = 0.3;
  const auto list = all(arrivals);
  std::vector<Duration> ends;
  Duration last{0};
  for (const RateSegment& segment : list) {
    EXPECT_EQ(segment.begin, last);
    last = segment.end;
    ends.push_back(last);
  }
  EXPECT_EQ(ends, (std::vector<Duration>{seconds(1), seconds(2), milliseconds(2500), seconds(3),
                                         seconds(4), milliseconds(4500)}));
}

TEST(RateSegments, AFactorOutlivesAPhase) {
  Arrivals arrivals;
  arrivals.modulation.cv = 0.3;
  const auto list = all(arrivals);
  // From 2 s to 3 s one factor holds, and the rate does not jump at 2.5 s.
  EXPECT_DOUBLE_EQ(list[2].to_rps, list[3].from_rps);
  EXPECT_NE(list[3].to_rps, list[4].from_rps);
}

TEST(RateSegments, OnAndOffTakeTurns) {
  Arrivals arrivals;
  arrivals.on_off = OnOff{.on = milliseconds(500),
                          .off = milliseconds(500),
                          .on_factor = 3,
                          .off_factor = 0.5,
                          .lengths = SpellLengths::kConstant};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto list = all(arrivals, seed);
    ASSERT_EQ(list.size(), 9U);
    for (std::size_t i = 6; i < list.size(); ++i) {
      EXPECT_EQ(std::max(list[i].from_rps, list[i - 1].from_rps), 300);
      EXPECT_EQ(std::min(list[i].from_rps, list[i - 1].from_rps), 50);
    }
  }
}

TEST(RateSegments, ReachStaysInsideAndIsTheInverseOfTheIntegral) {
  for (const auto& [from, to] : {std::pair{0.0, 100.0}, {100.0, 0.0}, {70.0, 70.0}, {20.0, 90.0}}) {
    const RateSegment segment{
        .begin = seconds(5), .end = seconds(7), .phase = 0, .from_rps = from, .to_rps = to};
    EXPECT_EQ(segment.reach(0), seconds(5));
    EXPECT_LT(segment.reach(segment.expected_arrivals()), seconds(7));
    for (const double share : {0.1, 0.5, 0.9}) {
      const double wanted = share * segment.expected_arrivals();
      const double t = to_seconds(segment.reach(wanted) - segment.begin);
      EXPECT_NEAR(from * t + (to - from) / 4 * t * t, wanted, 1e-5) << from << " to " << to;
    }
  }
}

}  // namespace
}  // namespace sluice::sim
