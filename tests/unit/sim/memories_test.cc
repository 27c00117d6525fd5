// Models that come into the memory of nodes, and leave it.
#include "sim/memories.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/sim/small_world.h"

namespace sluice::sim {
namespace {

using Said = std::vector<std::string>;

// Nodes of 3 GB for "quick" (1 GB) and "long" (3 GB).
Scenario managed_world() {
  Scenario world = small_world(2);
  world.kinds[0].managed = true;
  world.kinds[0].memory_bytes = 3e9;
  for (Model& model : world.models) model.load_time = seconds(2);
  return world;
}

class MemoriesTest : public ::testing::Test {
 protected:
  explicit MemoriesTest(const Scenario& world = managed_world())
      : scenario_(world), draws_(scenario_, 1), memories_(scenario_, draws_, events_) {}

  void load(std::size_t place) { memories_.send(0, place, true, now_); }
  void unload(std::size_t place) { memories_.send(0, place, false, now_); }

  // "quick loaded", "long not unloaded", …: what the gateway hears until this time.
  Said until(Duration time) {
    Said said;
    while (events_.next_at() <= TimePoint(time)) {
      const Event event = events_.pop();
      if (event.kind != EventKind::kOrderAnswered) {
        memories_.on(event, condition_);
        continue;
      }
      const Memories::Answer answer = memories_.answered(event);
      said.push_back(scenario_.models[answer.model.value].name + (answer.ok ? "" : " not") +
                     (answer.load ? " loaded" : " unloaded"));
    }
    now_ = TimePoint(time);
    return said;
  }

  Scenario scenario_;
  Draws draws_;
  EventQueue events_;
  Memories memories_;
  Condition condition_;
  TimePoint now_;
};

TEST_F(MemoriesTest, ALoadTakesItsTimeAndThenIsThere) {
  load(0);
  EXPECT_EQ(until(milliseconds(500)), Said{});
  EXPECT_FALSE(memories_.has(0, 0));
  EXPECT_EQ(memories_.used_bytes(0), 1e9);
  EXPECT_EQ(until(seconds(5)), Said{"quick loaded"});
  EXPECT_TRUE(memories_.has(0, 0));
  EXPECT_FALSE(memories_.has(1, 0));
  EXPECT_EQ(memories_.counts().loads, 1u);
  // What is there already is there at once.
  load(0);
  EXPECT_EQ(until(seconds(5) + milliseconds(2)), Said{"quick loaded"});
  unload(0);
  EXPECT_EQ(until(seconds(6)), Said{"quick unloaded"});
  EXPECT_FALSE(memories_.has(0, 0));
  EXPECT_EQ(memories_.used_bytes(0), 0);
}

TEST_F(MemoriesTest, WithoutRoomALoadFailsAtOnce) {
  load(0);
  until(seconds(5));
  load(1);
  EXPECT_EQ(until(seconds(5) + milliseconds(2)), Said{"long not loaded"});
  EXPECT_EQ(memories_.counts().without_room, 1u);
}

TEST_F(MemoriesTest, AnUnloadOvertakesALoad) {
  load(0);
  until(milliseconds(100));
  unload(0);
  EXPECT_EQ(until(seconds(5)), Said{"quick unloaded"});
  EXPECT_FALSE(memories_.has(0, 0));
  load(0);
  EXPECT_EQ(until(seconds(10)), Said{"quick loaded"});
}

TEST_F(MemoriesTest, ACrashEmptiesTheNodeAndEndsItsLoads) {
  load(0);
  until(milliseconds(100));
  memories_.crash(0, true, now_);
  EXPECT_EQ(until(seconds(5)), Said{"quick not loaded"});
  load(0);
  until(seconds(10));
  memories_.crash(0, false, now_);
  EXPECT_FALSE(memories_.has(0, 0));
  EXPECT_EQ(until(seconds(20)), Said{});
}

TEST_F(MemoriesTest, AFrozenNodeGoesOnLater) {
  load(0);
  until(milliseconds(100));
  condition_.frozen = true;
  EXPECT_EQ(until(seconds(10)), Said{});
  condition_.frozen = false;
  EXPECT_EQ(until(seconds(11)), Said{"quick loaded"});
}

TEST_F(MemoriesTest, NothingPassesAPartition) {
  condition_.cut_off = true;
  load(0);
  EXPECT_EQ(until(seconds(10)), Said{});
  condition_.cut_off = false;
  EXPECT_EQ(until(seconds(20)), Said{});
}

TEST_F(MemoriesTest, ShareIsAMeanOverTimeAndNodes) {
  load(0);
  until(seconds(10));
  // A third of the memory of one of two nodes, from 1 ms on.
  EXPECT_NEAR(*memories_.share(TimePoint{seconds(10)}), 1.0 / 6, 1e-3);
}

Scenario failing() {
  Scenario world = managed_world();
  world.models[0].load_failures = 1;
  return world;
}
class FailingMemories : public MemoriesTest {
 protected:
  FailingMemories() : MemoriesTest(failing()) {}
};

TEST_F(FailingMemories, AFailedLoadLeavesNothing) {
  load(0);
  EXPECT_EQ(until(seconds(5)), Said{"quick not loaded"});
  EXPECT_EQ(memories_.used_bytes(0), 0);
  EXPECT_EQ(memories_.counts().failed, 1u);
}

class UnmanagedMemories : public MemoriesTest {
 protected:
  UnmanagedMemories() : MemoriesTest(small_world()) {}
};

TEST_F(UnmanagedMemories, AllIsThereAlways) {
  EXPECT_TRUE(memories_.has(0, 0));
  EXPECT_TRUE(memories_.has(0, 1));
  memories_.crash(0, true, now_);
  EXPECT_TRUE(memories_.has(0, 1));
  EXPECT_DOUBLE_EQ(*memories_.share(TimePoint{seconds(10)}), 0.5);
}

}  // namespace
}  // namespace sluice::sim
