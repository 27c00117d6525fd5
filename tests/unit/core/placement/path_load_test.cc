#include "core/placement/path_load.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using Part = PathLoad::Part;

constexpr TimePoint kNow{100s};
constexpr Part kIdle{.slots = 2, .credits = 4, .in_flight = 0};

PathLoad of_two_nodes(TimePoint now) {
  PathLoad load;
  load.change({}, kIdle, now);
  load.change({}, kIdle, now);
  return load;
}

TEST(PathLoad, IsWhatIsInFlightOverWhatThereIs) {
  PathLoad load = of_two_nodes(kNow);
  load.change(kIdle, {.slots = 2, .credits = 4, .in_flight = 3}, kNow);
  EXPECT_NEAR(load.utilisation(kNow + 20s), 0.75, 1e-3);
  EXPECT_NEAR(load.queue(kNow + 20s), 0, 1e-3);
  load.change(kIdle, {.slots = 2, .credits = 4, .in_flight = 3}, kNow + 20s);
  EXPECT_NEAR(load.utilisation(kNow + 40s), 1, 1e-3);
  EXPECT_NEAR(load.queue(kNow + 40s), 0.5, 1e-3);
}

// At one moment a node of one slot is either idle or full.
TEST(PathLoad, IsAMeanOfTheLastSecondOrSo) {
  constexpr Part kFree{.slots = 1, .credits = 1, .in_flight = 0};
  constexpr Part kBusy{.slots = 1, .credits = 1, .in_flight = 1};
  PathLoad load;
  load.change({}, kFree, kNow);
  TimePoint now = kNow;
  for (int i = 0; i < 1'000; ++i) {
    load.change(kFree, kBusy, now += 7ms);
    EXPECT_LT(load.utilisation(now), 0.35);
    load.change(kBusy, kFree, now += 3ms);
  }
  EXPECT_NEAR(load.utilisation(now), 0.3, 0.02);
  EXPECT_EQ(load.queue(now), 0);
}

TEST(PathLoad, NodesThatAreNotReadyAddNothing) {
  PathLoad load = of_two_nodes(kNow);
  const Part full{.slots = 2, .credits = 4, .in_flight = 4};
  load.change(kIdle, full, kNow);
  load.change(full, {}, kNow);
  EXPECT_NEAR(load.utilisation(kNow + 20s), 0, 1e-3);
  load.change(kIdle, {}, kNow + 20s);
  EXPECT_EQ(load.utilisation(kNow + 60s), 0) << "of no node at all";
}

}  // namespace
}  // namespace sluice::core
