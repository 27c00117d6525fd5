#include "core/placement/ratio_histogram.h"

#include <algorithm>
#include <bit>

namespace sluice::core {
namespace {

// Exponent and leading bits of the mantissa of a ratio are the number of its bucket, from this on.
constexpr int kStepBits = 3;         // eight buckets a power of two
constexpr int kLowestExponent = -1;  // the first bucket begins at 1/2
constexpr int kDroppedBits = 52 - kStepBits;
constexpr std::int64_t kFirst = std::int64_t{1023 + kLowestExponent} << kStepBits;

// The lognormal with mean 1 and coefficient of variation ½, by bucket.
constexpr std::array<float, 32> kPrior{
    0.1631F, 0.0609F, 0.0648F, 0.0659F, 0.0648F, 0.0620F, 0.0582F, 0.0537F, 0.0930F,
    0.0744F, 0.0580F, 0.0445F, 0.0337F, 0.0254F, 0.0191F, 0.0143F, 0.0188F, 0.0106F,
    0.0061F, 0.0035F, 0.0021F, 0.0012F, 0.0007F, 0.0004F, 0.0004F, 0.0002F, 0.0001F};

}  // namespace

RatioHistogram::RatioHistogram() {
  for (std::size_t i = 0; i < kBuckets; ++i) weight_[i] = kPriorSamples * kPrior[i];
}

std::size_t RatioHistogram::bucket_of(double ratio) {
  const std::int64_t bucket = (std::bit_cast<std::int64_t>(ratio) >> kDroppedBits) - kFirst;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(bucket, 0, kBuckets - 1));
}

double RatioHistogram::lower_edge(std::size_t bucket) {
  return std::bit_cast<double>((static_cast<std::int64_t>(bucket) + kFirst) << kDroppedBits);
}

void RatioHistogram::add(double ratio) {
  weight_[bucket_of(ratio)] += newest_;
  total_ += newest_;
  constexpr float kGrowth = kMemory / (kMemory - 1.0F);
  // A plain average until there are enough.
  if (total_ >= kMemory * newest_) newest_ *= kGrowth;
  if (newest_ > 1e30F) rescale();
}

void RatioHistogram::rescale() {
  total_ = 0;
  for (float& weight : weight_) total_ += weight /= newest_;
  newest_ = 1;
}

// From the top, because that is where the quantiles are that are asked for.
double RatioHistogram::quantile(double q) const {
  float above = static_cast<float>(1 - q) * total_;
  std::size_t bucket = kBuckets - 1;
  while (bucket > 0 && weight_[bucket] <= above) above -= weight_[bucket--];
  const float within = weight_[bucket] > 0 ? 1 - std::min(above / weight_[bucket], 1.0F) : 0;
  const double low = lower_edge(bucket);
  return low + within * (lower_edge(bucket + 1) - low);
}

}  // namespace sluice::core
