// What forgets with time: the few filters that history and control are made of.
#pragma once

#include "base/state.h"
#include "base/time.h"

namespace sluice::core {

// What is left of a weight of 1 after `elapsed` (> 0 or nothing has passed): e^(−elapsed ÷ memory)
// to within 0.02. Not std::exp, whose last bit depends on the machine (its C library picks a
// variant by processor), and decisions have to be the same everywhere. memory > 0.
constexpr double decay(Duration elapsed, Duration memory) {
  if (elapsed <= Duration::zero()) return 1;
  const double x = static_cast<double>(elapsed.count()) / static_cast<double>(memory.count());
  double y = 1 / (1 + x / 16);
  for (int i = 0; i < 4; ++i) y *= y;
  return y;
}

// A figure that is looked at now and then, smoothed: an exponentially weighted mean over time. The
// first sample is taken as it is.
class Smoothed {
 public:
  double add(double sample, TimePoint now, Duration memory) {
    if (!started_) {
      value_ = sample;
    } else {
      value_ += (1 - decay(now - at_, memory)) * (sample - value_);
    }
    started_ = true;
    at_ = now;
    return value_;
  }
  double value() const { return value_; }

  SLUICE_STATE(value, at, started);

 private:
  double value_ = 0;
  TimePoint at_;
  bool started_ = false;
};

// Events per second over the last `memory` or so. A steady rate r is read as r, with a standard
// deviation of √(r ÷ (2 × memory)) when arrivals are random. Nothing to be done while nothing
// happens.
class EventRate {
 public:
  void add(TimePoint now, Duration memory) {
    per_s_ = per_s(now, memory) + 1 / to_seconds(memory);
    at_ = now;
  }
  double per_s(TimePoint now, Duration memory) const { return per_s_ * decay(now - at_, memory); }

  SLUICE_STATE(per_second, at);

 private:
  double per_s_ = 0;
  TimePoint at_;
};

}  // namespace sluice::core
