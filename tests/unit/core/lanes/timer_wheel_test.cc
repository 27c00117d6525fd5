#include "core/lanes/timer_wheel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/random.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint at(Duration d) {
  return TimePoint(d);
}
constexpr Duration kTick = Duration(1 << 20);

TEST(TimerWheel, EmptyNeverFallsDue) {
  TimerWheel wheel;
  EXPECT_EQ(wheel.next_due(), kNever);
  EXPECT_FALSE(wheel.pop_due(at(1h)));
}

TEST(TimerWheel, NeverEarlyAndAtMostATickLate) {
  TimerWheel wheel;
  wheel.insert(0, at(100ms));
  EXPECT_FALSE(wheel.pop_due(at(100ms - 1ns)));
  EXPECT_EQ(wheel.pop_due(at(100ms + kTick)), 0u);
  EXPECT_EQ(wheel.next_due(), kNever);
}

TEST(TimerWheel, RemovedEntriesDoNotFallDue) {
  TimerWheel wheel;
  for (std::uint32_t i = 0; i < 5; ++i) wheel.insert(i, at(50ms));
  wheel.remove(4);
  wheel.remove(0);
  wheel.remove(2);
  EXPECT_TRUE(wheel.pop_due(at(1s)));
  EXPECT_TRUE(wheel.pop_due(at(1s)));
  EXPECT_FALSE(wheel.pop_due(at(1s)));
}

TEST(TimerWheel, ThePastIsDueAtTheNextTick) {
  TimerWheel wheel;
  EXPECT_FALSE(wheel.pop_due(at(10s)));
  wheel.insert(3, at(1s));
  EXPECT_EQ(wheel.pop_due(at(10s + 2 * kTick)), 3u);
}

TEST(TimerWheel, WhatIsFartherThanItReachesWaits) {
  TimerWheel wheel;
  wheel.insert(0, kNever);
  EXPECT_FALSE(wheel.pop_due(at(24h * 365)));
  wheel.remove(0);
  EXPECT_EQ(wheel.next_due(), kNever);
}

// Put a whole turn of the top level ahead, it used to land in the present bucket and was looked at
// for ever.
TEST(TimerWheel, WhatIsFartherThanItReachesWaitsAtAnyTime) {
  TimerWheel wheel;
  for (TimePoint now = at(24h * 30); now < at(24h * 3650); now += 24h * 300) {
    EXPECT_FALSE(wheel.pop_due(now));
    wheel.insert(0, kNever);
    EXPECT_FALSE(wheel.pop_due(now + 1s));
    EXPECT_GT(wheel.next_due(), now + 24h * 700);
    wheel.remove(0);
  }
}

// Driven as the gateway drives it: woken at next_due(), everything comes within a tick of its time.
TEST(TimerWheel, AgreesWithASortedMapOverAllLevels) {
  TimerWheel wheel;
  Random random(5);
  std::map<std::uint32_t, TimePoint> waiting;
  TimePoint now = at(123456789ns);
  std::uint32_t next = 0;
  for (int step = 0; step < 20'000; ++step) {
    if (random.below(2) == 0) {
      const auto ahead = from_ms(std::exp(random.uniform(0, 18)) / 10);
      waiting[next] = now + ahead;
      wheel.insert(next++, now + ahead);
    }
    if (!waiting.empty() && random.below(4) == 0) {
      auto chosen = waiting.lower_bound(random.below(next));
      if (chosen == waiting.end()) chosen = waiting.begin();
      wheel.remove(chosen->first);
      waiting.erase(chosen);
    }
    const TimePoint wake = std::min(wheel.next_due(), now + 50ms);
    now = std::max(now, wake);
    while (const auto due = wheel.pop_due(now)) {
      ASSERT_TRUE(waiting.contains(*due));
      ASSERT_LE(waiting[*due], now);
      ASSERT_GE(waiting[*due] + kTick, now - 0ns) << "late by more than a tick";
      waiting.erase(*due);
    }
    for (const auto& [slot, when] : waiting) ASSERT_GT(when + kTick, now);
    if (waiting.size() > 200) break;
  }
}

}  // namespace
}  // namespace sluice::core
