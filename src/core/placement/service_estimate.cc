#include "core/placement/service_estimate.h"

#include <algorithm>
#include <cmath>

#include "base/octaves.h"

namespace sluice::core {
namespace {

// All products of services and sizes stay finite, and every prediction is a Duration.
constexpr double kLongestNs = 1e15;
// Services are compared as no shorter than this: below it, ratios are noise of the clock.
constexpr double kShortestNs = 1'000;

// A sample beyond this multiple of what was predicted is either the first of a change, which is
// noticed all the same, or an accident that must not move the mean. Once there is a mean.
constexpr double kWildRatio = 4;
constexpr std::uint32_t kSettledSamples = 8;

Duration to_duration(double ns) {
  return Duration(static_cast<std::int64_t>(ns));
}

}  // namespace

void ServiceEstimate::add(Duration service, std::uint64_t size_bytes, TimePoint now, double alpha) {
  line_.last = now;
  double y = std::clamp(static_cast<double>(service.count()), 0.0, kLongestNs);
  const auto x = static_cast<double>(size_bytes);
  if (line_.samples > 0) {
    const double predicted = line_.predict_ns(size_bytes);
    if (notice_change(y, predicted)) return;
    const double wild = kWildRatio * std::max(predicted, kShortestNs);
    if (line_.samples >= kSettledSamples) y = std::min(y, wild);
  }
  line_.samples += line_.samples < UINT32_MAX;
  move_line(y, x, std::max(alpha, 1.0 / line_.samples));
}

// Weighted moments, updated in place (West 1979).
void ServiceEstimate::move_line(double y, double x, double weight) {
  const double dx = x - line_.mean_size;
  const double dy = y - line_.mean_ns;
  line_.mean_size += weight * dx;
  line_.mean_ns += weight * dy;
  size_variance_ = (1 - weight) * (size_variance_ + weight * dx * dx);
  covariance_ = (1 - weight) * (covariance_ + weight * dx * dy);
  // Sizes within a few per cent of each other say nothing about what a byte costs.
  const bool sizes_differ = size_variance_ > 1e-3 * line_.mean_size * line_.mean_size;
  line_.ns_per_byte = sizes_differ ? std::max(0.0, covariance_ / size_variance_) : 0;
  line_.size_reach = 3 * std::sqrt(size_variance_);
}

bool ServiceEstimate::notice_change(double service_ns, double predicted_ns) {
  const double actual = std::max(service_ns, kShortestNs);
  const double ratio = actual / std::max(predicted_ns, kShortestNs);
  const double at_mean_size = std::max(ratio * std::max(line_.mean_ns, kShortestNs), 1.0);
  const float residual = log2_of(static_cast<float>(ratio));
  if (change_.add(residual, static_cast<float>(at_mean_size))) {
    restart_at(std::min<double>(change_.level(), kLongestNs), change_.samples());
    return true;
  }
  ratios_.add(ratio);
  // The tail is read from it once it has moved by more than rounding.
  if (line_.samples < RatioHistogram::kMemory || line_.samples % 8 == 0) {
    line_.p95_ratio = static_cast<float>(ratios_.quantile(0.95));
  }
  return false;
}

// What sizes cost against each other is kept; how the services spread around the line has to be
// learnt again, as what was seen of it lately was the change itself.
void ServiceEstimate::restart_at(double mean_ns, std::uint32_t samples) {
  const double factor = line_.mean_ns > 0 ? mean_ns / line_.mean_ns : 0;
  line_.mean_ns = mean_ns;
  line_.ns_per_byte *= factor;
  covariance_ *= factor;
  line_.samples = samples;
  ratios_ = RatioHistogram();
  line_.p95_ratio = static_cast<float>(RatioHistogram::kPriorP95);
}

Duration ServiceEstimate::predict(std::uint64_t size_bytes) const {
  return to_duration(line_.predict_ns(size_bytes));
}

Duration ServiceEstimate::quantile(std::uint64_t size_bytes, double q) const {
  return to_duration(line_.predict_ns(size_bytes) * ratios_.quantile(q));
}

Duration ServiceEstimate::p95(std::uint64_t size_bytes) const {
  return to_duration(line_.predict_ns(size_bytes) * line_.p95_ratio);
}

}  // namespace sluice::core
