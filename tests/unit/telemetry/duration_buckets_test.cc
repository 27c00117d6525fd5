#include "telemetry/duration_buckets.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace sluice::telemetry {
namespace {

using std::chrono::milliseconds;

TEST(DurationBuckets, BoundsRise) {
  EXPECT_TRUE(std::is_sorted(kBucketBounds.begin(), kBucketBounds.end()));
}

TEST(DurationBuckets, StartsEmpty) {
  const auto snapshot = DurationBuckets().snapshot();
  EXPECT_EQ(snapshot.sample_count, 0U);
  EXPECT_EQ(snapshot.bucket.size(), kBucketBounds.size());
  EXPECT_EQ(snapshot.bucket.back().cumulative_count, 0U);
}

TEST(DurationBuckets, BoundIsInclusive) {
  DurationBuckets buckets;
  buckets.observe(milliseconds(1));
  buckets.observe(milliseconds(1) + Duration(1));
  const auto snapshot = buckets.snapshot();
  EXPECT_EQ(snapshot.bucket[0].cumulative_count, 1U);
  EXPECT_DOUBLE_EQ(snapshot.bucket[0].upper_bound, 0.001);
  EXPECT_EQ(snapshot.bucket[1].cumulative_count, 2U);
}

TEST(DurationBuckets, LongerThanTheLastBoundCountsInTheTotal) {
  DurationBuckets buckets;
  buckets.observe(std::chrono::hours(1));
  const auto snapshot = buckets.snapshot();
  EXPECT_EQ(snapshot.bucket.back().cumulative_count, 0U);
  EXPECT_EQ(snapshot.sample_count, 1U);
  EXPECT_DOUBLE_EQ(snapshot.sample_sum, 3600);
}

TEST(DurationBuckets, CountsAreCumulative) {
  DurationBuckets buckets;
  for (const Duration bound : kBucketBounds) buckets.observe(bound);
  const auto snapshot = buckets.snapshot();
  for (std::size_t i = 0; i < kBucketBounds.size(); ++i) {
    EXPECT_EQ(snapshot.bucket[i].cumulative_count, i + 1);
  }
}

TEST(DurationBuckets, SumDoesNotOverflow) {
  DurationBuckets buckets;
  // 400 years in one histogram: past what 64 bits of nanoseconds hold.
  for (int i = 0; i < 400; ++i) buckets.observe(std::chrono::hours(24 * 365));
  EXPECT_DOUBLE_EQ(buckets.snapshot().sample_sum, 400.0 * 24 * 365 * 3600);
}

}  // namespace
}  // namespace sluice::telemetry
