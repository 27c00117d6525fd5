#include "core/admission/token_bucket.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kStart{1h};
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(TokenBucket, StartsFullAndGivesTheBurstAtOnce) {
  TokenBucket bucket(10, 3, kStart);
  EXPECT_TRUE(bucket.take(1, kStart));
  EXPECT_TRUE(bucket.take(2, kStart));
  EXPECT_FALSE(bucket.take(1, kStart));
}

TEST(TokenBucket, RefillsAtItsRateUpToItsBurst) {
  TokenBucket bucket(10, 3, kStart);
  ASSERT_TRUE(bucket.take(3, kStart));
  EXPECT_NEAR(bucket.level(kStart + 150ms), 1.5, 1e-9);
  EXPECT_EQ(bucket.level(kStart + 1h), 3);
}

TEST(TokenBucket, SaysHowLongToWaitAndMeansIt) {
  TokenBucket bucket(10, 3, kStart);
  ASSERT_TRUE(bucket.take(3, kStart));
  const Duration wait = bucket.until(2, kStart);
  EXPECT_NEAR(to_ms(wait), 200, 1e-5);
  EXPECT_FALSE(bucket.take(2, kStart + wait - 1us));
  EXPECT_EQ(bucket.until(2, kStart + wait), Duration(0));
  EXPECT_TRUE(bucket.take(2, kStart + wait));
}

TEST(TokenBucket, MoreThanTheBurstIsGrantedWhenFullAndOwed) {
  TokenBucket bucket(10, 3, kStart);
  ASSERT_TRUE(bucket.take(1, kStart));
  EXPECT_FALSE(bucket.take(13, kStart));
  EXPECT_TRUE(bucket.take(13, kStart + 100ms));
  EXPECT_NEAR(to_ms(bucket.until(1, kStart + 100ms)), 1'100, 1e-5);
}

TEST(TokenBucket, ChargesIntoDebtAndGivesBack) {
  TokenBucket bucket(1, 2, kStart);
  bucket.charge(5, kStart);
  EXPECT_EQ(bucket.level(kStart), -3);
  EXPECT_FALSE(bucket.take(1, kStart + 3s));
  bucket.charge(-4, kStart + 3s);
  EXPECT_EQ(bucket.level(kStart + 3s), 2) << "no more than the burst";
  bucket.charge(1, kStart + 3s);
  EXPECT_EQ(bucket.level(kStart + 3s), 1);
}

TEST(TokenBucket, WithoutARateNothingComesBack) {
  TokenBucket bucket(0, 1, kStart);
  ASSERT_TRUE(bucket.take(1, kStart));
  EXPECT_EQ(bucket.until(1, kStart), Duration::max());
  EXPECT_FALSE(bucket.take(1, kNever));
}

// Requests of one token, one at a time: 10 a second, with no burst to save up.
TEST(TokenBucket, WithoutABurstTheRateHoldsNevertheless) {
  TokenBucket bucket(10, 0, kStart);
  int granted = 0;
  for (auto at = kStart; at < kStart + 10s; at += 1ms) granted += bucket.take(1, at);
  EXPECT_EQ(granted, 100);
}

TEST(TokenBucket, ANewRateKeepsWhatIsThere) {
  TokenBucket bucket(10, 10, kStart);
  ASSERT_TRUE(bucket.take(10, kStart));
  bucket.set_rate(100, 20, kStart + 500ms);
  EXPECT_NEAR(bucket.level(kStart + 500ms), 5, 1e-9);
  EXPECT_NEAR(bucket.level(kStart + 600ms), 15, 1e-9);
  bucket.set_rate(100, 2, kStart + 600ms);
  EXPECT_EQ(bucket.level(kStart + 600ms), 2);
  bucket.charge(4, kStart + 600ms);
  bucket.set_rate(1, 50, kStart + 600ms);
  EXPECT_NEAR(bucket.level(kStart + 600ms), -2, 1e-9);
}

TEST(TokenBucket, TimeThatGoesBackRefillsNothing) {
  TokenBucket bucket(10, 1, kStart);
  ASSERT_TRUE(bucket.take(1, kStart));
  EXPECT_FALSE(bucket.take(1, kStart - 1h));
  EXPECT_FALSE(bucket.take(1, kStart + 99ms));
  EXPECT_FALSE(bucket.take(1, kStart - 1h));
  EXPECT_TRUE(bucket.take(1, kStart + 100ms));
}

// A week of being asked every millisecond, on the edge all along.
TEST(TokenBucket, DoesNotDrift) {
  TokenBucket bucket(1.0 / 3, 5, kStart);
  ASSERT_TRUE(bucket.take(5, kStart));
  std::uint64_t granted = 0;
  for (std::int64_t ms = 0; ms < 7 * 86'400 * 10; ++ms) {
    granted += bucket.take(1, kStart + ms * 100ms);
  }
  EXPECT_EQ(granted, 7 * 86'400u / 3 - 1);
}

// What comes in between two looks is far less than the last digit of the level.
TEST(TokenBucket, LooksDoNotCostTokens) {
  TokenBucket bucket(1, 1e9, kStart);
  bucket.charge(1e9, kStart);
  auto at = kStart;
  for (int i = 0; i < 3'000'000; ++i) {
    at += 1us;
    bucket.take(1e9, at);
    bucket.charge(0, at);
  }
  EXPECT_NEAR(bucket.level(at), 3, 1e-6);
}

TEST(TokenBucket, ExtremesStayFinite) {
  TokenBucket bucket(kInfinity, kInfinity, TimePoint::min());
  EXPECT_TRUE(bucket.take(kInfinity, TimePoint::max()));
  bucket.charge(kInfinity, TimePoint::max());
  EXPECT_TRUE(std::isfinite(bucket.level(TimePoint::max())));
  EXPECT_GE(bucket.until(kInfinity, TimePoint::max()), Duration(0));

  TokenBucket slow(1e-15, 1, TimePoint::min());
  ASSERT_TRUE(slow.take(1, TimePoint::min()));
  EXPECT_EQ(slow.until(1, TimePoint::min()), Duration::max());
  EXPECT_LT(slow.level(TimePoint::max()), 1);
}

TEST(TokenBucket, NonsenseIsNothing) {
  TokenBucket bucket(kNan, -1, kStart);
  EXPECT_EQ(bucket.rate(), 0);
  EXPECT_EQ(bucket.burst(), 0);
  EXPECT_TRUE(bucket.take(kNan, kStart));
  EXPECT_TRUE(bucket.take(-1, kStart));
  bucket.charge(kNan, kStart);
  EXPECT_EQ(bucket.level(kStart), 0);
  EXPECT_EQ(bucket.until(kNan, kStart), Duration(0));
}

}  // namespace
}  // namespace sluice::core
