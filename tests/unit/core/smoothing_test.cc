#include "core/smoothing.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

TEST(Decay, FollowsTheExponential) {
  for (int ms = 0; ms < 10'000; ms += 7) {
    EXPECT_NEAR(decay(from_ms(ms), 1s), std::exp(-ms / 1000.0), 0.02) << ms;
  }
  EXPECT_EQ(decay(-5s, 1s), 1);
  EXPECT_LT(decay(Duration::max(), 1ns), 1e-9);
}

TEST(Smoothed, TakesTheFirstSampleAsItIsAndFollowsAStepWithinItsMemory) {
  Smoothed figure;
  EXPECT_EQ(figure.add(4, TimePoint(1s), 1s), 4);
  TimePoint now(1s);
  for (int i = 0; i < 50; ++i) figure.add(8, now += 20ms, 1s);
  EXPECT_NEAR(figure.value(), 4 + 4 * (1 - std::exp(-1)), 0.05);
}

TEST(EventRate, ReadsTheRateAndFadesWhenNothingComes) {
  EventRate rate;
  Random random(7);
  TimePoint now(0s);
  for (int i = 0; i < 5000; ++i) rate.add(now += from_seconds(random.exponential(0.01)), 2s);
  EXPECT_NEAR(rate.per_s(now, 2s), 100, 20);  // four standard deviations
  EXPECT_LT(rate.per_s(now + 20s, 2s), 0.1);
}

}  // namespace
}  // namespace sluice::core
