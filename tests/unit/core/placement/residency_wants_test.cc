// Which models should be loaded, where, and who leaves for them: eviction, penetration,
// pre-warming, growth (R18).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/core/placement/stepped_residency.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using State = ResidencyState;

// --- eviction ------------------------------------------------------------------------------------

TEST(ResidencyWants, TheModelThatHasBeenIdleLongestLeaves) {
  SteppedResidency step(managed_options(3, 1));
  step.bring_up(0, 0);
  step.advance(1s);
  step.bring_up(1, 0);
  step.begin(0, 0);
  step.end(0, 0);
  step.advance(20s);
  EXPECT_THAT(step.wait_for(2), ElementsAre("unload 1 at 0"));
  EXPECT_EQ(step.state(2, 0), State::kPlanned);
  EXPECT_THAT(step.unloaded(1, 0), ElementsAre("load 2 at 0"));
  EXPECT_EQ(step.state(1, 0), State::kCold);
  EXPECT_EQ(step.state(0, 0), State::kLoaded);
}

TEST(ResidencyWants, OnlyWhatHasBeenIdleForLongLeaves) {
  SteppedResidency step(managed_options(3, 1));
  step.bring_up(0, 0);
  step.bring_up(1, 0);
  step.advance(9s);
  step.begin(0, 0);
  step.end(0, 0);
  EXPECT_THAT(step.wait_for(2), IsEmpty());
  EXPECT_THAT(step.advance(900ms), IsEmpty());
  EXPECT_THAT(step.advance(200ms), ElementsAre("unload 1 at 0"));
}

// A model that is used now and then does not keep out one that is waited for.
TEST(ResidencyWants, WhoHasWaitedForLongTakesThePlaceOfAnyIdleOne) {
  SteppedResidency step(managed_options(3, 1));
  step.bring_up(0, 0);
  step.bring_up(1, 0);
  step.wait_for(2);
  for (int second = 0; second < 9; ++second) {
    for (const std::uint32_t model : {0u, 1u}) {
      step.begin(model, 0);
      EXPECT_THAT(step.advance(500ms), IsEmpty());
      step.end(model, 0);
    }
  }
  step.begin(0, 0);
  EXPECT_THAT(step.advance(1100ms), ElementsAre("unload 1 at 0"));
}

TEST(ResidencyWants, WhatRunsOrIsWaitedForStays) {
  SteppedResidency step(managed_options(3, 1));
  step.bring_up(0, 0);
  step.bring_up(1, 0);
  step.begin(0, 0);
  step.wait_for(1);
  EXPECT_THAT(step.wait_for(2), IsEmpty());
  EXPECT_THAT(step.advance(1h), IsEmpty());
  step.leave(1);
  EXPECT_THAT(step.advance(1s), ElementsAre("unload 1 at 0"));
}

TEST(ResidencyWants, AsManyLeaveAsAreNeeded) {
  Options options = managed_options(3, 1);
  options.models[2].memory_bytes = 8;
  SteppedResidency step(options);
  step.bring_up(0, 0);
  step.bring_up(1, 0);
  step.advance(20s);
  EXPECT_THAT(step.wait_for(2), ElementsAre("unload 0 at 0", "unload 1 at 0"));
  EXPECT_THAT(step.unloaded(0, 0), IsEmpty());
  EXPECT_THAT(step.unloaded(1, 0), ElementsAre("load 2 at 0"));
}

TEST(ResidencyWants, NobodyLeavesInVain) {
  Options options = managed_options(3, 1);
  options.models[2].memory_bytes = 11;
  SteppedResidency step(options);
  step.bring_up(0, 0);
  EXPECT_THAT(step.wait_for(2, Lane::kHigh), IsEmpty());
  EXPECT_THAT(step.advance(1h), IsEmpty());
  EXPECT_EQ(step.state(0, 0), State::kLoaded);
}

TEST(ResidencyWants, AModelThatCannotBeUnloadedStays) {
  SteppedResidency step(managed_options(3, 1));
  step.bring_up(0, 0);
  step.bring_up(1, 0);
  step.advance(20s);
  step.wait_for(2);
  EXPECT_THAT(step.unloaded(0, 0, false), IsEmpty());
  EXPECT_EQ(step.state(0, 0), State::kLoaded);
  EXPECT_EQ(step.state(2, 0), State::kCold);
  EXPECT_LE(step.residency().memory({0}).claimed(), 10u);
  // The other is asked after a while.
  EXPECT_THAT(step.advance(2s), ElementsAre("unload 1 at 0"));
}

// --- penetration ---------------------------------------------------------------------------------

