#include "sim/traffic.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "sim/scenario_file.h"

namespace sluice::sim {
namespace {

// One model, one node; what arrives is the case's.
Scenario world(const std::string& traffic) {
  return parse_scenario(
      "models: {a: {}, b: {}, c: {}}\n"
      "node_kinds: {gpu: {}}\n"
      "service_time: {mean_ms: {a: {gpu: 1}, b: {gpu: 1}, c: {gpu: 1}}}\n"
      "traffic: " +
          traffic + "\n",
      "world.yaml");
}

std::vector<Request> all(const Scenario& scenario, std::uint64_t seed = 1) {
  Traffic traffic(scenario, seed);
  std::vector<Request> requests;
  while (const auto request = traffic.next()) requests.push_back(*request);
  return requests;
}

double seconds_of(const Request& request) {
  return to_seconds(request.at.time_since_epoch());
}

std::vector<int> per_second(const std::vector<Request>& requests, std::size_t seconds) {
  std::vector<int> counts(seconds);
  for (const Request& r : requests) ++counts.at(static_cast<std::size_t>(seconds_of(r)));
  return counts;
}

struct Moments {
  double mean = 0;
  double cv = 0;
};

Moments moments_of(const std::vector<double>& values) {
  double sum = 0;
  double squares = 0;
  for (const double x : values) {
    sum += x;
    squares += x * x;
  }
  const auto n = static_cast<double>(values.size());
  const double mean = sum / n;
  return {mean, std::sqrt(squares / n - mean * mean) / mean};
}

Moments gaps_of(const std::vector<Request>& requests) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < requests.size(); ++i)
    gaps.push_back(seconds_of(requests[i]) - seconds_of(requests[i - 1]));
  return moments_of(gaps);
}

TEST(SimTraffic, ConstantArrivalsAreEvenlySpaced) {
  const auto requests =
      all(world("{arrivals: {process: constant}, phases: [{duration_s: 10, rate: 50}]}"));
  EXPECT_NEAR(static_cast<double>(requests.size()), 500, 1);
  const Moments gaps = gaps_of(requests);
  EXPECT_NEAR(gaps.mean, 0.02, 1e-6);
  EXPECT_LT(gaps.cv, 1e-6);
}

TEST(SimTraffic, PoissonAndGammaGapsVaryAsAsked) {
  const auto poisson = gaps_of(all(world("{phases: [{duration_s: 100, rate: 2000}]}")));
  EXPECT_NEAR(poisson.mean, 1 / 2000.0, 1e-5);
  EXPECT_NEAR(poisson.cv, 1, 0.02);
  for (const auto& [cv, text] : {std::pair{0.5, "0.5"}, std::pair{3.0, "3"}}) {
    const auto gamma = gaps_of(all(world(std::string("{arrivals: {process: gamma, cv: ") + text +
                                         "}, phases: [{duration_s: 100, rate: 2000}]}")));
    EXPECT_NEAR(gamma.mean, 1 / 2000.0, 3e-5) << cv;
    EXPECT_NEAR(gamma.cv, cv, 0.05 * cv) << cv;
  }
}

TEST(SimTraffic, ComesInOrderWithinItsPhases) {
  const auto requests =
      all(world("{phases: [{duration_s: 2, rate: 500}, {duration_s: 1, rate: 0}, {duration_s: 2, "
                "rate: 900}]}"));
  double last = 0;
  for (const Request& r : requests) {
    ASSERT_GE(seconds_of(r), last);
    last = seconds_of(r);
    ASSERT_EQ(r.phase, last < 2 ? 0U : 2U) << last;
    ASSERT_LT(last, 5);
  }
  const auto counts = per_second(requests, 5);
  EXPECT_EQ(counts[2], 0);
  // Five standard deviations.
  EXPECT_NEAR(counts[0] + counts[1], 1000, 5 * std::sqrt(1000));
  EXPECT_NEAR(counts[3] + counts[4], 1800, 5 * std::sqrt(1800));
}

