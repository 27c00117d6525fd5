#include "core/placement/path_health.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow{100s};

TEST(PathHealth, FailuresInARowEndWithASuccess) {
  PathHealth health;
  health.failed(true);
  health.failed(false);
  EXPECT_EQ(health.failures_in_a_row(1), 2u);
  const auto run = health.run();
  health.succeeded(0.1, kNow);
  EXPECT_EQ(health.failures_in_a_row(1), 0u);
  EXPECT_NE(health.run(), run) << "who fails next is new to the next run";
}

// One node of several that fails is a matter for its breaker.
TEST(PathHealth, FailuresAreThePathsWhenMoreThanHalfOfItsNodesFail) {
  PathHealth health;
  health.failed(true);
  for (int i = 0; i < 20; ++i) health.failed(false);
  EXPECT_EQ(health.failures_in_a_row(3), 0u);
  EXPECT_EQ(health.failures_in_a_row(2), 0u);
  health.failed(true);
  EXPECT_EQ(health.failures_in_a_row(4), 0u);
  EXPECT_EQ(health.failures_in_a_row(3), 22u);
}

TEST(PathHealth, SlownessIsAHighQuantile) {
  PathHealth health;
  for (int i = 0; i < 400; ++i) health.succeeded(i % 10 == 0 ? 2.0 : 0.5, kNow);
  EXPECT_GT(health.slowness(), 1.5);
  for (int i = 0; i < 400; ++i) health.succeeded(i % 100 == 0 ? 2.0 : 0.5, kNow);
  EXPECT_LT(health.slowness(), 1);
}

TEST(PathHealth, SlownessIsNoticedWithinSomeDozensOfAttempts) {
  PathHealth health;
  for (int i = 0; i < 200; ++i) health.succeeded(0.2, kNow);
  int attempts = 0;
  while (health.slowness() <= 1.3 && attempts < 1'000) {
    health.succeeded(3, kNow);
    ++attempts;
  }
  EXPECT_LE(attempts, 30);
}

TEST(PathHealth, IsNotSlowByPrior) {
  PathHealth health;
  for (int i = 0; i < 200; ++i) {
    health.succeeded(0.2, kNow);
    EXPECT_LT(health.slowness(), 1.1);
  }
}

TEST(PathHealth, FewSamplesSayNothing) {
  PathHealth health;
  for (int i = 0; i < 29; ++i) health.succeeded(5, kNow);
  EXPECT_EQ(health.slowness(), 0);
  health.succeeded(5, kNow);
  EXPECT_NEAR(health.slowness(), 5, 0.6);
}

TEST(PathHealth, OldSlownessOfAnotherPathIsForgotten) {
  PathHealth health;
  for (int i = 0; i < 30; ++i) health.succeeded(5, kNow);
  EXPECT_NEAR(health.slowness_of_late(kNow + 10s), 5, 0.6);
  EXPECT_EQ(health.slowness_of_late(kNow + 11s), 0);
}

TEST(PathHealth, EnteringBeginsAnew) {
  PathHealth health;
  for (int i = 0; i < 30; ++i) health.succeeded(5, kNow);
  health.failed(true);
  const auto run = health.run();
  health.enter(kNow);
  EXPECT_EQ(health.entered(), kNow);
  EXPECT_EQ(health.slowness(), 0);
  EXPECT_EQ(health.failures_in_a_row(1), 0u);
  EXPECT_NE(health.run(), run);
}

}  // namespace
}  // namespace sluice::core