TEST(ResidencyWants, AnUrgentTaskEvictsWhatHasOnlyJustBecomeIdle) {
  SteppedResidency step(managed_options(3, 1));
  step.bring_up(0, 0);
  step.bring_up(1, 0);
  EXPECT_THAT(step.wait_for(2, Lane::kHigh), ElementsAre("unload 0 at 0"));
  ASSERT_FALSE(step.changes().empty());
  const ResidencyChange& change = step.changes()[step.changes().size() - 2];
  EXPECT_EQ(change.cause, ResidencyCause::kPenetration);
  EXPECT_EQ(change.to, State::kPlanned);
  EXPECT_EQ(change.waiting, 1u);
  EXPECT_EQ(step.changes().back().other, ModelId{2});
}

// What runs there ends, nothing new is begun, and then it leaves.
TEST(ResidencyWants, AnUrgentTaskDrainsBusyModels) {
  SteppedResidency step(managed_options(3, 1));
  for (const std::uint32_t model : {0u, 1u}) {
    step.bring_up(model, 0);
    step.begin(model, 0);
    step.wait_for(model);
  }
  EXPECT_THAT(step.wait_for(2, Lane::kHigh), IsEmpty());
  EXPECT_EQ(step.state(0, 0), State::kDraining);
  EXPECT_FALSE(step.residency().is_usable(0));
  EXPECT_THAT(step.end(0, 0), ElementsAre("unload 0 at 0"));
  EXPECT_THAT(step.unloaded(0, 0), ElementsAre("load 2 at 0"));
}

TEST(ResidencyWants, WhatDoesNotDrainInTimeStays) {
  SteppedResidency step(managed_options(3, 1));
  for (const std::uint32_t model : {0u, 1u}) {
    step.bring_up(model, 0);
    step.begin(model, 0);
  }
  step.wait_for(2, Lane::kHigh);
  step.advance(31s);
  EXPECT_EQ(step.state(0, 0), State::kLoaded);
  EXPECT_EQ(step.state(2, 0), State::kCold);
}

TEST(ResidencyWants, AnUrgentTaskLoadsBesideAnotherLoad) {
  SteppedResidency step(managed_options(2, 1));
  step.wait_for(0);
  EXPECT_THAT(step.wait_for(1, Lane::kHigh), ElementsAre("load 1 at 0"));
}

TEST(ResidencyWants, TheLimitsAreBrokenOnceUntilTheModelIsUp) {
  SteppedResidency step(managed_options(5, 2));
  for (std::uint32_t model = 0; model < 4; ++model) step.bring_up(model, model / 2);
  EXPECT_THAT(step.wait_for(4, Lane::kHigh), ElementsAre("unload 0 at 0"));
  step.unloaded(0, 0);
  EXPECT_THAT(step.loaded(4, 0, false), IsEmpty()) << "others are too young to leave";
  // As for any other task from now on. The first node has room, but is left alone for a second.
  EXPECT_THAT(step.advance(900ms), IsEmpty());
  EXPECT_THAT(step.advance(200ms), ElementsAre("load 4 at 0"));
}

TEST(ResidencyWants, TheLastCopyOfAModelInDemandStays) {
  Options options = managed_options(2, 1);
  options.models[0].memory_bytes = options.models[1].memory_bytes = 8;
  SteppedResidency step(options);
  step.bring_up(0, 0);
  for (int i = 0; i < 2; ++i) step.residency().arrived({0}, Lane::kHigh, 0, step.now());
  step.said();
  EXPECT_THAT(step.wait_for(1, Lane::kHigh), IsEmpty());
  EXPECT_THAT(step.advance(1min), IsEmpty());
  // Until the demand has faded.
  EXPECT_THAT(step.advance(3min), Contains("unload 0 at 0"));
}

TEST(ResidencyWants, ASpareCopyOfAModelInDemandLeaves) {
  Options options = managed_options(2, 2);
  options.models[0] =
      options.models[1] = {.task_type = TaskTypeId{0}, .memory_bytes = 8, .warm_replicas = 2};
  SteppedResidency step(options);
  step.bring_up(0, 0);
  step.bring_up(0, 1);
  for (int i = 0; i < 2; ++i) step.residency().arrived({0}, Lane::kHigh, 0, step.now());
  step.advance(1min);
  EXPECT_THAT(step.wait_for(1), IsEmpty());
  EXPECT_THAT(step.wait_for(1, Lane::kHigh), ElementsAre("unload 0 at 0"));
}

// --- pre-warm and growth -------------------------------------------------------------------------

TEST(ResidencyWants, AModelInDemandIsLoadedOnSeveralNodes) {
  Options options = managed_options(1, 3);
  options.models[0].warm_replicas = 2;
  SteppedResidency step(options);
  EXPECT_THAT(step.wait_for(0, Lane::kHigh), ElementsAre("load 0 at 0"));
  EXPECT_THAT(step.loaded(0, 0), IsEmpty()) << "one request is no demand";
  EXPECT_THAT(step.wait_for(0, Lane::kHigh), ElementsAre("load 0 at 1"));
  EXPECT_THAT(step.loaded(0, 1), IsEmpty());
  EXPECT_THAT(step.wait_for(0, Lane::kHigh), IsEmpty());
  // One is lost: another takes its place, though nobody waits.
  step.leave(0, Lane::kHigh);
  step.leave(0, Lane::kHigh);
  step.leave(0, Lane::kHigh);
  EXPECT_THAT(step.report(0, false), ElementsAre("load 0 at 2"));
  EXPECT_EQ(step.changes().back().cause, ResidencyCause::kPrewarm);
}

