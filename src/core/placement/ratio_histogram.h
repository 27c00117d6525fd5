// How far service times lie from what was predicted: the shape behind the quantiles of R19.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/state.h"

namespace sluice::core {

// An exponentially decayed histogram of actual ÷ predicted, in log-linear buckets: eight to each
// power of two from 1/2 to 8, interpolated within. Chosen over running quantiles because those
// need hundreds of samples to reach a tail, and over a fitted lognormal because devices that batch
// have two humps.
//
// It starts as the lognormal of a coefficient of variation of ½, which counts for kPriorSamples:
// one sample says little about a tail, and is not made to say more. 136 bytes.
class RatioHistogram {
 public:
  static constexpr float kPriorSamples = 5;
  static constexpr double kPriorP95 = 1.95;  // of that lognormal
  // Samples, older ones weighing less, that it rests on once there are many.
  static constexpr std::uint32_t kMemory = 100;

  RatioHistogram();

  // ratio > 0; beyond the range it counts as its end. O(1), amortised over a rare O(32).
  void add(double ratio);

  // The ratio that share q of the samples does not exceed, ½..8; rises with q. Meant for q of
  // 0.5..0.99: right to about 5 % of the ratio, plus what the number of samples allows. O(32).
  double quantile(double q) const;

  SLUICE_STATE(weight, total, newest);

 private:
  static constexpr std::size_t kBuckets = 32;
  static std::size_t bucket_of(double ratio);
  static double lower_edge(std::size_t bucket);
  void rescale();

  // Instead of old samples losing weight, new ones gain it: all is relative to the total.
  std::array<float, kBuckets> weight_;
  float total_ = kPriorSamples;
  float newest_ = 1;
};

}  // namespace sluice::core
