#include "core/control/period.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

Duration settled(const TickFigures& figures) {
  Period period{{}};
  for (int i = 0; i < 50; ++i) period.next(figures, TimePoint(1s));
  return period.current();
}

TEST(Period, FollowsLoadBetweenItsBounds) {
  EXPECT_EQ(settled({.load = 0.1, .active = 1}), 50ms);
  EXPECT_EQ(settled({.load = 0.75, .active = 1}), 30ms);
  EXPECT_EQ(settled({.load = 1.7, .active = 1}), 10ms);
}

TEST(Period, ChangesHurryIt) {
  EXPECT_EQ(settled({.active = 1, .changes = 2}), 30ms);
  EXPECT_EQ(settled({.active = 1, .changes = 100}), 10ms);
}

TEST(Period, ShortensAtOnceAndLengthensGradually) {
  Period period{{}};
  for (int i = 0; i < 50; ++i) period.next({.active = 1}, TimePoint(1s));
  EXPECT_EQ(period.next({.load = 1, .active = 1}, TimePoint(1s)), TimePoint(1010ms));
  EXPECT_EQ(period.next({.load = 0, .active = 1}, TimePoint(1s)), TimePoint(1012500us));
}

TEST(Period, RestsWhenNothingIsActiveAndWakesHurried) {
  Period period{{}};
  EXPECT_EQ(period.next({.load = 1, .active = 0}, TimePoint(1s)), kNever);
  EXPECT_EQ(period.wake(TimePoint(5s)), TimePoint(5010ms));
}

}  // namespace
}  // namespace sluice::core
