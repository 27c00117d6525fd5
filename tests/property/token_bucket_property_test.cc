// The token bucket's bound, over any requests at any times.
#include "core/admission/token_bucket.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace sluice::core {
namespace {

struct Grant {
  TimePoint at;
  double tokens;
};

// Steps of time and of cost that meet the rates below somewhere near the edge.
std::vector<Grant> requests() {
  const auto steps = *rc::gen::container<std::vector<std::pair<std::uint32_t, std::uint32_t>>>(
      rc::gen::pair(rc::gen::inRange<std::uint32_t>(0, 400'000'000),
                    rc::gen::inRange<std::uint32_t>(0, 500)));
  std::vector<Grant> asked;
  TimePoint now{std::chrono::hours(5)};
  for (const auto& [ns, centitokens] : steps) {
    now += Duration(ns);
    asked.push_back({now, centitokens / 100.0});
  }
  return asked;
}

double any_rate() {
  return *rc::gen::inRange(0, 2'000) / 100.0;
}

RC_GTEST_PROP(TokenBucketProperty, GrantsNoMoreThanBurstAndRateInAnySpan, ()) {
  const double rate = any_rate();
  const double burst = any_rate() / 2;
  TokenBucket bucket(rate, burst, TimePoint{});
  std::vector<Grant> granted;
  double largest = burst;
  for (const Grant& ask : requests()) {
    if (!bucket.take(ask.tokens, ask.at)) continue;
    granted.push_back(ask);
    largest = std::max(largest, ask.tokens);
  }
  for (std::size_t first = 0; first < granted.size(); ++first) {
    double sum = 0;
    for (std::size_t last = first; last < granted.size(); ++last) {
      sum += granted[last].tokens;
      RC_ASSERT(sum <= largest + rate * to_seconds(granted[last].at - granted[first].at) + 1e-6);
    }
  }
}

RC_GTEST_PROP(TokenBucketProperty, WhoWaitsAsToldIsServedAndNotBefore, ()) {
  TokenBucket bucket(any_rate() + 0.01, any_rate() / 2, TimePoint{});
  for (const Grant& ask : requests()) {
    const Duration wait = bucket.until(ask.tokens, ask.at);
    TokenBucket later = bucket;
    RC_ASSERT(later.take(ask.tokens, ask.at + wait));
    RC_ASSERT(bucket.take(ask.tokens, ask.at) == (wait == Duration(0)));
  }
}

}  // namespace
}  // namespace sluice::core
