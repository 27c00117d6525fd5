#include "core/placement/ratio_histogram.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace sluice::core {
namespace {

// Quantiles of a lognormal with mean 1.
double lognormal_quantile(double cv, double z) {
  const double variance = std::log(1 + cv * cv);
  return std::exp(z * std::sqrt(variance) - variance / 2);
}

constexpr double kZ95 = 1.645;
constexpr double kZ99 = 2.326;

TEST(RatioHistogram, BeginsAsItsPrior) {
  const RatioHistogram empty;
  EXPECT_NEAR(empty.quantile(0.95), RatioHistogram::kPriorP95, 0.02);
  EXPECT_NEAR(empty.quantile(0.95), lognormal_quantile(0.5, kZ95), 0.02);
  EXPECT_NEAR(empty.quantile(0.5), lognormal_quantile(0.5, 0), 0.03);
  EXPECT_NEAR(empty.quantile(0.99), lognormal_quantile(0.5, kZ99), 0.1);
}

// The prior counts for five samples: their twentieth is not above, but theirs and the sample's.
TEST(RatioHistogram, OneSampleSaysLittleOfTheTail) {
  RatioHistogram one;
  one.add(1.01);
  EXPECT_GT(one.quantile(0.95), 1.6);
  EXPECT_LT(one.quantile(0.95), 2);
  RatioHistogram wild;
  wild.add(100);
  EXPECT_LT(wild.quantile(0.5), 2);
  EXPECT_GT(wild.quantile(0.95), 7) << "one in six so far: not to be ruled out";
}

TEST(RatioHistogram, LearnsTheTailsOfWideAndNarrowDistributions) {
  for (const double cv : {0.1, 0.3, 1.0}) {
    RatioHistogram histogram;
    Random random(7);
    double p50 = 0;
    double p95 = 0;
    double p99 = 0;
    constexpr int kSamples = 20'000;
    for (std::uint32_t i = 0; i < kSamples; ++i) {
      histogram.add(random.lognormal(1, cv));
      if (i < kSamples / 2) continue;
      p50 += histogram.quantile(0.5) / (kSamples / 2);
      p95 += histogram.quantile(0.95) / (kSamples / 2);
      p99 += histogram.quantile(0.99) / (kSamples / 2);
    }
    EXPECT_NEAR(p50 / lognormal_quantile(cv, 0), 1, 0.05) << cv;
    EXPECT_NEAR(p95 / lognormal_quantile(cv, kZ95), 1, 0.05) << cv;
    EXPECT_NEAR(p99 / lognormal_quantile(cv, kZ99), 1, 0.08) << cv;
  }
}

// A fitted bell would put its 95th percentile far above both humps.
TEST(RatioHistogram, SeesTwoHumps) {
  RatioHistogram histogram;
  for (std::uint32_t i = 0; i < 2'000; ++i) histogram.add(i % 2 == 0 ? 0.52 : 1.52);
  EXPECT_LT(histogram.quantile(0.45), 0.7);
  EXPECT_GT(histogram.quantile(0.55), 1.4);
  EXPECT_LE(histogram.quantile(0.99), 1.75);
}

TEST(RatioHistogram, ForgetsWhatWas) {
  RatioHistogram histogram;
  for (std::uint32_t i = 0; i < 1'000; ++i) histogram.add(3);
  for (std::uint32_t i = 0; i < 500; ++i) histogram.add(1.1);
  EXPECT_LT(histogram.quantile(0.95), 1.3);
}

TEST(RatioHistogram, WhatIsOutOfRangeCountsAtItsEnds) {
  RatioHistogram histogram;
  for (std::uint32_t i = 0; i < 1'000; ++i) histogram.add(i % 2 == 0 ? 1e-300 : 1e300);
  EXPECT_GT(histogram.quantile(0.95), 7);
  EXPECT_LE(histogram.quantile(0.99), 8);
  EXPECT_LT(histogram.quantile(0.4), 0.57);
}

TEST(RatioHistogram, LargerSharesLieHigher) {
  RatioHistogram histogram;
  Random random(3);
  for (std::uint32_t i = 0; i < 500; ++i) {
    histogram.add(random.lognormal(1, 0.8));
    for (double q = 0.5; q < 0.98; q += 0.01) {
      ASSERT_LE(histogram.quantile(q), histogram.quantile(q + 0.01));
    }
  }
}

}  // namespace
}  // namespace sluice::core
