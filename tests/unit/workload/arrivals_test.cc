#include "workload/arrivals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace sluice::workload {
namespace {

using std::chrono::seconds;

RateCurve steady(double rate_rps, Duration duration) {
  return RateCurve({{.name = "steady",
                     .duration = duration,
                     .rate_from_rps = rate_rps,
                     .rate_to_rps = rate_rps}});
}

std::vector<double> times_s(Arrivals arrivals) {
  std::vector<double> times;
  while (const auto next = arrivals.next()) times.push_back(to_seconds(next->at));
  return times;
}

struct Moments {
  double mean = 0;
  double cv = 0;  // coefficient of variation
};

Moments gap_moments(const std::vector<double>& times) {
  double sum = 0;
  double sum_squares = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double gap = times[i] - times[i - 1];
    sum += gap;
    sum_squares += gap * gap;
  }
  const double n = static_cast<double>(times.size() - 1);
  const double mean = sum / n;
  return {mean, std::sqrt(std::max(sum_squares / n - mean * mean, 0.0)) / mean};
}

TEST(Arrivals, ConstantGapsAreAllTheSame) {
  const auto times = times_s({Process::kConstant, steady(100, seconds(10)), 1});
  EXPECT_EQ(times.size(), 1000u);
  const Moments gaps = gap_moments(times);
  EXPECT_NEAR(gaps.mean, 0.01, 1e-9);
  EXPECT_LT(gaps.cv, 1e-3);
}

TEST(Arrivals, PoissonHasTheRateAndAVariationOfOne) {
  const auto times = times_s({Process::kPoisson, steady(1000, seconds(100)), 7});
  // 100,000 expected, standard deviation 316: five of them either way.
  EXPECT_NEAR(static_cast<double>(times.size()), 100'000, 1600);
  EXPECT_NEAR(gap_moments(times).cv, 1, 0.02);
}

TEST(Arrivals, PoissonCountsVaryAsMuchAsTheirMean) {
  std::vector<double> counts(1000);
  for (const double t : times_s({Process::kPoisson, steady(50, seconds(1000)), 3})) {
    ++counts.at(static_cast<std::size_t>(t));
  }
  double sum = 0;
  double sum_squares = 0;
  for (const double n : counts) {
    sum += n;
    sum_squares += n * n;
  }
  const double mean = sum / 1000;
  EXPECT_NEAR(mean, 50, 1.2);
  // Index of dispersion; its standard deviation here is 0.045.
  EXPECT_NEAR((sum_squares / 1000 - mean * mean) / mean, 1, 0.2);
}

TEST(Arrivals, FollowARamp) {
  const RateCurve ramp(
      {{.name = "ramp", .duration = seconds(100), .rate_from_rps = 0, .rate_to_rps = 200}});
  std::size_t first_half = 0;
  const auto times = times_s({Process::kPoisson, ramp, 5});
  for (const double t : times) first_half += t < 50 ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(times.size()), 10'000, 500);
  EXPECT_NEAR(static_cast<double>(first_half) / static_cast<double>(times.size()), 0.25, 0.02);
}

TEST(Arrivals, SameSeedSameTimes) {
  const auto curve = steady(500, seconds(5));
  EXPECT_EQ(times_s({Process::kPoisson, curve, 11}), times_s({Process::kPoisson, curve, 11}));
  EXPECT_NE(times_s({Process::kPoisson, curve, 11}), times_s({Process::kPoisson, curve, 12}));
}

}  // namespace
}  // namespace sluice::workload
