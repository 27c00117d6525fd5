// How long a model takes on one node, or on one kind of node (R19).
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/state.h"
#include "base/time.h"
#include "core/options.h"
#include "core/placement/change_detector.h"
#include "core/placement/ratio_histogram.h"

namespace sluice::core {

// What predicting needs of an estimate, apart so that a table of these is read a cache line each.
struct ServiceLine {
  double mean_ns = 0;
  double mean_size = 0;
  double ns_per_byte = 0;     // slope of the line, never negative
  double size_reach = 0;      // how far from the mean size the line is believed
  TimePoint last;             // when the newest sample came; meaningless without any
  std::uint32_t samples = 0;  // since the last change of speed
  float p95_ratio = static_cast<float>(RatioHistogram::kPriorP95);  // p95 as a multiple of the mean

  // The line is followed to three standard deviations of the sizes seen and no further, and never
  // below an eighth or above eight times the mean over all sizes. 0 without samples.
  double predict_ns(double size_bytes) const {
    const double off = std::max(std::min(size_bytes - mean_size, size_reach), -size_reach);
    return std::max(std::min(mean_ns + ns_per_byte * off, mean_ns * 8), mean_ns / 8);
  }
  double predict_ns(std::uint64_t size_bytes) const { return predict_ns(to_double(size_bytes)); }
  // As signed: half the instructions, and no input has 2^63 bytes.
  static double to_double(std::uint64_t size_bytes) {
    return static_cast<double>(static_cast<std::int64_t>(size_bytes));
  }
  // Enough samples, one of them new: good enough to refuse somebody by.
  bool trusted(TimePoint now, const PredictorOptions& options) const {
    return samples >= options.min_samples && now - last <= options.fresh_for;
  }

  SLUICE_STATE(mean_ns, mean_size, ns_per_byte, size_reach, last, samples, p95_ratio);
};

// An exponentially weighted straight line: service time against input size. With one size it is a
// plain moving average; with several it learns what a byte costs. Plain averages are taken until
// there are 1/alpha samples, so the first ones do not weigh for ever. Around the line, the
// distribution of actual ÷ predicted gives the quantiles.
//
// A single wild sample moves the line by at most 3 × alpha. A change of speed is noticed by
// ChangeDetector, usually within 3 to 10 samples, and the estimate begins anew from these, with
// their number as its samples: it is then as little trusted as it deserves.
//
// O(1); about 50 ns to add, 2 ns to predict; 232 bytes.
class ServiceEstimate {
 public:
  // service: 0 to 11 days, beyond that it counts as that; size in bytes; 0 < alpha ≤ 1.
  void add(Duration service, std::uint64_t size_bytes, TimePoint now, double alpha);

  const ServiceLine& line() const { return line_; }
  // Mean service time of an input of this size.
  Duration predict(std::uint64_t size_bytes) const;
  // What share q of such services does not exceed, q in 0.5..0.99. With few samples it leans on a
  // lognormal of a coefficient of variation of ½. O(32); p95() is O(1), kept from time to time.
  Duration quantile(std::uint64_t size_bytes, double q) const;
  Duration p95(std::uint64_t size_bytes) const;

  Duration mean() const { return Duration(static_cast<std::int64_t>(line_.mean_ns)); }
  // How far single services lie from the prediction, on average, in octaves (½: 40 %).
  double spread() const { return change_.spread(); }
  std::uint32_t samples() const { return line_.samples; }
  TimePoint last() const { return line_.last; }
  bool trusted(TimePoint now, const PredictorOptions& options) const {
    return line_.trusted(now, options);
  }

  SLUICE_STATE(line, size_variance, covariance, change, ratios);

 private:
  // True when the speed has changed, and the line with it.
  bool notice_change(double service_ns, double predicted_ns);
  void move_line(double y, double x, double weight);
  void restart_at(double mean_ns, std::uint32_t samples);

  ServiceLine line_;
  double size_variance_ = 0;
  double covariance_ = 0;
  ChangeDetector change_;
  RatioHistogram ratios_;
};

}  // namespace sluice::core
