#include "workload/traffic.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::workload {
namespace {

using std::chrono::seconds;

RateCurve two_phases() {
  return RateCurve(
      {{.name = "one", .duration = seconds(2), .rate_from_rps = 100, .rate_to_rps = 100},
       {.name = "two", .duration = seconds(2), .rate_from_rps = 300, .rate_to_rps = 300}});
}

std::vector<Arrival> all(Traffic traffic) {
  std::vector<Arrival> arrivals;
  while (const auto next = traffic.next()) arrivals.push_back(*next);
  return arrivals;
}

TEST(Traffic, ComesInOrderAndKnowsItsPhase) {
  const auto arrivals = all({Process::kPoisson, two_phases(), Mix({{.name = "a"}}), 1});
  ASSERT_GT(arrivals.size(), 700u);
  for (std::size_t i = 1; i < arrivals.size(); ++i) {
    EXPECT_GE(arrivals[i].at, arrivals[i - 1].at);
    EXPECT_EQ(arrivals[i].phase, arrivals[i].at > seconds(2) ? 1u : 0u);
  }
}

TEST(Traffic, AnotherMixLeavesTheTimesAlone) {
  const auto one = all({Process::kPoisson, two_phases(), Mix({{.name = "a"}}), 9});
  const auto two = all({Process::kPoisson, two_phases(), Mix({{.name = "a"}, {.name = "b"}}), 9});
  ASSERT_EQ(one.size(), two.size());
  std::size_t of_b = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].at, two[i].at);
    of_b += two[i].request_class;
  }
  EXPECT_NEAR(static_cast<double>(of_b), static_cast<double>(two.size()) / 2, 80);
}

TEST(Traffic, SameSeedSameTraffic) {
  const Mix mix({{.name = "a"}, {.name = "b"}});
  const auto one = all({Process::kPoisson, two_phases(), mix, 9});
  const auto two = all({Process::kPoisson, two_phases(), mix, 9});
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].at, two[i].at);
    EXPECT_EQ(one[i].request_class, two[i].request_class);
  }
}

}  // namespace
}  // namespace sluice::workload
