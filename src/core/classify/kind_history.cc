#include "core/classify/kind_history.h"

#include <cmath>

namespace sluice::core {
namespace {

// Stochastic approximation (Robbins and Monro 1951): a step up by q when the value lies above the
// estimate, a step down by 1 − q otherwise, comes to rest where share q lies below.
void step_quantile(double& estimate, double value, double q, double step) {
  estimate += value > estimate ? step * q : -step * (1 - q);
}

void step_mean(double& mean, double value) {
  mean += KindHistory::kAlpha * (value - mean);
}

}  // namespace

void KindHistory::arrived(Duration budget, TimePoint now) {
  rate_.add(now, kRateMemory);
  const auto value = static_cast<double>(budget.count());
  if (mean_budget_ns_ == 0) mean_budget_ns_ = value;
  step_mean(mean_budget_ns_, value);
}

void KindHistory::answered(Duration latency, Duration budget) {
  const auto value = static_cast<double>(latency.count());
  ended(false, false, latency > budget);
  ++answered_;
  if (answered_ == 1) {
    mean_ns_ = p50_ns_ = p95_ns_ = value;
    return;
  }
  const double deviation = value - mean_ns_;
  mean_ns_ += kAlpha * deviation;
  step_mean(spread_ns_, std::abs(deviation));
  const double step = 0.1 * spread_ns_;
  step_quantile(p50_ns_, value, 0.50, step);
  step_quantile(p95_ns_, value, 0.95, step);
}

void KindHistory::dropped() {
  ended(true, false, true);
}

void KindHistory::failed() {
  ended(false, true, true);
}

void KindHistory::ended(bool dropped, bool failed, bool missed) {
  ++ended_;
  step_mean(drop_share_, dropped ? 1 : 0);
  step_mean(error_share_, failed ? 1 : 0);
  step_mean(miss_share_, missed ? 1 : 0);
}

KindFigures KindHistory::figures(Realtime realtime, TimePoint now) const {
  return {.rate_per_s = rate_per_s(now),
          .error_share = error_share_,
          .drop_share = drop_share_,
          .miss_share = miss_share_,
          .p95 = p95(),
          .budget = mean_budget(),
          .ended = ended_,
          .realtime = realtime};
}

}  // namespace sluice::core
