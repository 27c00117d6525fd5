#include "core/admission/admission.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow{10s};

Prediction predicted(Duration until_slot, Duration service, bool trusted = true) {
  return {.until_slot = until_slot, .service = service, .trusted = trusted};
}

std::optional<Duration> refuse(const WorkAhead& ahead, const Prediction& best, Duration budget) {
  return refuse_late(ahead, best, kNow, kNow + budget, {});
}

TEST(PredictedWait, WorkOverTheSlotsAndTheShareOfTheLane) {
  EXPECT_EQ(predicted_wait({.work = 120ms, .slots = 1, .share = 1}), 120ms);
  EXPECT_EQ(predicted_wait({.work = 120ms, .slots = 4, .share = 1}), 30ms);
  EXPECT_EQ(predicted_wait({.work = 120ms, .slots = 4, .share = 0.25}), 120ms);
  EXPECT_EQ(predicted_wait({.work = 0ms, .slots = 4, .share = 0.25}), 0ms);
}

TEST(PredictedWait, WithoutSlotsItIsLongAndFinite) {
  EXPECT_GT(predicted_wait({.work = 1ms, .slots = 0, .share = 1}), 10s);
  EXPECT_EQ(predicted_wait({.work = 0ms, .slots = 0, .share = 1}), 0ms);
  EXPECT_GT(predicted_wait({.work = 24h * 10'000, .slots = 0, .share = 1}), 24h);
}

TEST(RefuseLate, WhatFinishesAtTheDeadlineIsAdmitted) {
  const WorkAhead ahead{.work = 60ms, .slots = 2};
  EXPECT_FALSE(refuse(ahead, predicted(5ms, 15ms), 50ms));
  EXPECT_TRUE(refuse(ahead, predicted(5ms, 15ms), 50ms - 1ns));
}

// R20: the time to come back is computed: the queue has shrunk by the excess then.
TEST(RefuseLate, RetryAfterIsTheExcess) {
  const WorkAhead ahead{.work = 100ms, .slots = 1};
  EXPECT_EQ(refuse(ahead, predicted(0ms, 20ms), 50ms), 70ms);
  // Work that is already at the node counts as queue, too.
  EXPECT_EQ(refuse({}, predicted(100ms, 20ms), 50ms), 70ms);
}

// Waiting does not make a node faster: until the estimate fades there is no point in asking.
TEST(RefuseLate, WhereAnIdleNodeIsTooSlowItIsUntilTheEstimateFades) {
  const PredictorOptions options{.fresh_for = 7s};
  EXPECT_EQ(refuse_late({}, predicted(0ms, 200ms), kNow, kNow + 50ms, options), 7s);
  const WorkAhead ahead{.work = 100ms, .slots = 1};
  EXPECT_EQ(refuse_late(ahead, predicted(0ms, 200ms), kNow, kNow + 50ms, options), 7s);
}

TEST(RefuseLate, RetryAfterIsNeverZero) {
  const PredictorOptions options{.fresh_for = 0s};
  const auto retry_after = refuse_late({}, predicted(0ms, 2ms), kNow, kNow + 1ms, options);
  ASSERT_TRUE(retry_after);
  EXPECT_GT(*retry_after, 0ns);
}

TEST(RefuseLate, NobodyIsRefusedByAGuess) {
  const WorkAhead ahead{.work = 1h, .slots = 1};
  EXPECT_FALSE(refuse(ahead, predicted(0ms, 1h, false), 1ms));
}

TEST(RefuseLate, NoDeadlineIsNeverMissed) {
  const WorkAhead ahead{.work = 1h, .slots = 1};
  EXPECT_FALSE(refuse_late(ahead, predicted(0ms, 1h), kNow, kNever, {}));
}

}  // namespace
}  // namespace sluice::core
