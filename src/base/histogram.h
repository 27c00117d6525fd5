// A histogram of durations with bounded relative error and fixed memory.
#pragma once

#include <array>
#include <cstdint>

#include "base/time.h"

namespace sluice {

// Log-linear buckets (as in HdrHistogram, Tene 2012): 32 linear steps in each power of two, so a
// quantile is off by at most 1/32 ≈ 3 %. Counts durations of 0 .. 2^47 ns (39 hours); longer
// ones land in the last bucket, negative ones count as 0. record() is O(1), quantile() O(buckets).
class Histogram {
 public:
  void record(Duration value);
  void merge(const Histogram& other);

  std::uint64_t count() const { return count_; }
  Duration max() const { return max_; }
  // 0 when empty.
  Duration mean() const;
  // The smallest recorded value (to bucket precision) that at least share q of the values do not
  // exceed; q in [0, 1]. 0 when empty.
  Duration quantile(double q) const;

 private:
  static constexpr int kStepBits = 5;
  static constexpr int kPowers = 43;
  static constexpr std::size_t kBuckets = kPowers << kStepBits;

  static std::size_t bucket_of(std::int64_t ns);
  static std::int64_t upper_bound_ns(std::size_t bucket);

  std::array<std::uint64_t, kBuckets> counts_{};
  std::uint64_t count_ = 0;
  double sum_ns_ = 0;
  Duration max_{0};
};

}  // namespace sluice
