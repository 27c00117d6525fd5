// R12: slots that are kept for the high lane, and to whom they are lent.
#include "core/placement/reserves.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using Said = SteppedScheduler::Said;

constexpr ClassId kClass{0};
constexpr ClassId kOther{1};

// Two classes of 20 slots each; steps every 20 ms, before which urgent tasks of 10 ms arrive.
struct ReservesTest : ::testing::Test {
  void run(double urgent_per_s, Duration time) {
    for (const TimePoint end = now + time; now < end; now += 20ms) {
      for (due += urgent_per_s * 0.02; due >= 1; --due) reserves.arrived(kClass, 10ms, now);
      reserves.step(
          now, [this](ClassId klass) { return slots[klass.value]; },
          [this](ClassId klass) { ++eased[klass.value]; });
    }
  }

  Reserves reserves{ReserveOptions{}, 50ms, 2};
  std::map<std::uint32_t, std::uint32_t> slots{{0, 20}, {1, 20}};
  std::map<std::uint32_t, int> eased;
  TimePoint now{1s};
  double due = 0;
};

TEST_F(ReservesTest, NothingIsKeptWhereNothingUrgentComes) {
  EXPECT_TRUE(reserves.idle());
  run(0, 1s);
  EXPECT_EQ(reserves.slots(kClass), 0u);
  for (int i = 0; i < 20; ++i) reserves.others_began(kClass, true);
  EXPECT_FALSE(reserves.restricts(kClass));
}

TEST_F(ReservesTest, SlotsAreKeptForTheLoadThatArrives) {
  run(100, 5s);
  // One slot's worth: 1 + 1.85 · √1 + ½, rounded up.
  EXPECT_EQ(reserves.slots(kClass), 4u);
  EXPECT_EQ(reserves.slots(kOther), 0u) << "its urgent tasks come to the other class";
  EXPECT_FALSE(reserves.idle());
}

TEST_F(ReservesTest, OthersMayHaveTheRestAndNotOneMore) {
  run(100, 5s);
  for (int i = 0; i < 15; ++i) reserves.others_began(kClass, true);
  EXPECT_FALSE(reserves.restricts(kClass));
  reserves.others_began(kClass, true);
  EXPECT_TRUE(reserves.restricts(kClass)) << "16 of 20, and 4 are kept";
  reserves.others_ended(kClass, true);
  EXPECT_FALSE(reserves.restricts(kClass));
}

TEST_F(ReservesTest, IdleSlotsAreLentToWhatEndsOrCanBeTakenBackInTime) {
  EXPECT_TRUE(reserves.lends_to(50ms, false));
  EXPECT_FALSE(reserves.lends_to(51ms, false));
  EXPECT_TRUE(reserves.lends_to(1h, true));
}

TEST_F(ReservesTest, WhoWaitedIsToldWhenARestrictionEases) {
  run(100, 5s);
  for (int i = 0; i < 16; ++i) reserves.others_began(kClass, true);
  ASSERT_TRUE(reserves.restricts(kClass));
  const int before = eased[0];
  // More slots: the class restricts no more.
  slots[0] = 30;
  run(100, 20ms);
  EXPECT_FALSE(reserves.restricts(kClass));
  EXPECT_GT(eased[0], before);
  EXPECT_EQ(eased[1], 0);
}

TEST_F(ReservesTest, ADemandThatHasGoneLeavesNothingBehind) {
  run(100, 5s);
  run(0, 60s);
  EXPECT_EQ(reserves.slots(kClass), 0u);
  EXPECT_TRUE(reserves.idle()) << "it costs nothing any more";
  EXPECT_GT(eased[0], 0);
}

TEST_F(ReservesTest, TheMeanOfServicesFollowsSlowly) {
  run(100, 5s);
  const std::uint32_t before = reserves.slots(kClass);
  reserves.arrived(kClass, 10s, now);
  run(100, 1s);
  EXPECT_LE(reserves.slots(kClass), 10u) << "half of all slots at most";
  EXPECT_GT(reserves.slots(kClass), before) << "one of 10 s counts for a fiftieth of that";
}

