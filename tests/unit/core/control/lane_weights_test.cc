#include "core/control/lane_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr std::array<double, kLanes> kBase{16, 4, 1};

// Steps one lane every 20 ms with figures that are a function of the second.
class LaneWeightsTest : public testing::Test {
 protected:
  template <class FiguresAt>
  void run(Lane lane, double seconds, FiguresAt figures_at) {
    const TimePoint end = now + from_seconds(seconds);
    for (; now < end; now += 20ms) {
      const auto change = weights.step(lane, figures_at(second()), now);
      if (change) changes.push_back(*change);
    }
  }
  double second() const { return to_seconds(now.time_since_epoch()); }
  static LaneFigures calm(double) { return {.budget = 100ms, .arrivals_per_s = 100}; }
  static LaneFigures backlogged(double) {
    return {.drain = 100ms, .budget = 100ms, .arrivals_per_s = 100};
  }

  LaneWeights weights{LaneWeightOptions{}, kBase};
  std::vector<LaneWeightChange> changes;
  TimePoint now{1s};
};

TEST_F(LaneWeightsTest, CalmLanesKeepTheirConfiguredWeights) {
  run(Lane::kHigh, 20, calm);
  EXPECT_TRUE(changes.empty());
  EXPECT_TRUE(weights.settled());
  EXPECT_EQ(weights.weight(Lane::kLatency), 4);
}

// Settles within two seconds of a step, without going past where it settles.
TEST_F(LaneWeightsTest, StepOfTheQueueDoublesTheWeightInTwoSteps) {
  run(Lane::kLatency, 5, calm);
  run(Lane::kLatency, 10, backlogged);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].cause, WeightCause::kQueue);
  EXPECT_EQ(changes[0].from, 4);
  EXPECT_GE(changes[0].figure, 1.2);
  EXPECT_LT(changes[0].at, TimePoint(6500ms));
  EXPECT_LT(changes[1].at, TimePoint(8s));
  EXPECT_NEAR(weights.weight(Lane::kLatency), 8, 8 * 0.2);
  EXPECT_LE(weights.weight(Lane::kLatency), 8);
}

TEST_F(LaneWeightsTest, ReturnsToTheBaseItselfWhenAllIsWell) {
  run(Lane::kLatency, 5, backlogged);
  run(Lane::kLatency, 10, calm);
  EXPECT_EQ(weights.weight(Lane::kLatency), 4);
  EXPECT_TRUE(weights.settled());
  EXPECT_EQ(changes.back().cause, WeightCause::kCalm);
}

TEST_F(LaneWeightsTest, MissesRaiseTheWeight) {
  run(Lane::kHigh, 5, [](double s) {
    LaneFigures figures = calm(s);
    figures.hit_share = 0.49;
    return figures;
  });
  EXPECT_EQ(changes.at(0).cause, WeightCause::kShortfall);
  EXPECT_NEAR(weights.weight(Lane::kHigh), 16 * 1.5, 16 * 0.3);
}

// R48: arrivals go from 50 to 800/s; the weight is up before any task has waited.
TEST_F(LaneWeightsTest, RiseIsMetAheadOfTheQueue) {
  run(Lane::kHigh, 10, [](double s) {
    LaneFigures figures = calm(s);
    figures.arrivals_per_s = std::clamp(50 + 150 * (s - 5), 50.0, 800.0);
    return figures;
  });
  ASSERT_FALSE(changes.empty());
  EXPECT_EQ(changes[0].cause, WeightCause::kRise);
  EXPECT_LT(changes[0].at, TimePoint(7s));
  run(Lane::kHigh, 60, calm);
  EXPECT_TRUE(weights.settled()) << "the new rate has become the usual one";
}

TEST_F(LaneWeightsTest, FewArrivalsAreNoRise) {
  run(Lane::kHigh, 10, [](double s) {
    LaneFigures figures = calm(s);
    figures.arrivals_per_s = s < 5 ? 0 : 4;
    return figures;
  });
  EXPECT_TRUE(changes.empty());
}

