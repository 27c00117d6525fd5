// How many retries the whole may bear (R29): where everything fails, retrying everything doubles
// the load on what is left.
#pragma once

#include "base/state.h"
#include "base/time.h"
#include "core/admission/token_bucket.h"

namespace sluice::core {

struct RetryBudgetOptions {
  // Retries for each first attempt, 0..1.
  double share = 0.2;
  // Retries a second that are allowed at any rate, so that little traffic can be retried; ≥ 0.
  double floor_per_second = 3;
  // Most retries that can be saved up; ≥ 1, else none is ever allowed.
  double burst = 20;
};

// As in Finagle's RetryBudget, with a cap on what is saved up in place of its ten-second window:
// one bucket, filled by first attempts and by time.
//
// Bound: in any span of time,
//   retries ≤ share × first attempts + floor × span + burst.
// O(1), 40 bytes.
class RetryBudget {
 public:
  RetryBudget(const RetryBudgetOptions& options, TimePoint start)
      : bucket_(options.floor_per_second, options.burst, start), share_(options.share) {}

  // An attempt that is no retry has left.
  void first_attempt(TimePoint now) { bucket_.charge(-share_, now); }

  // Takes one retry out of the budget, if there is one.
  bool retry(TimePoint now) { return bucket_.level(now) >= kOne && bucket_.take(1, now); }

  // Retries that could be made now.
  double left(TimePoint now) const { return bucket_.level(now); }

  SLUICE_STATE(bucket, share);

 private:
  // Five fifths are a whole, whatever their sum is in binary.
  static constexpr double kOne = 1 - 1e-9;

  TokenBucket bucket_;
  double share_;
};

}  // namespace sluice::core
