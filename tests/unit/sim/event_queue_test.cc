#include "sim/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"

namespace sluice::sim {
namespace {

Event at(std::int64_t ns, std::uint32_t subject = 0) {
  return {.at = TimePoint(Duration(ns)), .kind = EventKind::kServed, .subject = subject};
}

std::vector<std::uint32_t> drain(EventQueue& queue) {
  std::vector<std::uint32_t> subjects;
  while (!queue.empty()) subjects.push_back(queue.pop().subject);
  return subjects;
}

TEST(EventQueue, GivesEventsInOrderOfTime) {
  EventQueue queue;
  queue.push(at(30, 3));
  queue.push(at(10, 1));
  queue.push_in_line(0, at(20, 2));
  EXPECT_EQ(queue.next_at(), TimePoint(Duration(10)));
  EXPECT_EQ(drain(queue), (std::vector<std::uint32_t>{1, 2, 3}));
  EXPECT_EQ(queue.next_at(), kNever);
}

TEST(EventQueue, GivesEventsOfOneInstantInTheOrderOfScheduling) {
  EventQueue queue;
  queue.push_in_line(1, at(5, 1));
  queue.push(at(5, 2));
  queue.push_in_line(0, at(5, 3));
  queue.push(at(5, 4));
  EXPECT_EQ(drain(queue), (std::vector<std::uint32_t>{1, 2, 3, 4}));
}

TEST(EventQueue, KeepsWhatAnEventCarries) {
  EventQueue queue;
  queue.push({.at = TimePoint(Duration(7)),
              .kind = EventKind::kLook,
              .subject = 4'000'000'000,
              .generation = 9});
  const Event event = queue.pop();
  EXPECT_EQ(event.kind, EventKind::kLook);
  EXPECT_EQ(event.subject, 4'000'000'000);
  EXPECT_EQ(event.generation, 9u);
}

// Against a stable sort of the same events, with pops in between.
TEST(EventQueue, AgreesWithAStableSort) {
  Random random(1);
  EventQueue queue;
  std::vector<Event> expected;
  std::int64_t line_at = 0;
  std::int64_t now = 0;
  std::uint32_t next = 0;
  for (int round = 0; round < 2000; ++round) {
    for (int i = 0; i < 4; ++i) {
      const bool in_line = random.below(3) == 0;
      std::int64_t when = now + random.below(50);
      if (in_line) when = line_at = std::max(line_at, when);
      const Event event = at(when, next++);
      if (in_line) {
        queue.push_in_line(2, event);
      } else {
        queue.push(event);
      }
      expected.push_back(event);
    }
    std::stable_sort(expected.begin(), expected.end(),
                     [](const Event& a, const Event& b) { return a.at < b.at; });
    for (int i = 0; i < 3; ++i) {
      const Event event = queue.pop();
      ASSERT_EQ(event.subject, expected.front().subject);
      now = event.at.time_since_epoch().count();
      expected.erase(expected.begin());
    }
  }
}

TEST(EventQueueDeathTest, ALineTakesNothingThatIsLate) {
  EventQueue queue;
  queue.push_in_line(0, at(10));
  EXPECT_DEATH(queue.push_in_line(0, at(9)), "in order");
}

}  // namespace
}  // namespace sluice::sim