TEST(SimTraffic, RampsAreLinear) {
  const auto up =
      per_second(all(world("{phases: [{duration_s: 10, rate_from: 0, rate_to: 20000}]}")), 10);
  const auto down =
      per_second(all(world("{phases: [{duration_s: 10, rate_from: 20000, rate_to: 0}]}")), 10);
  for (std::size_t s = 0; s < 10; ++s) {
    const double expected = 2000 * (static_cast<double>(s) + 0.5);
    EXPECT_NEAR(up[s], expected, 5 * std::sqrt(expected)) << s;
    EXPECT_NEAR(down[9 - s], expected, 5 * std::sqrt(expected)) << s;
  }
}

TEST(SimTraffic, ModulationIsOneFactorAWholeSecond) {
  const auto counts =
      per_second(all(world("{arrivals: {process: constant, modulation: {cv: 0.5, cap: 2.0}},"
                           " phases: [{duration_s: 2000, rate_from: 1000, rate_to: 1000}]}")),
                 2000);
  std::vector<double> factors;
  double most = 0;
  for (const int count : counts) {
    factors.push_back(count / 1000.0);
    most = std::max(most, factors.back());
  }
  // The cap cuts a little of both.
  const Moments found = moments_of(factors);
  EXPECT_NEAR(found.mean, 0.98, 0.03);
  EXPECT_NEAR(found.cv, 0.43, 0.04);
  EXPECT_LE(most, 2.001);
  EXPECT_GT(most, 1.9);
}

TEST(SimTraffic, ModulationHoldsWithinASecond) {
  const auto requests =
      all(world("{arrivals: {process: constant, modulation: {cv: 0.5}},"
                " phases: [{duration_s: 50, rate: 1000}]}"));
  // Gaps of one second are all equal, whatever the factor.
  for (std::size_t i = 2; i < requests.size(); ++i) {
    const double a = seconds_of(requests[i - 2]);
    const double b = seconds_of(requests[i - 1]);
    const double c = seconds_of(requests[i]);
    if (std::floor(a) != std::floor(c)) continue;
    ASSERT_NEAR(b - a, c - b, 1e-8) << c;
  }
}

TEST(SimTraffic, StreamsAreModulatedEachByItself) {
  const Scenario scenario = world(
      "{arrivals: {process: constant, modulation: {cv: 0.3}}, streams: ["
      "{name: x, phases: [{duration_s: 50, rate: 1000}]},"
      "{name: y, phases: [{duration_s: 50, rate: 1000}]}]}");
  std::vector<Request> x;
  std::vector<Request> y;
  for (const Request& r : all(scenario)) (r.stream == 0 ? x : y).push_back(r);
  const auto of_x = per_second(x, 50);
  const auto of_y = per_second(y, 50);
  int same = 0;
  for (std::size_t s = 0; s < 50; ++s) same += std::abs(of_x[s] - of_y[s]) <= 1 ? 1 : 0;
  EXPECT_LT(same, 10);
}

TEST(SimTraffic, OnOffIsSilentWhileOff) {
  const auto counts = per_second(
      all(world("{arrivals: {process: constant, on_off: {on_s: 1, off_s: 3, lengths: constant}},"
                " phases: [{duration_s: 40, rate: 100}]}")),
      40);
  int on = 0;
  for (const int count : counts) {
    EXPECT_TRUE(count == 0 || std::abs(count - 100) <= 1) << count;
    on += count > 0 ? 1 : 0;
  }
  EXPECT_NEAR(on, 10, 1);
}

TEST(SimTraffic, BurstsMultiplyTheRateForTheShareOfTimeTheyLast) {
  const auto requests =
      all(world("{arrivals: {on_off: {on_s: 0.2, off_s: 0.8, on: 6, off: 1}},"
                " phases: [{duration_s: 2000, rate: 50}]}"));
  EXPECT_NEAR(static_cast<double>(requests.size()) / 2000, 50 * (0.2 * 6 + 0.8), 5);
}

