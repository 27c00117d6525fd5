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

// The latest moment to begin: of two deadlines the nearer one, unless the other's task is longer.
TEST(Ordering, SlackIsDeadlineLessService) {
  const auto key = [](const Task& t) { return order_key(Ordering::kSlack, t, 0, {}); };
  Task quick = task(0ms, 9);
  quick.expected_service = 1ms;
  Task slow = task(5ms, 0);
  slow.expected_service = 20ms;
  EXPECT_LT(key(slow), key(quick));
  slow.deadline += 20ms;
  EXPECT_LT(key(quick), key(slow));
}

TEST(Ordering, ShortestAgesSoThatItsBoundHolds) {
  ScoreWeights weights;
  weights.shortest_service = 4;
  const auto key = [&](const Task& t) { return order_key(Ordering::kShortest, t, 0, weights); };
  const Task brief = task(100ms, 9);
  Task lengthy = task(0ms, 0);
  lengthy.expected_service = 25ms + 1ns;
  EXPECT_LT(key(brief), key(lengthy));
  lengthy.expected_service = 25ms - 1ns;
  EXPECT_LT(key(lengthy), key(brief));
}

}  // namespace
}  // namespace sluice::core
