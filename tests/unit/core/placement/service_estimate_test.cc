#include "core/placement/service_estimate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow{1s};
constexpr double kAlpha = 0.1;

TEST(ServiceEstimate, WithoutSamplesItIsZeroAndNotTrusted) {
  const ServiceEstimate estimate;
  EXPECT_EQ(estimate.predict(1'000), 0ms);
  EXPECT_FALSE(estimate.trusted(kNow, {}));
}

TEST(ServiceEstimate, FirstSampleIsTakenWhole) {
  ServiceEstimate estimate;
  estimate.add(20ms, 100, kNow, kAlpha);
  EXPECT_EQ(estimate.predict(100), 20ms);
  EXPECT_EQ(estimate.mean(), 20ms);
}

TEST(ServiceEstimate, FirstSamplesAreAPlainAverage) {
  ServiceEstimate estimate;
  for (const auto service : {10ms, 20ms, 60ms}) estimate.add(service, 100, kNow, kAlpha);
  EXPECT_EQ(estimate.mean(), 30ms);
}

TEST(ServiceEstimate, FollowsAChange) {
  ServiceEstimate estimate;
  for (int i = 0; i < 100; ++i) estimate.add(10ms, 100, kNow, kAlpha);
  for (int i = 0; i < 50; ++i) estimate.add(40ms, 100, kNow, kAlpha);
  // 0.9^50 of the old value is left: 0.5 %.
  EXPECT_NEAR(to_ms(estimate.predict(100)), 40, 0.2);
}

// R19: scaled by input size. 5 ms and 1 µs a byte.
TEST(ServiceEstimate, LearnsWhatAByteCosts) {
  ServiceEstimate estimate;
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    const std::uint32_t bytes = 1'000 + random.below(20'000);
    estimate.add(5ms + bytes * 1us, bytes, kNow, kAlpha);
  }
  EXPECT_NEAR(to_ms(estimate.predict(2'000)), 7, 0.5);
  EXPECT_NEAR(to_ms(estimate.predict(20'000)), 25, 0.5);
}

TEST(ServiceEstimate, OneSizeSaysNothingOfOthers) {
  ServiceEstimate estimate;
  for (int i = 0; i < 50; ++i) estimate.add(i % 2 == 0 ? 9ms : 11ms, 1'000, kNow, kAlpha);
  EXPECT_EQ(estimate.predict(1'000'000), estimate.predict(1'000));
}

TEST(ServiceEstimate, LargerIsNeverPredictedToBeFaster) {
  ServiceEstimate estimate;
  for (int i = 0; i < 50; ++i) {
    estimate.add(20ms, 1'000, kNow, kAlpha);
    estimate.add(10ms, 9'000, kNow, kAlpha);
  }
  EXPECT_GE(estimate.predict(9'000), estimate.predict(1'000));
}

// Sizes of 1,000 and 9,000 deviate by 4,000, which is 4 ms on this line.
TEST(ServiceEstimate, LineIsFollowedToThreeDeviations) {
  ServiceEstimate estimate;
  for (int i = 0; i < 50; ++i) {
    estimate.add(1ms, 1'000, kNow, kAlpha);
    estimate.add(9ms, 9'000, kNow, kAlpha);
  }
  const double mean_ms = to_ms(estimate.mean());
  EXPECT_NEAR(to_ms(estimate.predict(1'000'000'000'000)), mean_ms + 3 * 4, 0.2);
  EXPECT_NEAR(to_ms(estimate.predict(0)), mean_ms / 8, 0.001);
}

// A handful of tiny inputs says nothing about large ones.
TEST(ServiceEstimate, NoiseOverTinySizesDoesNotReachLargeOnes) {
  ServiceEstimate estimate;
  estimate.add(24ms, 11, kNow, kAlpha);
  for (int i = 0; i < 5; ++i) estimate.add(20ms, 2, kNow, kAlpha);
  EXPECT_LT(estimate.predict(1'024), 30ms);
}

TEST(ServiceEstimate, NegativeServiceCountsAsNone) {
  ServiceEstimate estimate;
  estimate.add(-5ms, 100, kNow, kAlpha);
  EXPECT_EQ(estimate.predict(100), 0ms);
}

// Two sizes on a device whose services are lognormal: what a byte costs, and the quantiles.
TEST(ServiceEstimate, QuantilesFollowTheDistributionForEachSize) {
  ServiceEstimate estimate;
  Random random(4);
  double p95_small = 0;
  double p95_large = 0;
  double p50_large = 0;
  constexpr int kSamples = 10'000;
  for (int i = 0; i < kSamples; ++i) {
    const bool large = random.below(2) == 0;
    estimate.add(from_ms(random.lognormal(large ? 40 : 10, 0.3)), large ? 9'000 : 1'000, kNow,
                 0.05);
    if (i < 1'000) continue;
    p95_small += to_ms(estimate.p95(1'000)) / (kSamples - 1'000);
    p95_large += to_ms(estimate.quantile(9'000, 0.95)) / (kSamples - 1'000);
    p50_large += to_ms(estimate.quantile(9'000, 0.5)) / (kSamples - 1'000);
  }
  // exp(1.645 σ − σ²/2), σ² = ln(1 + cv²).
  EXPECT_NEAR(p95_small / 10, 1.56, 0.12);
  EXPECT_NEAR(p95_large / 40, 1.56, 0.12);
  EXPECT_NEAR(p50_large / 40, 0.96, 0.06);
}

TEST(ServiceEstimate, OneSampleLeavesTheTailWide) {
  ServiceEstimate estimate;
  estimate.add(20ms, 100, kNow, kAlpha);
  EXPECT_NEAR(to_ms(estimate.p95(100)), 39, 1);
  for (int i = 0; i < 200; ++i) estimate.add(20ms, 100, kNow, kAlpha);
  EXPECT_LT(estimate.p95(100), 24ms);
}

TEST(ServiceEstimate, FollowsAStepWithinTenSamples) {
  for (const double factor : {3.0, 1.0 / 3}) {
    int followed = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      ServiceEstimate estimate;
      Random random(seed);
      for (int i = 0; i < 300; ++i) {
        estimate.add(from_ms(random.lognormal(20, 0.3)), 100, kNow, kAlpha);
      }
      for (int i = 0; i < 10; ++i) {
        estimate.add(from_ms(random.lognormal(20 * factor, 0.3)), 100, kNow, kAlpha);
      }
      const double ratio = to_ms(estimate.predict(100)) / (20 * factor);
      followed += ratio > 0.75 && ratio < 1.33;
    }
    EXPECT_GE(followed, 95) << factor;
  }
}

// In both sizes, though samples of one alone have told of it.
TEST(ServiceEstimate, AStepSeenInOneSizeHoldsForTheOther) {
  ServiceEstimate estimate;
  for (int i = 0; i < 100; ++i) {
    estimate.add(i % 2 == 0 ? 5ms : 25ms, i % 2 == 0 ? 1'000 : 5'000, kNow, kAlpha);
  }
  for (int i = 0; i < 5; ++i) estimate.add(15ms, 1'000, kNow, kAlpha);
  EXPECT_NEAR(to_ms(estimate.predict(1'000)), 15, 4);
  EXPECT_GT(estimate.predict(5'000), 50ms);
}

TEST(ServiceEstimate, IsCalmInSteadyState) {
  ServiceEstimate estimate;
  Random random(9);
  double squares = 0;
  constexpr int kSamples = 20'000;
  for (int i = 0; i < kSamples; ++i) {
    estimate.add(from_ms(random.lognormal(20, 0.5)), 100, kNow, kAlpha);
    if (i < 100) continue;
    const double off = to_ms(estimate.predict(100)) / 20 - 1;
    squares += off * off / (kSamples - 100);
  }
  // A moving average alone: cv × √(alpha ÷ (2 − alpha)) = 0.115.
  EXPECT_LT(std::sqrt(squares), 0.13);
}

TEST(ServiceEstimate, OneWildSampleMovesItLittle) {
  ServiceEstimate estimate;
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    estimate.add(from_ms(random.lognormal(20, 0.2)), 100, kNow, kAlpha);
  }
  const Duration before = estimate.predict(100);
  estimate.add(2s, 100, kNow, kAlpha);
  EXPECT_LE(to_ms(estimate.predict(100)), to_ms(before) * 1.31);
  EXPECT_LT(estimate.p95(100), 2 * before);
}

// The first inference often loads and compiles.
TEST(ServiceEstimate, RecoversFromASlowFirstSample) {
  ServiceEstimate estimate;
  estimate.add(2s, 100, kNow, kAlpha);
  for (int i = 0; i < 10; ++i) estimate.add(10ms, 100, kNow, kAlpha);
  EXPECT_NEAR(to_ms(estimate.predict(100)), 10, 1);
}

TEST(ServiceEstimate, AfterAStepItIsAsTrustedAsItsNewSamples) {
  ServiceEstimate estimate;
  for (int i = 0; i < 100; ++i) estimate.add(10ms, 100, kNow, kAlpha);
  EXPECT_EQ(estimate.samples(), 100u);
  for (int i = 0; i < 5; ++i) estimate.add(40ms, 100, kNow, kAlpha);
  EXPECT_LE(estimate.samples(), 5u);
  EXPECT_GE(estimate.samples(), 3u);
}

TEST(ServiceEstimate, ABillionSamplesLeaveItAsQuick) {
  ServiceEstimate estimate;
  Random random(6);
  // The state has no sum that grows: a million stand for the rest.
  for (int i = 0; i < 1'000'000; ++i) {
    estimate.add(from_ms(random.lognormal(20, 0.2)), 100, kNow, kAlpha);
  }
  EXPECT_NEAR(to_ms(estimate.predict(100)), 20, 4);
  for (int i = 0; i < 10; ++i) {
    estimate.add(from_ms(random.lognormal(60, 0.2)), 100, kNow, kAlpha);
  }
  EXPECT_NEAR(to_ms(estimate.predict(100)), 60, 12);
}

TEST(ServiceEstimate, ZeroAndEndlessServicesAreFinite) {
  ServiceEstimate estimate;
  for (int i = 0; i < 50; ++i) estimate.add(0ms, 0, kNow, kAlpha);
  EXPECT_EQ(estimate.predict(100), 0ms);
  EXPECT_EQ(estimate.p95(100), 0ms);
  for (int i = 0; i < 10; ++i) estimate.add(10ms, 0, kNow, kAlpha);
  EXPECT_NEAR(to_ms(estimate.predict(0)), 10, 1);
  for (int i = 0; i < 50; ++i) estimate.add(Duration::max(), UINT64_MAX, kNow, kAlpha);
  EXPECT_GT(estimate.predict(UINT64_MAX), 24h);
  EXPECT_GT(estimate.quantile(UINT64_MAX, 0.99), 24h);
}

TEST(ServiceEstimate, TrustedWithEnoughSamplesWhileOneIsNew) {
  const PredictorOptions options{.min_samples = 3, .fresh_for = 10s};
  ServiceEstimate estimate;
  estimate.add(5ms, 100, kNow, kAlpha);
  estimate.add(5ms, 100, kNow, kAlpha);
  EXPECT_FALSE(estimate.trusted(kNow, options));
  estimate.add(5ms, 100, kNow, kAlpha);
  EXPECT_TRUE(estimate.trusted(kNow + 10s, options));
  EXPECT_FALSE(estimate.trusted(kNow + 10s + 1ns, options));
}

}  // namespace
}  // namespace sluice::core
