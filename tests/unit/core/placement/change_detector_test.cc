#include "core/placement/change_detector.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace sluice::core {
namespace {

// Feeds lognormal values around `mean` against a prediction of 1 until it alarms; how many it took,
// or `most`.
int until_alarm(ChangeDetector& detector, Random& random, double mean, double cv, int most) {
  for (int i = 1; i <= most; ++i) {
    const auto value = static_cast<float>(random.lognormal(mean, cv));
    if (detector.add(std::log2(value), value)) return i;
  }
  return most;
}

TEST(ChangeDetector, SeldomAlarmsInSteadyState) {
  for (const double cv : {0.02, 0.3, 1.0}) {
    Random random(5);
    ChangeDetector detector;
    int alarms = 0;
    for (int i = 0; i < 100'000; ++i) {
      const auto value = static_cast<float>(random.lognormal(1, cv));
      alarms += detector.add(std::log2(value), value);
    }
    EXPECT_LT(alarms, 20) << cv;
  }
}

TEST(ChangeDetector, NoticesAStepSoonAndKnowsTheNewLevel) {
  constexpr int kSeeds = 50;
  for (const double cv : {0.0, 0.1, 0.3, 0.5}) {
    for (const double factor : {3.0, 1.0 / 3}) {
      double mean_off = 0;
      for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        Random random(seed);
        ChangeDetector detector;
        until_alarm(detector, random, 1, cv, 200);
        ASSERT_LE(until_alarm(detector, random, factor, cv, 100), 10) << cv << ' ' << factor;
        ASSERT_GE(detector.samples(), 3u);
        // One sample of before may be among few.
        ASSERT_LT(std::abs(std::log2(detector.level() / factor)), 1);
        mean_off += detector.level() / factor / kSeeds - 1.0 / kSeeds;
      }
      EXPECT_NEAR(mean_off, 0, 0.2) << cv << ' ' << factor;
    }
  }
}

TEST(ChangeDetector, OneWildSampleIsNoChange) {
  ChangeDetector detector;
  Random random(2);
  until_alarm(detector, random, 1, 0.2, 100);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(detector.add(20, 1e6));
    EXPECT_EQ(until_alarm(detector, random, 1, 0.2, 20), 20);
  }
}

TEST(ChangeDetector, LearnsTheNoise) {
  ChangeDetector detector;
  Random random(2);
  EXPECT_EQ(detector.spread(), 0.5);
  until_alarm(detector, random, 1, 0.1, 500);
  // The mean distance of a normal is 0.8 of its standard deviation; an octave is ln 2.
  EXPECT_NEAR(detector.spread(), 0.1 * 0.8 / 0.693, 0.04);
}

}  // namespace
}  // namespace sluice::core
