// How much of something may be had per second, and how much of it at once.
#pragma once

#include "base/state.h"
#include "base/time.h"

namespace sluice::core {

// A token bucket that is refilled when it is looked at: idle ones cost nothing. The unit of a token
// is the user's: a request, a byte, a second of a device.
//
// Bound: in any span of time, what take() granted ≤ burst + rate × span, plus by how much the
// largest grant exceeded the burst. All calls are O(1); 32 bytes.
//
// Every time given counts as no earlier than the moment that the level is kept for, so a clock that
// steps back refills nothing, and nothing is refilled twice.
class TokenBucket {
 public:
  // Rates, bursts and debts beyond this count as this: sums stay exact enough.
  static constexpr double kMost = 1e15;

  // Starts full. rate in tokens a second, burst in tokens; NaN and negative figures count as 0,
  // infinity as kMost.
  TokenBucket(double rate, double burst, TimePoint start);

  // Takes the tokens if they are there. More than the burst is granted when the bucket is full, and
  // leaves a debt: what is large is slowed down, never shut out. Zero, negative and NaN cost
  // nothing.
  bool take(double tokens, TimePoint now);

  // Takes the tokens whether they are there or not: for what is known only afterwards, as device
  // time is. Negative gives back what was charged too much, up to the burst. NaN is ignored.
  void charge(double tokens, TimePoint now);

  // Until take() would grant them, if nobody takes any before: 0 is now, Duration::max() never.
  Duration until(double tokens, TimePoint now) const;

  // What is there now, or is owed, stays; no more than the new burst.
  void set_rate(double rate, double burst, TimePoint now);

  // Tokens there; negative: owed. At most the burst.
  double level(TimePoint now) const;
  double rate() const { return rate_; }
  double burst() const { return burst_; }

  SLUICE_STATE(rate, burst, level, since);

 private:
  // Moves the moment that the level is kept for, where that costs no precision.
  void settle(TimePoint now);
  void settle_at(double level, TimePoint now);
  // How much must be there before this much is granted.
  double threshold(double tokens) const;

  double rate_;
  double burst_;
  double level_;  // at since_
  TimePoint since_;
};

}  // namespace sluice::core
