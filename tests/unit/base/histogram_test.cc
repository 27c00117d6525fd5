#include "base/histogram.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace sluice {
namespace {

using namespace std::chrono_literals;

// The smallest value that at least share q do not exceed, from all of them.
Duration exact_quantile(std::vector<Duration> values, double q) {
  std::sort(values.begin(), values.end());
  const double rank = std::ceil(q * static_cast<double>(values.size()));
  return values[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

std::vector<Duration> lognormal_values(std::uint64_t seed, int count) {
  Random random(seed);
  std::vector<Duration> values;
  for (int i = 0; i < count; ++i) values.push_back(from_ms(random.lognormal(20, 3)));
  return values;
}

Histogram of(const std::vector<Duration>& values) {
  Histogram histogram;
  for (const Duration value : values) histogram.record(value);
  return histogram;
}

TEST(Histogram, EmptySaysZero) {
  const Histogram histogram;
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.quantile(0.99), 0ns);
  EXPECT_EQ(histogram.mean(), 0ns);
  EXPECT_EQ(histogram.max(), 0ns);
}

// The promise of the header: never below, and above by 1/32 at most.
TEST(Histogram, QuantilesAreWithinOneThirtySecond) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto values = lognormal_values(seed, 5'000);
    const Histogram histogram = of(values);
    for (const double q : {0.0, 0.001, 0.1, 0.5, 0.9, 0.95, 0.99, 0.999, 1.0}) {
      const Duration exact = exact_quantile(values, q);
      EXPECT_GE(histogram.quantile(q), exact) << q;
      EXPECT_LE(histogram.quantile(q), exact + exact / 32) << q;
    }
  }
}

// On both sides of every power of two, where a bucket ends and the next has another width.
TEST(Histogram, EdgesOfPowersOfTwoKeepTheBound) {
  for (int power = 0; power < 47; ++power) {
    const std::int64_t edge = std::int64_t{1} << power;
    for (const std::int64_t ns : {edge - 1, edge, edge + 1}) {
      Histogram histogram;
      histogram.record(Duration(ns));
      // A second, longer one keeps max() from hiding what the bucket says.
      histogram.record(Duration(4 * ns + 4));
      EXPECT_GE(histogram.quantile(0.5).count(), ns);
      EXPECT_LE(histogram.quantile(0.5).count(), ns + ns / 32);
    }
  }
}

TEST(Histogram, SmallValuesAreExact) {
  Histogram histogram;
  for (int ns = 0; ns < 32; ++ns) histogram.record(Duration(ns));
  for (int ns = 0; ns < 32; ++ns) {
    EXPECT_EQ(histogram.quantile((ns + 1) / 32.0), Duration(ns));
  }
}

TEST(Histogram, NegativesCountAsZero) {
  const Histogram histogram = of({-5ms, Duration::min(), 3ns});
  EXPECT_EQ(histogram.count(), 3u);
  EXPECT_EQ(histogram.quantile(0.6), 0ns);
  EXPECT_EQ(histogram.max(), 3ns);
  EXPECT_EQ(histogram.mean(), 1ns);
}

TEST(Histogram, LongerThanItsRangeLandsInTheLastBucket) {
  const Histogram histogram = of({1000h, Duration::max()});
  EXPECT_EQ(histogram.count(), 2u);
  EXPECT_EQ(histogram.max(), Duration::max());
  EXPECT_GE(histogram.quantile(1), 39h);
}

TEST(Histogram, QuantileOutsideZeroToOneIsTheNearestEnd) {
  const Histogram histogram = of({1ns, 2ns, 3ns});
  EXPECT_EQ(histogram.quantile(-1), 1ns);
  EXPECT_EQ(histogram.quantile(2), 3ns);
}

TEST(Histogram, MergedIsAsIfAllHadBeenRecordedInOne) {
  auto first = lognormal_values(7, 1'000);
  const auto second = lognormal_values(8, 3'000);
  Histogram merged = of(first);
  merged.merge(of(second));
  first.insert(first.end(), second.begin(), second.end());
  const Histogram whole = of(first);
  EXPECT_EQ(merged.count(), whole.count());
  EXPECT_EQ(merged.max(), whole.max());
  // Sums of doubles in another order: equal but for the last bits.
  EXPECT_NEAR(to_ms(merged.mean()), to_ms(whole.mean()), 1e-6);
  for (const double q : {0.01, 0.5, 0.99}) EXPECT_EQ(merged.quantile(q), whole.quantile(q));
}

}  // namespace
}  // namespace sluice
