#include "core/placement/service_estimate.h"

#include <gtest/gtest.h>

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

TEST(ServiceEstimate, SpreadIsTheMeanDistanceFromTheLine) {
  ServiceEstimate estimate;
  for (int i = 0; i < 400; ++i) estimate.add(i % 2 == 0 ? 8ms : 12ms, 100, kNow, 0.01);
  EXPECT_NEAR(to_ms(estimate.spread()), 2, 0.2);
}

TEST(ServiceEstimate, NegativeServiceCountsAsNone) {
  ServiceEstimate estimate;
  estimate.add(-5ms, 100, kNow, kAlpha);
  EXPECT_EQ(estimate.predict(100), 0ms);
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