TEST(SimTraffic, LabelsFollowTheirWeights) {
  const Scenario scenario = world(
      "{mix: {a: 6, b: 3, c: 0}, tenants: {one: 1, two: 3},"
      " priority_weights: {a: [0, 1, 0, 0, 0, 0, 0, 0, 3, 0]},"
      " phases: [{duration_s: 90, rate: 1000}]}");
  const auto requests = all(scenario);
  const auto n = static_cast<double>(requests.size());
  double of_a = 0;
  double of_a_at_8 = 0;
  double of_two = 0;
  for (const Request& r : requests) {
    ASSERT_NE(r.model, 2U);
    if (r.model == 0) {
      ++of_a;
      of_a_at_8 += r.priority == 8 ? 1 : 0;
      ASSERT_TRUE(r.priority == 1 || r.priority == 8);
    }
    of_two += r.tenant == 1 ? 1 : 0;
  }
  EXPECT_NEAR(of_a / n, 2.0 / 3, 0.01);
  EXPECT_NEAR(of_a_at_8 / of_a, 0.75, 0.01);
  EXPECT_NEAR(of_two / n, 0.75, 0.01);
}

bool same(const Request& a, const Request& b) {
  return a.at == b.at && a.stream == b.stream && a.phase == b.phase && a.model == b.model &&
         a.priority == b.priority && a.tenant == b.tenant;
}

TEST(SimTraffic, IsTheSameForASeedAndAnotherForAnother) {
  const Scenario scenario = load_scenario("scenarios/bursts.yaml");
  const auto first = all(scenario, 7);
  const auto again = all(scenario, 7);
  ASSERT_EQ(first.size(), again.size());
  for (std::size_t i = 0; i < first.size(); ++i) ASSERT_TRUE(same(first[i], again[i])) << i;
  EXPECT_NE(all(scenario, 8).front().at, first.front().at);
}

TEST(SimTraffic, AStreamIsNotMovedByWhatFollowsIt) {
  const std::string x = "{name: x, phases: [{duration_s: 5, rate: 100}]}";
  const std::string y = "{name: y, phases: [{duration_s: 9, rate: 300}]}";
  const auto alone = all(world("{streams: [" + x + "]}"));
  std::vector<Request> among;
  for (const Request& r : all(world("{streams: [" + x + ", " + y + "]}"))) {
    if (r.stream == 0) among.push_back(r);
  }
  ASSERT_EQ(alone.size(), among.size());
  for (std::size_t i = 0; i < alone.size(); ++i) ASSERT_TRUE(same(alone[i], among[i])) << i;
}

TEST(SimTraffic, AnotherMixLeavesTheTimesAsTheyWere) {
  const auto even = all(world("{phases: [{duration_s: 5, rate: 100}]}"));
  const auto odd = all(world("{mix: {a: 1}, phases: [{duration_s: 5, rate: 100}]}"));
  ASSERT_EQ(even.size(), odd.size());
  for (std::size_t i = 0; i < even.size(); ++i) ASSERT_EQ(even[i].at, odd[i].at);
}

// Changes with the algorithms that draw: then every recorded figure is another's.
TEST(SimTraffic, FirstArrivalsOfASeedAreFixed) {
  const auto requests = all(world("{phases: [{duration_s: 1, rate: 10}]}"), 42);
  ASSERT_GE(requests.size(), 3U);
  std::string text;
  for (std::size_t i = 0; i < 3; ++i) {
    text += std::to_string(requests[i].at.time_since_epoch().count()) + " " +
            std::to_string(requests[i].model) + " " + std::to_string(requests[i].priority) + "\n";
  }
  EXPECT_EQ(text, "76830537 1 4\n159150828 1 8\n427443680 1 9\n");
}

// 2.9 M requests, as the head of the file promises; the peak holds for 300 s.
TEST(SimTraffic, OfTheReferenceIsWhatItPromises) {
  Traffic traffic(load_scenario("scenarios/reference.yaml"), 1);
  std::size_t count = 0;
  std::size_t in_burst = 0;
  while (const auto request = traffic.next()) {
    ++count;
    in_burst += request->phase == 2 ? 1 : 0;
  }
  // Modulation moves the sum by 11 thousand, the burst's by 9 thousand; four times that.
  EXPECT_NEAR(static_cast<double>(count), 2.916e6, 0.044e6);
  EXPECT_NEAR(static_cast<double>(in_burst), 1.5e6, 0.036e6);
}

}  // namespace
}  // namespace sluice::sim
