#include "core/placement/retry_budget.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kStart{100s};

int retries_at(RetryBudget& budget, TimePoint now, int wanted) {
  int granted = 0;
  for (int i = 0; i < wanted; ++i) granted += budget.retry(now);
  return granted;
}

TEST(RetryBudget, AllowsItsBurstThenItsFloor) {
  RetryBudget budget({.share = 0.2, .floor_per_second = 3, .burst = 20}, kStart);
  EXPECT_EQ(retries_at(budget, kStart, 100), 20);
  EXPECT_EQ(retries_at(budget, kStart + 1s, 100), 3);
  EXPECT_EQ(retries_at(budget, kStart + 1h, 100), 20);
}

TEST(RetryBudget, FirstAttemptsEarnTheirShare) {
  RetryBudget budget({.share = 0.2, .floor_per_second = 0, .burst = 20}, kStart);
  retries_at(budget, kStart, 20);
  for (int i = 0; i < 4; ++i) budget.first_attempt(kStart);
  EXPECT_FALSE(budget.retry(kStart));
  budget.first_attempt(kStart);
  EXPECT_TRUE(budget.retry(kStart));
  EXPECT_NEAR(budget.left(kStart), 0, 1e-6);
}

// Everything fails, everybody wants to retry for ever: a fifth more load, not twice as much.
TEST(RetryBudget, AnOutageIsNotAStorm) {
  RetryBudget budget({.share = 0.2, .floor_per_second = 3, .burst = 20}, kStart);
  int retries = 0;
  for (auto now = kStart; now < kStart + 10s; now += 1ms) {
    budget.first_attempt(now);
    retries += retries_at(budget, now, 3);
  }
  EXPECT_NEAR(retries, 0.2 * 10'000 + 3 * 10 + 20, 1);
}

TEST(RetryBudget, WithoutABurstThereAreNone) {
  RetryBudget budget({.share = 1, .floor_per_second = 100, .burst = 0}, kStart);
  for (int i = 0; i < 100; ++i) budget.first_attempt(kStart);
  EXPECT_FALSE(budget.retry(kStart + 1h));
}

}  // namespace
}  // namespace sluice::core
