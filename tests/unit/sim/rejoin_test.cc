#include "sim/rejoin.h"

#include <gtest/gtest.h>

#include "unit/sim/small_world.h"

namespace sluice::sim {
namespace {

// Node 0 of three comes back at 10 s. `shares`: attempts it gets in each half second from then on;
// the others get 4 each.
std::optional<double> rejoined(const std::vector<int>& shares) {
  Scenario scenario = small_world(3);
  scenario.faults = {
      {.kind = FaultKind::kCrashSilent, .at = seconds(5), .until = seconds(10), .nodes = {0}}};
  const Draws draws(scenario, 1);
  EventQueue events;
  Strikes strikes(3);
  Cluster cluster(scenario, draws, events, strikes, 10'000);
  Rejoin rejoin(scenario, cluster, events);
  const auto send = [&](std::uint32_t node, int count, TimePoint now) {
    for (int i = 0; i < count; ++i) {
      const JobId id = cluster.jobs().acquire();
      cluster.jobs()[id.slot].node = node;
      cluster.send(id, now);
    }
  };
  std::size_t step = 0;
  while (!events.empty() && events.next_at() < TimePoint(seconds(20))) {
    const Event event = events.pop();
    if (event.kind != EventKind::kLook) {
      cluster.on(event);
      continue;
    }
    rejoin.on(event);
    const bool is_back = event.at >= TimePoint(seconds(10));
    send(0, is_back && step < shares.size() ? shares[step++] : 0, event.at);
    send(1, 4, event.at);
    send(2, 4, event.at);
  }
  return rejoin.seconds();
}

TEST(Rejoin, IsWhenItCarriedHalfOfTheMeanInFiveSeconds) {
  // The mean of x, 40, 40 is (80 + x) ÷ 3; half of it is x at 16: after four half seconds.
  EXPECT_EQ(rejoined({4, 4, 4, 4, 4, 4, 4, 4}), 2.0);
}

TEST(Rejoin, TakesLongerWhereLittleIsSent) {
  EXPECT_EQ(rejoined({0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4}), 5.0);
}

TEST(Rejoin, IsInfiniteWhereTheNodeNeverCarriesItsShare) {
  EXPECT_EQ(rejoined({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}), std::nullopt);
}

}  // namespace
}  // namespace sluice::sim