// A quarter of 20 slots is for light models.
TEST(LightReserveTest, HeavyOnesMayHaveTheRestAndLightOnesAll) {
  Reserves reserves(ReserveOptions{.light_share = 0.25}, 50ms, 2);
  reserves.set_ready_slots(kClass, 20);
  EXPECT_FALSE(reserves.idle());
  for (int i = 0; i < 14; ++i) reserves.others_began(kClass, true);
  EXPECT_FALSE(reserves.restricts_heavy(kClass));
  reserves.others_began(kClass, true);
  EXPECT_TRUE(reserves.restricts_heavy(kClass)) << "15 of 20, and 5 are for light ones";
  EXPECT_FALSE(reserves.restricts(kClass));
  for (int i = 0; i < 5; ++i) reserves.others_began(kClass, false);
  reserves.others_ended(kClass, true);
  EXPECT_FALSE(reserves.restricts_heavy(kClass)) << "light ones count for nothing here";
  EXPECT_FALSE(reserves.restricts_heavy(kOther)) << "it has no light models";
}

TEST(LightReserveTest, SevenPercentOfAHundredAreSeven) {
  Reserves reserves(ReserveOptions{.light_share = 0.07}, 50ms, 1);
  reserves.set_ready_slots(kClass, 100);
  for (int i = 0; i < 92; ++i) reserves.others_began(kClass, true);
  EXPECT_FALSE(reserves.restricts_heavy(kClass));
  reserves.others_began(kClass, true);
  EXPECT_TRUE(reserves.restricts_heavy(kClass));
}

TEST(LightReserveTest, LeavesOneToTheOthersWhateverIsKept) {
  Reserves reserves(ReserveOptions{.light_share = 1}, 50ms, 2);
  reserves.set_ready_slots(kClass, 3);
  EXPECT_FALSE(reserves.restricts_heavy(kClass));
  reserves.others_began(kClass, true);
  EXPECT_TRUE(reserves.restricts_heavy(kClass));
}

// --- at the scheduler ----------------------------------------------------------------------------

// Urgent tasks of 10 ms come to ten slots until some of these are kept for them.
struct ReservedSlots : ::testing::Test {
  void start(CancelMode cancel, Duration others_take, std::optional<Duration> lend = {}) {
    Options options = small_options(2);
    options.control.reserve.lend = lend;
    options.nodes[0].slots = 10;
    options.nodes[0].credits = 10;
    options.nodes[0].cancel = cancel;
    options.models[0].expected_service = 10ms;
    options.models[1].expected_service = others_take;
    s = std::make_unique<SteppedScheduler>(options);
    s->all_ready();
    for (int i = 0; i < 500; ++i) {
      s->submit(next, asking(0, 1s));
      s->advance(10ms);
      s->finish(next++);
      s->tick();
    }
  }
  // How many of ten tasks of the other model are dispatched at once.
  std::uint64_t dispatched_of_ten(Priority priority) {
    Labels labels = asking(priority, 1h, 1);
    labels.retriable = true;
    return dispatched_of(10, labels);
  }
  std::uint64_t dispatched_of(int count, const Labels& labels) {
    std::uint64_t found = 0;
    for (int i = 0; i < count; ++i, ++next) {
      found += s->submit(next, labels) == Said{"dispatch " + std::to_string(next) + " to 0"};
    }
    return found;
  }

  std::unique_ptr<SteppedScheduler> s;
  std::uint64_t next = 0;
};

// Of ten slots four are kept: 1 is used, and 1 + 1.85 · √1 + ½ make sure that one is free.
TEST_F(ReservedSlots, OthersWaitForWhatIsNotKept) {
  start(CancelMode::kIgnored, 500ms);
  EXPECT_EQ(dispatched_of_ten(5), 6u);
  EXPECT_EQ(dispatched_of(4, asking(0, 1s)), 4u) << "who is urgent finds a slot at once";
}

