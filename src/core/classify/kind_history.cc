#include "core/classify/kind_history.h"

#include <cmath>

namespace sluice::core {
namespace {

constexpr double kAlpha = 0.02;

// Stochastic approximation (Robbins and Monro 1951): a step up by q when the value lies above the
// estimate, a step down by 1 − q otherwise, comes to rest where share q lies below.
void step_quantile(double& estimate, double value, double q, double step) {
  estimate += value > estimate ? step * q : -step * (1 - q);
}

}  // namespace

void KindHistory::answered(Duration latency) {
  const auto value = static_cast<double>(latency.count());
  ++answered_;
  drop_share_ -= kAlpha * drop_share_;
  if (answered_ == 1) {
    mean_ns_ = p50_ns_ = p95_ns_ = value;
    return;
  }
  const double deviation = value - mean_ns_;
  mean_ns_ += kAlpha * deviation;
  spread_ns_ += kAlpha * (std::abs(deviation) - spread_ns_);
  const double step = 0.1 * spread_ns_;
  step_quantile(p50_ns_, value, 0.50, step);
  step_quantile(p95_ns_, value, 0.95, step);
}

void KindHistory::dropped() {
  drop_share_ += kAlpha * (1 - drop_share_);
}

}  // namespace sluice::core
