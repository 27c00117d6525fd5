// The retry budget's bound, over any mixture of first attempts and retries at any times.
#include "core/placement/retry_budget.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace sluice::core {
namespace {

struct Left {
  TimePoint at;
  bool retry;
};

RC_GTEST_PROP(RetryBudgetProperty, HoldsInAnySpan, ()) {
  const RetryBudgetOptions options{.share = *rc::gen::inRange(0, 101) / 100.0,
                                   .floor_per_second = *rc::gen::inRange(0, 50) / 10.0,
                                   .burst = *rc::gen::inRange(0, 50) / 10.0};
  RetryBudget budget(options, TimePoint{});
  const auto steps = *rc::gen::container<std::vector<std::pair<std::uint32_t, bool>>>(
      rc::gen::pair(rc::gen::inRange<std::uint32_t>(0, 300'000'000), rc::gen::arbitrary<bool>()));
  std::vector<Left> left;
  TimePoint now{std::chrono::hours(1)};
  for (const auto& [ns, retry] : steps) {
    now += Duration(ns);
    if (!retry) budget.first_attempt(now);
    if (!retry || budget.retry(now)) left.push_back({now, retry});
  }
  for (std::size_t first = 0; first < left.size(); ++first) {
    double allowed = options.burst + 1e-6;
    TimePoint before = left[first].at;
    for (std::size_t last = first; last < left.size(); ++last) {
      allowed += options.floor_per_second * to_seconds(left[last].at - before);
      allowed += left[last].retry ? -1 : options.share;
      before = left[last].at;
      RC_ASSERT(allowed >= 0);
    }
  }
}

}  // namespace
}  // namespace sluice::core
