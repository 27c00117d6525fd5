#include "core/lanes/ordering.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

Task task(Duration arrival, Priority priority) {
  Task t;
  t.arrival = TimePoint(arrival);
  t.deadline = t.arrival + 100ms;
  t.priority = priority;
  return t;
}

std::int64_t score(const Task& t, double drops = 0) {
  return order_key(Ordering::kScore, t, drops, ScoreWeights{});
}

// R4: smaller first; urgency, short tasks and often dropped kinds rank earlier; waiting ages.
TEST(Ordering, ScoreHasOneDirection) {
  EXPECT_LT(score(task(0ms, 1)), score(task(0ms, 2)));
  EXPECT_LT(score(task(0ms, 1)), score(task(1ms, 1)));
  Task longer = task(0ms, 1);
  longer.expected_service = 100ms;
  EXPECT_LT(score(task(0ms, 1)), score(longer));
  EXPECT_LT(score(task(0ms, 1), 0.5), score(task(0ms, 1), 0.0));
}

TEST(Ordering, AgeOvercomesPriority) {
  const Duration step = ScoreWeights{}.per_priority;
  EXPECT_LT(score(task(0ms, 2)), score(task(step + 1ms, 1)));
  EXPECT_GT(score(task(0ms, 2)), score(task(step - 1ms, 1)));
}

TEST(Ordering, ArrivalIsBlindToPriority) {
  const auto key = [](const Task& t) { return order_key(Ordering::kArrival, t, 0, {}); };
  EXPECT_LT(key(task(0ms, 9)), key(task(1ms, 0)));
}

TEST(Ordering, PriorityComesBeforeAnyAge) {
  const auto key = [](const Task& t) { return order_key(Ordering::kPriority, t, 0, {}); };
  EXPECT_LT(key(task(100h, 0)), key(task(0ms, 1)));
  EXPECT_LT(key(task(1ms, 3)), key(task(2ms, 3)));
}

TEST(Ordering, DeadlineIsTheDeadline) {
  Task urgent = task(5ms, 9);
  urgent.deadline = TimePoint(6ms);
  const auto key = [](const Task& t) { return order_key(Ordering::kDeadline, t, 0, {}); };
  EXPECT_LT(key(urgent), key(task(0ms, 0)));
}

}  // namespace
}  // namespace sluice::core
