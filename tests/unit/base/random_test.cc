#include "base/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

namespace sluice {
namespace {

// From another implementation of splitmix64 and xoshiro256++. A change here changes every recorded
// run: replays of the journal and the seeds of failed simulations.
TEST(Random, FirstValuesOfASeedAreFixed) {
  Random one(1);
  EXPECT_EQ(one.next(), 0xcfc5d07f6f03c29bu);
  EXPECT_EQ(one.next(), 0xbf424132963fe08du);
  EXPECT_EQ(one.next(), 0x19a37d5757aaf520u);
  EXPECT_EQ(one.next(), 0xbf08119f05cd56d6u);
  Random zero(0);
  EXPECT_EQ(zero.next(), 0x53175d61490b23dfu);
  EXPECT_EQ(zero.next(), 0x61da6f3dc380d507u);
}

TEST(Random, SameSeedSameSequenceOfEveryDistribution) {
  Random a(42);
  Random b(42);
  for (int i = 0; i < 1'000; ++i) {
    ASSERT_EQ(a.below(7), b.below(7));
    ASSERT_EQ(a.uniform(), b.uniform());
    ASSERT_EQ(a.exponential(3), b.exponential(3));
    ASSERT_EQ(a.normal(), b.normal());
    ASSERT_EQ(a.lognormal(5, 0.5), b.lognormal(5, 0.5));
  }
}

struct Moments {
  double mean = 0;
  double deviation = 0;
};

constexpr int kDraws = 200'000;

Moments moments_of(const std::function<double()>& draw) {
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = draw();
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kDraws;
  return {mean, std::sqrt(squares / kDraws - mean * mean)};
}

TEST(Random, BelowIsUniformAndNeverReachesItsBound) {
  Random random(3);
  std::array<int, 10> seen{};
  for (int i = 0; i < kDraws; ++i) ++seen.at(random.below(10));
  // Five standard deviations of a binomial with p = 1/10.
  for (const int count : seen) EXPECT_NEAR(count, kDraws / 10, 5 * std::sqrt(kDraws * 0.09));
  EXPECT_EQ(random.below(1), 0u);
}

TEST(Random, BelowReachesBothEndsOfALargeBound) {
  Random random(4);
  std::uint32_t least = 0xffffffff;
  std::uint32_t most = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::uint32_t x = random.below(0xffffffff);
    least = std::min(least, x);
    most = std::max(most, x);
  }
  EXPECT_LT(least, 1u << 22);
  EXPECT_GT(most, 0xffffffffu - (1u << 22));
}

TEST(Random, UniformLiesInItsHalfOpenRange) {
  Random random(5);
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.uniform(-2, 3);
    ASSERT_GE(x, -2);
    ASSERT_LT(x, 3);
  }
  const Moments found = moments_of([&] { return random.uniform(); });
  EXPECT_NEAR(found.mean, 0.5, 0.005);
  EXPECT_NEAR(found.deviation, std::sqrt(1.0 / 12), 0.005);
}

TEST(Random, ExponentialHasItsMeanAsDeviation) {
  Random random(6);
  const Moments found = moments_of([&] { return random.exponential(4); });
  EXPECT_NEAR(found.mean, 4, 0.05);
  EXPECT_NEAR(found.deviation, 4, 0.1);
}

TEST(Random, ExponentialIsFiniteAndNotNegative) {
  Random random(7);
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.exponential(1);
    ASSERT_GE(x, 0);
    ASSERT_TRUE(std::isfinite(x));
  }
}

TEST(Random, NormalHasMeanZeroAndDeviationOne) {
  Random random(8);
  const Moments found = moments_of([&] { return random.normal(); });
  EXPECT_NEAR(found.mean, 0, 0.01);
  EXPECT_NEAR(found.deviation, 1, 0.01);
}

TEST(Random, LognormalHasTheMeanAndVariationAskedFor) {
  Random random(9);
  const Moments found = moments_of([&] { return random.lognormal(30, 0.5); });
  EXPECT_NEAR(found.mean, 30, 0.2);
  EXPECT_NEAR(found.deviation / found.mean, 0.5, 0.02);
}

TEST(Random, GammaHasMeanOneAndTheVariationAskedFor) {
  Random random(11);
  for (const double cv : {0.2, 0.7, 1.0, 2.0, 3.0}) {
    const Moments found = moments_of([&] { return random.gamma(cv); });
    // The mean's error is cv ÷ √draws; that of the deviation grows with the fourth moment.
    EXPECT_NEAR(found.mean, 1, 0.012 * cv) << cv;
    EXPECT_NEAR(found.deviation, cv, 0.03 * cv) << cv;
  }
}

// Moments alone would not tell a lognormal from it.
TEST(Random, GammaOfVariationOneIsExponential) {
  Random random(12);
  int above_mean = 0;
  for (int i = 0; i < kDraws; ++i) above_mean += random.gamma(1) > 1 ? 1 : 0;
  EXPECT_NEAR(above_mean, kDraws * std::exp(-1), 5 * std::sqrt(kDraws * 0.2325));
}

TEST(Random, GammaStaysFiniteAtItsExtremes) {
  Random random(13);
  for (const double cv : {0.05, 20.0, 1000.0}) {
    for (int i = 0; i < 10'000; ++i) {
      const double x = random.gamma(cv);
      ASSERT_GE(x, 0) << cv;
      ASSERT_TRUE(std::isfinite(x)) << cv;
    }
  }
}

TEST(Random, LognormalWithoutVariationIsItsMean) {
  Random random(10);
  EXPECT_EQ(random.lognormal(30, 0), 30);
  EXPECT_EQ(random.lognormal(30, -1), 30);
}

}  // namespace
}  // namespace sluice