TEST_F(ReservedSlots, WhoWaitsRunsWhenOneOfTheOthersEnds) {
  start(CancelMode::kIgnored, 100ms);
  const std::uint64_t first = next;
  ASSERT_EQ(dispatched_of_ten(5), 6u);
  s->advance(100ms);
  EXPECT_EQ(s->finish(first), (Said{"finish " + std::to_string(first) + " completed",
                                    "dispatch " + std::to_string(first + 6) + " to 0"}));
}

TEST_F(ReservedSlots, WhoWaitsRunsWhenNobodyUrgentComesAnyMore) {
  start(CancelMode::kIgnored, 500ms);
  ASSERT_EQ(dispatched_of_ten(5), 6u);
  std::size_t begun = 0;
  for (int i = 0; i < 3'000; ++i) {
    s->advance(20ms);
    begun += s->tick().size();
  }
  EXPECT_EQ(begun, 4u);
}

TEST_F(ReservedSlots, AreLentToWhatEndsInTime) {
  start(CancelMode::kIgnored, 10ms);
  EXPECT_EQ(dispatched_of_ten(5), 10u);
}

TEST_F(ReservedSlots, HowLongTheyAreLentCanBeConfigured) {
  start(CancelMode::kIgnored, 500ms, 10s);
  EXPECT_EQ(dispatched_of_ten(5), 10u);
}

TEST_F(ReservedSlots, NothingIsLentWhereTheConfigurationSaysNoTime) {
  start(CancelMode::kIgnored, 10ms, 0s);
  EXPECT_EQ(dispatched_of_ten(5), 6u);
}

TEST_F(ReservedSlots, AreLentToWhatCanBeTakenBack) {
  start(CancelMode::kStops, 500ms);
  EXPECT_EQ(dispatched_of_ten(8), 10u);
}

TEST_F(ReservedSlots, AreNotLentWhereOnlyTheLowLaneCanBeTakenBack) {
  start(CancelMode::kStops, 500ms);
  EXPECT_EQ(dispatched_of_ten(5), 6u);
}

TEST_F(ReservedSlots, AreNotLentWhereTheNodeDoesNotStop) {
  start(CancelMode::kIgnored, 500ms);
  EXPECT_EQ(dispatched_of_ten(8), 6u);
}

TEST_F(ReservedSlots, AreNotLentToWhatMayNotRunTwice) {
  start(CancelMode::kStops, 500ms);
  EXPECT_EQ(dispatched_of(10, asking(8, 1h, 1)), 6u);
}

// Ten slots, four of them for the light model 0; nothing urgent comes.
struct SlotsForLight : ReservedSlots {
  void start_with(double share) {
    Options options = small_options(2);
    options.control.reserve.light_share = share;
    options.nodes[0].slots = 10;
    options.nodes[0].credits = 10;
    options.models[0].expected_service = 500ms;
    options.models[1].expected_service = 500ms;
    options.models[1].weight = WeightClass::kHeavy;
    s = std::make_unique<SteppedScheduler>(options);
    s->all_ready();
  }
};

TEST_F(SlotsForLight, HeavyModelsLeaveThemAndUrgentOnesDoNot) {
  start_with(0.4);
  EXPECT_EQ(dispatched_of(8, asking(5, 1h, 1)), 6u);
  EXPECT_EQ(dispatched_of(3, asking(5, 1h, 0)), 3u) << "light ones find a slot at once";
  EXPECT_EQ(dispatched_of(1, asking(0, 1h, 1)), 1u) << "heavy, but urgent";
}

TEST_F(SlotsForLight, NothingIsKeptUnlessConfigured) {
  start_with(0);
  EXPECT_EQ(dispatched_of(10, asking(5, 1h, 1)), 10u);
}

