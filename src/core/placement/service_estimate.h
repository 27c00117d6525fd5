// How long a model takes on one node (R19).
#pragma once

#include <cstdint>

#include "base/time.h"
#include "core/options.h"

namespace sluice::core {

// An exponentially weighted straight line: service time against input size. With one size it is a
// plain moving average; with several it learns what a byte costs. Plain averages are taken until
// there are 1/alpha samples, so the first ones do not weigh for ever. O(1), 64 bytes.
class ServiceEstimate {
 public:
  // service ≥ 0; size in bytes.
  void add(Duration service, std::uint64_t size_bytes, TimePoint now, double alpha);

  // Mean service time of an input of this size. The line is followed to three standard deviations
  // of the sizes seen and no further, and never below an eighth or above eight times the mean over
  // all sizes. 0 without samples.
  Duration predict(std::uint64_t size_bytes) const;
  // Mean distance of the samples from the line.
  Duration spread() const { return Duration(static_cast<std::int64_t>(spread_ns_)); }
  Duration mean() const { return Duration(static_cast<std::int64_t>(mean_ns_)); }
  std::uint32_t samples() const { return samples_; }

  // Enough samples, one of them new: good enough to refuse somebody by.
  bool trusted(TimePoint now, const PredictorOptions& options) const {
    return samples_ >= options.min_samples && now - last_ <= options.fresh_for;
  }

 private:
  double mean_ns_ = 0;
  double spread_ns_ = 0;
  double mean_size_ = 0;
  double size_variance_ = 0;
  double covariance_ = 0;
  double ns_per_byte_ = 0;  // slope of the line, never negative
  double size_reach_ = 0;   // how far from the mean size the line is believed
  TimePoint last_;
  std::uint32_t samples_ = 0;
};

}  // namespace sluice::core
