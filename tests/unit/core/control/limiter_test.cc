#include "core/control/limiter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/control/load_gauge.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

SystemFigures loaded(double busy, double high, double latency) {
  return {.busy_share = busy, .waiting_share = {high, latency, 1}};
}

std::uint32_t cap(Lane lane, const SystemFigures& figures, std::uint32_t slots = 100) {
  return running_cap(lane, figures, slots, {});
}

TEST(Limiter, NoCapWhileNothingMoreUrgentWaits) {
  EXPECT_EQ(cap(Lane::kLow, loaded(1, 0, 0)), 100u);
  EXPECT_EQ(cap(Lane::kLatency, loaded(1, 0, 1)), 100u);
}

TEST(Limiter, LowShrinksFirstThenLatencyHighNever) {
  EXPECT_LT(cap(Lane::kLow, loaded(1, 0.2, 0)), 80u);
  EXPECT_EQ(cap(Lane::kLatency, loaded(1, 0.2, 0)), 100u);
  EXPECT_LT(cap(Lane::kLatency, loaded(1, 0.5, 0)), 100u);
  EXPECT_EQ(cap(Lane::kHigh, loaded(1, 1, 1)), 100u);
}

TEST(Limiter, NeverBelowTheFloorNorBelowOneTask) {
  EXPECT_EQ(cap(Lane::kLow, loaded(1, 1, 1)), 10u);
  EXPECT_EQ(cap(Lane::kLatency, loaded(1, 1, 1)), 30u);
  EXPECT_EQ(cap(Lane::kLow, loaded(1, 1, 1), 3), 1u);
  EXPECT_EQ(cap(Lane::kLow, loaded(1, 1, 1), 0), 1u);
}

TEST(Limiter, CapIsContinuousAndFalls) {
  std::uint32_t last = 1000;
  for (double waiting = 0; waiting <= 1; waiting += 0.001) {
    const auto now = cap(Lane::kLow, loaded(1, waiting, 0), 1000);
    EXPECT_LE(now, last);
    EXPECT_LE(last - now, 2u);
    last = now;
  }
}

// 100 slots; the low lane always has work of 50 ms, the high lane brings 70 slots' worth but gets
// only half of the slots that come free while both wait. `gain` steepens the ramp.
class CappedCluster {
 public:
  explicit CappedCluster(double gain) {
    options_.ramps[2].to = 1 + (options_.ramps[2].to - 1) / gain;
  }
  void tick() {
    constexpr double kDt = 0.005;
    now_ += 5ms;
    const double freed_low = low_ * kDt / 0.050;
    const double freed_high = high_ * kDt / 0.020;
    low_ -= freed_low;
    high_ -= freed_high;
    queue_ += 70 * kDt / 0.020;
    const double free = 100 - low_ - high_;
    const double low_cap = running_cap(Lane::kLow, gauge_.figures(), 100, options_);
    const double to_low = std::clamp(low_cap - low_, 0.0, free / 2);
    const double to_high = std::min(queue_, free - to_low);
    low_ += to_low;
    high_ += to_high;
    queue_ -= to_high;
    gauge_.step(low_ + high_, 100, {from_seconds(queue_ * 0.020), 0ns, 1h}, now_);
  }
  double low() const { return low_; }

 private:
  LimiterOptions options_;
  LoadGauge gauge_{{}};
  double low_ = 100;
  double high_ = 0;
  double queue_ = 0;
  TimePoint now_;
};

TEST(Limiter, ClosedLoopComesToRest) {
  for (const double gain : {1.0, 3.0}) {
    CappedCluster cluster(gain);
    for (int i = 0; i < 2000; ++i) cluster.tick();
    double least = 100;
    double most = 0;
    for (int i = 0; i < 2000; ++i) {
      cluster.tick();
      least = std::min(least, cluster.low());
      most = std::max(most, cluster.low());
    }
    EXPECT_LE(most - least, 3) << gain;
    EXPECT_NEAR(most, 30, 6) << "what the high lane leaves";
  }
}

// Erlang C: the probability that an arriving task waits.
double waiting_probability(double load, std::uint32_t servers) {
  double blocked = 1;  // Erlang B, by its recursion
  for (std::uint32_t n = 1; n <= servers; ++n) blocked = load * blocked / (n + load * blocked);
  return servers * blocked / (servers - load * (1 - blocked));
}

TEST(Reserve, AnArrivingTaskSeldomWaits) {
  for (double load = 0.02; load < 200; load *= 1.05) {
    Reserve reserve{{}};
    const auto slots = reserve.step(load * 100, 10ms, 1000, TimePoint(1s));
    EXPECT_LE(waiting_probability(load, slots), 0.06) << load;
    EXPECT_LE(slots, load + 1.85 * std::sqrt(load) + 1.5) << load;
  }
}

TEST(Reserve, IsAtMostItsShareOfAllSlots) {
  Reserve reserve{{}};
  EXPECT_EQ(reserve.step(1e6, 1s, 9, TimePoint(1s)), 4u);
}

TEST(Reserve, RisesSoonAndFallsSlowlyToNothing) {
  Reserve reserve{{}};
  TimePoint now(1s);
  const auto run = [&](double rate, Duration time) {
    for (const TimePoint end = now + time; now < end; now += 20ms)
      reserve.step(rate, 10ms, 100, now);
    return reserve.slots();
  };
  EXPECT_EQ(run(0, 1s), 0u);
  EXPECT_GE(run(1000, 1s), 14u) << "10 erlangs: 17 slots in the end";
  EXPECT_EQ(run(1000, 4s), 17u);
  EXPECT_GE(run(0, 1s), 10u);
  EXPECT_EQ(run(0, 60s), 0u);
}

}  // namespace
}  // namespace sluice::core
