#include "core/placement/service_estimate.h"

#include <algorithm>
#include <cmath>

namespace sluice::core {

void ServiceEstimate::add(Duration service, std::uint64_t size_bytes, TimePoint now, double alpha) {
  samples_ += samples_ < UINT32_MAX;
  last_ = now;
  const auto y = static_cast<double>(std::max(service, Duration::zero()).count());
  const auto x = static_cast<double>(size_bytes);
  const double a = std::max(alpha, 1.0 / samples_);
  if (samples_ > 1) {
    const auto predicted = static_cast<double>(predict(size_bytes).count());
    spread_ns_ += a * (std::abs(y - predicted) - spread_ns_);
  }
  // Weighted moments, updated in place (West 1979).
  const double dx = x - mean_size_;
  const double dy = y - mean_ns_;
  mean_size_ += a * dx;
  mean_ns_ += a * dy;
  size_variance_ = (1 - a) * (size_variance_ + a * dx * dx);
  covariance_ = (1 - a) * (covariance_ + a * dx * dy);
  // Sizes within a few per cent of each other say nothing about what a byte costs.
  const bool sizes_differ = size_variance_ > 1e-3 * mean_size_ * mean_size_;
  ns_per_byte_ = sizes_differ ? std::max(0.0, covariance_ / size_variance_) : 0;
  size_reach_ = 3 * std::sqrt(size_variance_);
}

Duration ServiceEstimate::predict(std::uint64_t size_bytes) const {
  const double off = static_cast<double>(size_bytes) - mean_size_;
  const double line = mean_ns_ + ns_per_byte_ * std::clamp(off, -size_reach_, size_reach_);
  const double estimate = std::clamp(line, mean_ns_ / 8, mean_ns_ * 8);
  return Duration(static_cast<std::int64_t>(estimate));
}

}  // namespace sluice::core
