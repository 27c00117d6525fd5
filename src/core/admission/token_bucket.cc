#include "core/admission/token_bucket.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sluice::core {
namespace {

// Rounding must not keep somebody out who waited for as long as he was told to.
constexpr double kTolerance = 1e-9;

double bounded(double figure) {
  return figure > 0 ? std::min(figure, TokenBucket::kMost) : 0;
}

// Exact where a difference of two int64 would overflow, too.
double seconds_between(TimePoint from, TimePoint to) {
  if (to <= from) return 0;
  const auto ns = static_cast<std::uint64_t>(to.time_since_epoch().count()) -
                  static_cast<std::uint64_t>(from.time_since_epoch().count());
  return static_cast<double>(ns) * 1e-9;
}

}  // namespace

TokenBucket::TokenBucket(double rate, double burst, TimePoint start)
    : rate_(bounded(rate)), burst_(bounded(burst)), level_(burst_), since_(start) {}

double TokenBucket::level(TimePoint now) const {
  return std::min(burst_, level_ + rate_ * seconds_between(since_, now));
}

double TokenBucket::threshold(double tokens) const {
  return std::min(tokens, burst_) - kTolerance * std::max(burst_, 1.0);
}

bool TokenBucket::take(double tokens, TimePoint now) {
  if (!(tokens > 0)) return true;
  settle(now);
  if (level(now) < threshold(tokens)) return false;
  level_ = std::max(level_ - tokens, -kMost);
  return true;
}

void TokenBucket::charge(double tokens, TimePoint now) {
  if (std::isnan(tokens)) return;
  settle(now);
  const double over = std::max(level(now) - tokens - burst_, 0.0);
  level_ = std::max(level_ - tokens - over, -kMost);
}

Duration TokenBucket::until(double tokens, TimePoint now) const {
  if (!(tokens > 0)) return Duration(0);
  const double missing = std::min(tokens, burst_) - level(now);
  if (missing <= std::min(tokens, burst_) - threshold(tokens)) return Duration(0);
  const double wait_ns = std::ceil(missing / rate_ * 1e9);
  constexpr double kLongestNs = 9e18;
  return wait_ns < kLongestNs ? Duration(static_cast<std::int64_t>(wait_ns)) : Duration::max();
}

void TokenBucket::set_rate(double rate, double burst, TimePoint now) {
  const double left = level(now);
  rate_ = bounded(rate);
  burst_ = bounded(burst);
  settle_at(std::min(left, burst_), now);
}

// Adding a nanosecond's worth to the level at each look would lose it in rounding, or gain by it,
// a million times a second. Once a second it does not matter for any rate within 1e12 of the burst.
void TokenBucket::settle(TimePoint now) {
  const double level_now = level(now);
  if (level_now >= burst_ || seconds_between(since_, now) >= 1) settle_at(level_now, now);
}

void TokenBucket::settle_at(double level, TimePoint now) {
  level_ = level;
  since_ = std::max(since_, now);
}

}  // namespace sluice::core