TEST(ResidencyWants, DemandThatHasFadedBringsNothingBack) {
  Options options = managed_options(1, 2);
  SteppedResidency step(options);
  for (int i = 0; i < 2; ++i) step.residency().arrived({0}, Lane::kHigh, 0, step.now());
  EXPECT_THAT(step.said(), ElementsAre("load 0 at 0"));
  step.loaded(0, 0);
  step.advance(10min);
  EXPECT_THAT(step.report(0, false), IsEmpty());
}

TEST(ResidencyWants, PrewarmingEvictsOnlyWhatHasBeenIdleForLong) {
  Options options = managed_options(2, 1);
  options.models[0].memory_bytes = options.models[1].memory_bytes = 8;
  SteppedResidency step(options);
  step.bring_up(0, 0);
  for (int i = 0; i < 2; ++i) step.residency().arrived({1}, Lane::kHigh, 0, step.now());
  EXPECT_THAT(step.said(), IsEmpty());
  EXPECT_THAT(step.advance(9s), IsEmpty());
  EXPECT_THAT(step.advance(2s), ElementsAre("unload 0 at 0"));
}

TEST(ResidencyWants, AModelGrowsWhenMoreWaitsThanALoadTakes) {
  SteppedResidency step(managed_options(1, 2));
  step.bring_up(0, 0);
  EXPECT_THAT(step.wait_for(0, Lane::kLow, 900ms), IsEmpty());
  EXPECT_THAT(step.wait_for(0, Lane::kLow, 200ms), ElementsAre("load 0 at 1"));
  EXPECT_EQ(step.changes().back().cause, ResidencyCause::kGrowth);
  step.loaded(0, 1);
  EXPECT_THAT(step.wait_for(0, Lane::kLow, 1h), IsEmpty()) << "it is everywhere";
}

TEST(ResidencyWants, StaticPoliciesOnlyLoadWhatIsWaitedFor) {
  Options options = managed_options(3, 2);
  options.policy.control = Control::kStatic;
  options.models[0].warm_replicas = 2;
  SteppedResidency step(options);
  EXPECT_THAT(step.wait_for(0, Lane::kHigh, 1h), ElementsAre("load 0 at 0"));
  EXPECT_THAT(step.loaded(0, 0), IsEmpty());
  EXPECT_THAT(step.wait_for(0, Lane::kHigh, 1h), IsEmpty());
  step.bring_up(1, 0);
  step.bring_up(1, 1);
  step.bring_up(0, 1);
  EXPECT_THAT(step.wait_for(2, Lane::kHigh), IsEmpty()) << "no penetration";
}

// --- many nodes ----------------------------------------------------------------------------------

// 32 of them are looked at for room at a time, and then the next ones.
TEST(ResidencyWants, RoomIsFoundOnTheLastOfManyNodes) {
  Options options = managed_options(3, 100);
  SteppedResidency step(options);
  for (std::uint32_t n = 0; n < 99; ++n) {
    for (const std::uint32_t model : {0u, 1u}) {
      step.bring_up(model, n);
      step.begin(model, n);
    }
  }
  step.wait_for(2);
  EXPECT_THAT(step.advance(1s), ElementsAre("load 2 at 99"));
}

TEST(ResidencyWants, NodesThatDoNotTakeThePriorityAreNotLoaded) {
  Options options = managed_options(1, 2);
  options.nodes[0].accepts = PriorityRange{0, 2};
  SteppedResidency step(options);
  EXPECT_THAT(step.wait_for(0, Lane::kLow), ElementsAre("load 0 at 1"));
  step.loaded(0, 1);
  EXPECT_THAT(step.wait_for(0, Lane::kHigh), IsEmpty()) << "the other takes it as well";
}

TEST(ResidencyWants, WhoIsServedAlreadyAsksForNothing) {
  SteppedResidency step(managed_options(1, 2));
  step.bring_up(0, 0);
  step.residency().ask({0}, 5, step.now());
  EXPECT_THAT(step.said(), IsEmpty());
  step.report(0, false);
  step.residency().ask({0}, 5, step.now());
  EXPECT_THAT(step.said(), ElementsAre("load 0 at 1"));
  step.residency().ask({0}, 5, step.now());
  EXPECT_THAT(step.said(), IsEmpty()) << "one load is under way";
}

}  // namespace
}  // namespace sluice::core