// A slot that heavy ones must leave goes to the light one that waits behind them.
TEST_F(SlotsForLight, WhatIsLeftGoesToLightOnesAtOnce) {
  start_with(0.4);
  EXPECT_EQ(dispatched_of(8, asking(5, 1h, 1)), 6u);  // 0..5 run, 6 and 7 wait
  EXPECT_EQ(dispatched_of(5, asking(5, 1h, 0)), 4u);  // 8..11 run, 12 waits
  s->advance(500ms);
  EXPECT_EQ(s->finish(8), (Said{"finish 8 completed", "dispatch 12 to 0"}));
  EXPECT_EQ(s->finish(0), (Said{"finish 0 completed", "dispatch 6 to 0"}));
}

// Model 1 has node 0 alone; models 2, heavy, and 0, light, share it and node 1.
TEST_F(SlotsForLight, WhoWaitsBecauseOfAnotherClassIsWokenByIt) {
  Options options = small_options(3, 2);
  options.control.reserve.light_share = 0.5;
  options.control.reserve.most_share = 0;
  for (NodeOptions& node : options.nodes) node.slots = 2;
  options.nodes[1].models = {{0}, {2}};
  for (ModelOptions& model : options.models) model.expected_service = 500ms;
  options.models[1].weight = WeightClass::kHeavy;
  options.models[2].weight = WeightClass::kHeavy;
  s = std::make_unique<SteppedScheduler>(options);
  s->all_ready();
  // Urgent ones fill node 0, so that two heavy ones go to node 1.
  for (std::uint64_t request : {10, 11}) s->submit(request, asking(0, 1h, 1));
  for (std::uint64_t request : {0, 1}) {
    EXPECT_EQ(s->submit(request, asking(5, 1h, 2)),
              Said{"dispatch " + std::to_string(request) + " to 1"});
  }
  s->advance(500ms);
  for (std::uint64_t request : {10, 11}) s->finish(request);
  EXPECT_EQ(s->submit(2, asking(5, 1h, 1)), Said{"queued 2"}) << "two of four run, two are kept";
  s->advance(500ms);
  EXPECT_EQ(s->finish(0), (Said{"finish 0 completed", "dispatch 2 to 0"}));
}

// As many wait as would be woken a few at a time if they stood in one line.
TEST_F(SlotsForLight, HeavyTenantsHaveTheirTurnsByTheirWeights) {
  Options options = small_options(2);
  options.control.reserve.light_share = 0.5;
  options.nodes[0].slots = options.nodes[0].credits.emplace(2);
  options.models[1].weight = WeightClass::kHeavy;
  for (ModelOptions& model : options.models) model.expected_service = 500ms;
  options.tenants.clear();
  for (int t = 0; t < 11; ++t) options.tenants.push_back({.weight = t == 0 ? 10.0 : 1.0});
  s = std::make_unique<SteppedScheduler>(options);
  s->all_ready();
  std::map<std::uint64_t, std::uint32_t> tenant_of;
  for (std::uint32_t t = 0; t < 11; ++t) {
    for (int i = 0; i < (t == 0 ? 60 : 6); ++i, ++next) {
      Labels labels = asking(5, 1h, 1);
      labels.tenant = TenantId{t};
      tenant_of[next] = t;
      s->submit(next, labels);
    }
  }
  std::uint64_t running = 0;
  int of_the_heaviest = 0;
  for (int i = 0; i < 60; ++i) {
    s->advance(500ms);
    const Said said = s->finish(running);
    ASSERT_EQ(said.size(), 2u);
    ASSERT_EQ(said[1].rfind("dispatch ", 0), 0u) << said[1];
    running = std::stoull(said[1].substr(9));
    // After everybody's first one, two rounds of twenty.
    if (i >= 10 && i < 50) of_the_heaviest += tenant_of.at(running) == 0 ? 1 : 0;
  }
  EXPECT_NEAR(of_the_heaviest, 20, 1) << "half of the weight, half of the slots";
}

}  // namespace
}  // namespace sluice::core