TEST_F(LaneWeightsTest, NeverBeyondTheRangeNorBelowTheBase) {
  run(Lane::kLow, 60, [](double s) {
    return LaneFigures{.drain = std::chrono::hours(1),
                       .budget = 1ms,
                       .arrivals_per_s = s * s,
                       .hit_share = std::fmod(s, 7) < 4 ? 0.0 : 1.0};
  });
  for (const auto& c : changes) {
    EXPECT_LE(c.to, 4);
    EXPECT_GE(c.to, 1);
    EXPECT_LE(std::max(c.to / c.from, c.from / c.to), 1.5 + 1e-9);
  }
  EXPECT_GT(changes.size(), 2u);
}

// A queue that swings between nothing and a full budget, at any period from a tick to minutes: once
// the first minute has shown that it comes back, at most 4 changes in a longest hold (of 16 s).
// Fast swings are averaged away altogether.
TEST_F(LaneWeightsTest, PeriodicLoadOfAnyPeriodMovesLittle) {
  for (double period = 0.04; period < 200; period *= 1.3) {
    weights = LaneWeights{LaneWeightOptions{}, kBase};
    changes.clear();
    now = TimePoint(1s);
    run(Lane::kLatency, 300,
        [period](double s) { return std::fmod(s, period) < period / 2 ? backlogged(s) : calm(s); });
    const auto late = std::count_if(changes.begin(), changes.end(),
                                    [](const auto& c) { return c.at > TimePoint(61s); });
    EXPECT_LE(late, 4 * 15) << "period " << period;
    for (const auto& c : changes) EXPECT_LE(c.to, 8) << "no more than the swing itself asks for";
    if (period < 0.2) {
      EXPECT_LE(late, 2) << period;
    }
  }
}

// The weight drains the queue that raised it, ten times as strongly as one would think.
TEST_F(LaneWeightsTest, LoopOfAnyGainDiesDown) {
  for (const double gain : {1.0, 10.0}) {
    weights = LaneWeights{LaneWeightOptions{}, kBase};
    changes.clear();
    now = TimePoint(1s);
    run(Lane::kLatency, 300, [&](double s) {
      LaneFigures figures = calm(s);
      const double relief = gain * (weights.weight(Lane::kLatency) / 4 - 1);
      figures.drain = from_ms(100 * std::max(0.0, 1 - relief));
      return figures;
    });
    const auto late = std::count_if(changes.begin(), changes.end(),
                                    [](const auto& c) { return c.at > TimePoint(241s); });
    EXPECT_LE(late, 15) << gain;
  }
}

LaneFigures starving(double) {
  return {.budget = 5s, .arrivals_per_s = 100, .oldest_wait = 3s};
}

TEST_F(LaneWeightsTest, StarvingLaneGetsItsShareForABoundedTime) {
  const auto change = weights.step(Lane::kLow, starving(1), now);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->cause, WeightCause::kBoost);
  EXPECT_EQ(change->figure, 3);
  const double low = weights.weight(Lane::kLow);
  EXPECT_NEAR(low / (16 + 4 + low), 0.3, 1e-9);
  EXPECT_FALSE(weights.settled());
  EXPECT_EQ(weights.step(Lane::kLow, starving(1), now + 1s)->cause, WeightCause::kBoostOver);
  EXPECT_EQ(weights.weight(Lane::kLow), 1);
}

// R16: bounded time and share, however long it starves.
TEST_F(LaneWeightsTest, BoostTakesAtMostAQuarterOfTheTime) {
  int boosted = 0;
  int longest = 0;
  for (int tick = 0, streak = 0; tick < 50'000; ++tick, now += 20ms) {
    weights.step(Lane::kLow, starving(1), now);
    streak = weights.boosted(Lane::kLow) ? streak + 1 : 0;
    boosted += streak > 0;
    longest = std::max(longest, streak);
  }
  EXPECT_NEAR(boosted, 12'500, 250);
  EXPECT_LE(longest, 50);
}

TEST_F(LaneWeightsTest, UrgentLanesAreNotBoosted) {
  run(Lane::kHigh, 2, starving);
  EXPECT_TRUE(changes.empty());
}

}  // namespace
}  // namespace sluice::core
