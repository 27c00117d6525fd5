// The histogram behind a `..._seconds` metric: few buckets, for dashboards and alerts. Quantiles of
// reports come from base/histogram.h, which is finer and larger.
#pragma once

#include <array>
#include <cstdint>

#include <prometheus/client_metric.h>

#include "base/time.h"

namespace sluice::telemetry {

// Upper bounds, inclusive: around the default budgets (100 ms, 500 ms, 5 s) and up to the maximum
// age of a lane (60 s). What is longer counts in the total only.
inline constexpr std::array<Duration, 15> kBucketBounds{
    std::chrono::milliseconds(1),   std::chrono::microseconds(2500), std::chrono::milliseconds(5),
    std::chrono::milliseconds(10),  std::chrono::milliseconds(25),   std::chrono::milliseconds(50),
    std::chrono::milliseconds(100), std::chrono::milliseconds(250),  std::chrono::milliseconds(500),
    std::chrono::seconds(1),        std::chrono::milliseconds(2500), std::chrono::seconds(5),
    std::chrono::seconds(10),       std::chrono::seconds(30),        std::chrono::seconds(60)};

// Plain numbers: prometheus-cpp's own histogram takes a mutex on every observation. One thread.
class DurationBuckets {
 public:
  // O(buckets) without branches, a few ns.
  void observe(Duration value) {
    std::size_t bucket = 0;
    for (const Duration bound : kBucketBounds) bucket += value > bound ? 1 : 0;
    ++counts_[bucket];
    // Not in ns: an integer would overflow after two days of 10,000 tasks a second, 5 s each.
    sum_seconds_ += to_seconds(value);
  }

  // Cumulative, in seconds, without the implied +Inf bucket's own entry.
  prometheus::ClientMetric::Histogram snapshot() const;

 private:
  std::array<std::uint64_t, kBucketBounds.size() + 1> counts_{};
  double sum_seconds_ = 0;
};

}  // namespace sluice::telemetry
