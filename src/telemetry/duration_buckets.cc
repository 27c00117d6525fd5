#include "telemetry/duration_buckets.h"

namespace sluice::telemetry {

prometheus::ClientMetric::Histogram DurationBuckets::snapshot() const {
  prometheus::ClientMetric::Histogram out;
  out.bucket.reserve(kBucketBounds.size());
  std::uint64_t cumulative = 0;
  for (std::size_t i = 0; i < kBucketBounds.size(); ++i) {
    cumulative += counts_[i];
    out.bucket.push_back({cumulative, to_seconds(kBucketBounds[i])});
  }
  // The serialiser writes the +Inf bucket from the count.
  out.sample_count = cumulative + counts_.back();
  out.sample_sum = sum_seconds_;
  return out;
}

}  // namespace sluice::telemetry
