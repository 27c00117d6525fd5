#include "core/placement/strategy.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow{1s};

Node node(std::uint32_t slots, std::uint32_t in_flight) {
  Node node({.slots = slots, .credits = slots * 4});
  node.report(true, std::nullopt);
  for (std::uint32_t i = 0; i < in_flight; ++i) {
    Attempt attempt;
    node.begin(i, attempt, kNow);
  }
  return node;
}

TEST(Strategy, OutstandingIsInFlightToSlots) {
  EXPECT_EQ(outstanding(node(4, 0)), 0);
  EXPECT_EQ(outstanding(node(4, 3)), 0.75);
  EXPECT_EQ(outstanding(node(4, 8)), 2);
}

TEST(Strategy, ExpectedQueueIsTheWorkThereAndItsOwn) {
  Node busy = node(4, 6);
  busy.learn(20ms);
  EXPECT_EQ(expected_queue_ns(busy, 5ms), 6.0 / 4 * 20e6 + 5e6);
  // Never measured does not mean no work.
  EXPECT_EQ(expected_queue_ns(node(4, 6), 5ms), 6.0 / 4 * 5e6 + 5e6);
  EXPECT_EQ(expected_queue_ns(node(4, 0), 5ms), 5e6);
}

Options stage(PlacementKind placement, std::vector<std::uint32_t> slots) {
  Options options = small_options(1, static_cast<std::uint32_t>(slots.size()));
  for (std::size_t n = 0; n < slots.size(); ++n) options.nodes[n].slots = slots[n];
  options.policy = Policy::balancer("", placement);
  return options;
}

std::uint32_t node_of(SteppedScheduler& scheduler, std::uint64_t request) {
  scheduler.submit(request, asking(4, 10s));
  return scheduler.dispatched(request).node.value;
}

TEST(Strategy, LeastOutstandingCountsBySlot) {
  SteppedScheduler scheduler(stage(PlacementKind::kLeastOutstanding, {8, 2}));
  scheduler.all_ready();
  std::map<std::uint32_t, int> given;
  for (std::uint64_t i = 0; i < 10; ++i) ++given[node_of(scheduler, i)];
  EXPECT_EQ(given, (std::map<std::uint32_t, int>{{0, 8}, {1, 2}}));
}

// A balancer that always began with its first node would use the others only under load.
TEST(Strategy, TiesAreBrokenByLot) {
  SteppedScheduler scheduler(stage(PlacementKind::kLeastOutstanding, {1, 1, 1}));
  scheduler.all_ready();
  std::map<std::uint32_t, int> given;
  for (std::uint64_t i = 0; i < 300; ++i) {
    ++given[node_of(scheduler, i)];
    scheduler.finish(i);
  }
  ASSERT_EQ(given.size(), 3u);
  for (const auto& [at, count] : given) EXPECT_NEAR(count, 100, 40) << at;
}

TEST(Strategy, RandomKnowsNeitherLoadNorSpeed) {
  SteppedScheduler scheduler(stage(PlacementKind::kRandom, {4, 4}));
  scheduler.all_ready();
  scheduler.submit(1'000, asking(4, 10s));  // one of the two is busier
  std::map<std::uint32_t, int> given;
  for (std::uint64_t i = 0; i < 400; ++i) {
    ++given[node_of(scheduler, i)];
    scheduler.finish(i);
  }
  EXPECT_NEAR(given[0], 200, 40);
}

// Whichever two of the three are drawn, the busiest does not win.
TEST(Strategy, PowerOfTwoTakesTheLessBusyOfTwo) {
  SteppedScheduler scheduler(stage(PlacementKind::kPowerOfTwo, {4, 4, 4}));
  std::uint64_t load = 1'000;
  for (std::uint32_t n = 0; n < 3; ++n) {
    scheduler.report(n, true);
    for (std::uint32_t i = 0; i < n; ++i) scheduler.submit(load++, asking(4, 10s));
    scheduler.report(n, false);
  }
  scheduler.all_ready();
  std::map<std::uint32_t, int> given;
  for (std::uint64_t i = 0; i < 300; ++i) {
    ++given[node_of(scheduler, i)];
    scheduler.finish(i);
  }
  EXPECT_EQ(given[2], 0);
  EXPECT_NEAR(given[0], 200, 40);
}

TEST(Strategy, ShortestExpectedKnowsSpeed) {
  SteppedScheduler scheduler(stage(PlacementKind::kShortestExpected, {1, 1}));
  scheduler.report(0, true);
  scheduler.teach(40ms);
  scheduler.report(0, false);
  scheduler.report(1, true);
  scheduler.teach(10ms);
  scheduler.report(0, true);
  EXPECT_EQ(node_of(scheduler, 0), 1u);
}

// Whatever the strategy: another node where there is one.
TEST(Strategy, WhereItHasFailedATaskComesLast) {
  for (std::size_t kind = 0; kind < kPlacementNames.size(); ++kind) {
    Options options = stage(PlacementKind(kind), {1, 1, 1});
    options.policy.control = Control::kAdaptive;
    SteppedScheduler scheduler(options);
    scheduler.all_ready();
    Labels labels = asking(4, 10s);
    labels.retriable = true;
    for (std::uint64_t i = 0; i < 20; ++i) {
      scheduler.submit(i, labels);
      const NodeId first = scheduler.dispatched(i).node;
      scheduler.finish(i, AttemptResult::kBusy);
      EXPECT_NE(scheduler.dispatched(i).node, first) << kPlacementNames[kind];
      scheduler.finish(i);
    }
  }
}

// A sample: every node's turn comes, however many there are, of whatever kind.
TEST(Strategy, BlindDrawsFromManyNodesAreEven) {
  Options options = stage(PlacementKind::kRandom, std::vector<std::uint32_t>(100, 1));
  for (std::size_t n = 0; n < 100; ++n) options.nodes[n].kind = n < 90 ? "many" : "few";
  SteppedScheduler scheduler(options);
  scheduler.all_ready();
  int few = 0;
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    few += node_of(scheduler, i) >= 90;
    scheduler.finish(i);
  }
  EXPECT_NEAR(few, 100, 40);
}

}  // namespace
}  // namespace sluice::core
