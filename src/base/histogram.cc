#include "base/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sluice {

std::size_t Histogram::bucket_of(std::int64_t ns) {
  const auto v = static_cast<std::uint64_t>(std::max<std::int64_t>(ns, 0));
  if (v < (1u << kStepBits)) return static_cast<std::size_t>(v);
  const int shift = std::bit_width(v) - 1 - kStepBits;
  const auto step = static_cast<std::size_t>((v >> shift) & ((1u << kStepBits) - 1));
  return std::min(kBuckets - 1, (static_cast<std::size_t>(shift + 1) << kStepBits) + step);
}

std::int64_t Histogram::upper_bound_ns(std::size_t bucket) {
  const std::size_t power = bucket >> kStepBits;
  const std::size_t step = bucket & ((1u << kStepBits) - 1);
  if (power == 0) return static_cast<std::int64_t>(step);
  const auto shift = static_cast<int>(power - 1);
  const std::int64_t low = static_cast<std::int64_t>((1u << kStepBits) + step) << shift;
  return low + (std::int64_t{1} << shift) - 1;
}

void Histogram::record(Duration value) {
  value = std::max(value, Duration::zero());
  ++counts_[bucket_of(value.count())];
  ++count_;
  sum_ns_ += static_cast<double>(value.count());
  max_ = std::max(max_, value);
}

void Histogram::merge(const Histogram& other) {
  for (std::size_t i = 0; i < kBuckets; ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  sum_ns_ += other.sum_ns_;
  max_ = std::max(max_, other.max_);
}

Duration Histogram::mean() const {
  if (count_ == 0) return Duration::zero();
  return Duration(static_cast<std::int64_t>(sum_ns_ / static_cast<double>(count_)));
}

Duration Histogram::quantile(double q) const {
  if (count_ == 0) return Duration::zero();
  const auto wanted = static_cast<std::uint64_t>(
      std::max(1.0, std::ceil(std::clamp(q, 0.0, 1.0) * static_cast<double>(count_))));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    seen += counts_[i];
    if (seen >= wanted) return std::min(Duration(upper_bound_ns(i)), max_);
  }
  return max_;
}

}  // namespace sluice
