// Which models are loaded where: cold starts, pre-warming, growth, eviction, reservations.
#include "core/placement/residency.h"

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

// --- cold start ----------------------------------------------------------------------------------

TEST(Residency, NothingIsLoadedBeforeSomebodyAsks) {
  SteppedResidency step(managed_options(2, 2));
  EXPECT_THAT(step.advance(1h), IsEmpty());
  EXPECT_EQ(step.state(0, 0), State::kCold);
  EXPECT_EQ(step.residency().next_due(), kNever);
}

TEST(Residency, TasksThatWaitShareOneLoad) {
  SteppedResidency step(managed_options(1, 3));
  EXPECT_THAT(step.wait_for(0), ElementsAre("load 0 at 0"));
  for (int i = 0; i < 9; ++i) EXPECT_THAT(step.wait_for(0), IsEmpty());
  EXPECT_THAT(step.advance(500ms), IsEmpty());
  EXPECT_THAT(step.loaded(0, 0), IsEmpty());
  EXPECT_EQ(step.state(0, 0), State::kLoaded);
  EXPECT_THAT(step.residency().usable({0}), ElementsAre(0u));
  EXPECT_THAT(step.wait_for(0), IsEmpty());
}

TEST(Residency, ALoadGoesOnWhenWhoeverAskedHasGone) {
  SteppedResidency step(managed_options(1, 1));
  step.wait_for(0);
  EXPECT_THAT(step.leave(0), IsEmpty());
  step.loaded(0, 0);
  EXPECT_EQ(step.state(0, 0), State::kLoaded);
}

TEST(Residency, WhoMayNotWaitBringsItUpForTheNext) {
  SteppedResidency step(managed_options(1, 1));
  step.residency().ask({0}, 9, step.now());
  EXPECT_THAT(step.said(), ElementsAre("load 0 at 0"));
}

TEST(Residency, LoadsGoToTheNodeWithTheMostRoomAndTheLeastToDo) {
  SteppedResidency step(managed_options(3, 2));
  step.bring_up(0, 0);
  EXPECT_THAT(step.wait_for(1), ElementsAre("load 1 at 1"));
  step.loaded(1, 1);
  step.begin(1, 1);
  EXPECT_THAT(step.wait_for(2), ElementsAre("load 2 at 0"));
}

TEST(Residency, OneLoadAtATimeOnANode) {
  SteppedResidency step(managed_options(3, 2));
  EXPECT_THAT(step.wait_for(0), ElementsAre("load 0 at 0"));
  EXPECT_THAT(step.wait_for(1), ElementsAre("load 1 at 1"));
  EXPECT_THAT(step.wait_for(2), IsEmpty());
  EXPECT_THAT(step.loaded(0, 0), ElementsAre("load 2 at 0"));
}

TEST(Residency, NothingIsOrderedForANodeThatIsDown) {
  SteppedResidency step(managed_options(1, 2));
  step.report(0, false);
  EXPECT_THAT(step.wait_for(0), ElementsAre("load 0 at 1"));
  step.report(1, false);
  EXPECT_EQ(step.state(0, 1), State::kCold);
  EXPECT_THAT(step.report(0, true), ElementsAre("load 0 at 0"));
}

TEST(Residency, WithoutManagedNodesEverythingIsLoaded) {
  Options options = managed_options(2, 1);
  options.nodes[0].managed = false;
  SteppedResidency step(options);
  EXPECT_FALSE(step.residency().enabled());
  EXPECT_THAT(step.wait_for(0, Lane::kHigh), IsEmpty());
  EXPECT_TRUE(step.residency().is_usable(0));
  EXPECT_FALSE(step.residency().manages({0}));
  EXPECT_EQ(step.state(0, 0), State::kLoaded);
  step.loaded(0, 0);
  EXPECT_FALSE(step.last_known());
}

TEST(Residency, AnUnmanagedNodeServesWhileItIsReady) {
  Options options = managed_options(1, 2);
  options.nodes[0].managed = false;
  SteppedResidency step(options);
  EXPECT_THAT(step.wait_for(0), IsEmpty());
  EXPECT_THAT(step.report(0, false), ElementsAre("load 0 at 1"));
  step.report(0, true);
  EXPECT_EQ(step.residency().usable({0}).size(), 1u);
}

// --- pinned --------------------------------------------------------------------------------------

// Model 0 is always there, and takes 4 of 10 bytes.
Options pinned_options(std::uint32_t models, std::uint32_t nodes) {
  Options options = managed_options(models, nodes);
  options.nodes[0].pinned = {ModelId{0}};
  return options;
}

TEST(Residency, APinnedModelServesWhileItsNodeIsReadyAndTakesMemory) {
  SteppedResidency step(pinned_options(3, 1));
  EXPECT_FALSE(step.residency().manages({0}));
  EXPECT_TRUE(step.residency().manages({1}));
  EXPECT_EQ(step.residency().memory({0}).used(), 4u);
  EXPECT_THAT(step.wait_for(0), IsEmpty());
  EXPECT_THAT(step.wait_for(1), ElementsAre("load 1 at 0"));
  step.loaded(1, 0);
  EXPECT_EQ(step.residency().memory({0}).room(), 2u);
  step.report(0, false);
  EXPECT_EQ(step.state(0, 0), State::kLoaded);
  EXPECT_EQ(step.state(1, 0), State::kCold);
  EXPECT_EQ(step.residency().memory({0}).used(), 4u);
  EXPECT_THAT(step.report(0, true), ElementsAre("load 1 at 0"));
}

TEST(Residency, APinnedModelNeverLeaves) {
  SteppedResidency step(pinned_options(3, 1));
  step.bring_up(1, 0);
  step.begin(1, 0);
  step.advance(1h);
  EXPECT_THAT(step.wait_for(2), IsEmpty()) << "the idle one is pinned";
  step.begin(0, 0);
  EXPECT_THAT(step.wait_for(2, Lane::kHigh), IsEmpty());
  EXPECT_EQ(step.state(1, 0), State::kDraining) << "rather than the busy one that is pinned";
  EXPECT_THAT(step.end(0, 0), IsEmpty());
  EXPECT_THAT(step.end(1, 0), ElementsAre("unload 1 at 0"));
}

TEST(Residency, WhatTheNodeSaysOfAPinnedModelIsIgnored) {
  SteppedResidency step(pinned_options(2, 1));
  step.advance(10s);
  EXPECT_THAT(step.found(0, {}), IsEmpty());
  EXPECT_EQ(step.state(0, 0), State::kLoaded);
  step.unloaded(0, 0);
  EXPECT_FALSE(step.last_known());
  EXPECT_EQ(step.state(0, 0), State::kLoaded);
}

TEST(Residency, PinnedHereAndManagedThere) {
  SteppedResidency step(pinned_options(1, 2));
  EXPECT_TRUE(step.residency().manages({0}));
  EXPECT_EQ(step.residency().usable({0}).size(), 1u);
  EXPECT_THAT(step.wait_for(0), IsEmpty());
  EXPECT_THAT(step.report(0, false), ElementsAre("load 0 at 1"));
}

// R28: the hot path is entered where the model is loaded.
TEST(Residency, FreeRoomOnAPreferredPathIsTakenFirst) {
  Options options = managed_options(3, 2);
  options.paths = {"hot", "cold"};
  options.nodes[0].path = PathId{1};
  options.nodes[1].path = PathId{0};
  SteppedResidency step(options);
  EXPECT_THAT(step.wait_for(0), ElementsAre("load 0 at 1"));
  step.loaded(0, 1);
  EXPECT_THAT(step.wait_for(1), ElementsAre("load 1 at 1"));
  step.loaded(1, 1);
  step.advance(20s);
  EXPECT_THAT(step.wait_for(2), ElementsAre("load 2 at 0")) << "rather than room that is made";
}

// --- eviction ------------------------------------------------------------------------------------

TEST(Residency, TheModelThatHasBeenIdleLongestLeaves) {
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

TEST(Residency, OnlyWhatHasBeenIdleForLongLeaves) {
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
TEST(Residency, WhoHasWaitedForLongTakesThePlaceOfAnyIdleOne) {
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

TEST(Residency, WhatRunsOrIsWaitedForStays) {
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

TEST(Residency, AsManyLeaveAsAreNeeded) {
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

TEST(Residency, NobodyLeavesInVain) {
  Options options = managed_options(3, 1);
  options.models[2].memory_bytes = 11;
  SteppedResidency step(options);
  step.bring_up(0, 0);
  EXPECT_THAT(step.wait_for(2, Lane::kHigh), IsEmpty());
  EXPECT_THAT(step.advance(1h), IsEmpty());
  EXPECT_EQ(step.state(0, 0), State::kLoaded);
}

TEST(Residency, AModelThatCannotBeUnloadedStays) {
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

// --- reservations --------------------------------------------------------------------------------

TEST(Residency, ReservedMemoryIsLeftFree) {
  Options options = managed_options(3, 1);
  options.models[2].reserved_bytes = 4;
  SteppedResidency step(options);
  EXPECT_THAT(step.wait_for(0), ElementsAre("load 0 at 0"));
  step.loaded(0, 0);
  step.begin(0, 0);
  EXPECT_THAT(step.wait_for(1, Lane::kHigh), IsEmpty()) << "not even for a moment";
  EXPECT_EQ(step.state(0, 0), State::kDraining);
  EXPECT_THAT(step.wait_for(2, Lane::kHigh), ElementsAre("load 2 at 0"));
}

TEST(Residency, AModelWithReservedMemoryIsNotEvicted) {
  Options options = managed_options(3, 1);
  options.models[0].reserved_bytes = 4;
  SteppedResidency step(options);
  step.bring_up(0, 0);
  step.advance(1s);
  step.bring_up(1, 0);
  step.advance(1h);
  EXPECT_THAT(step.wait_for(2, Lane::kHigh), ElementsAre("unload 1 at 0"));
}

// --- penetration ---------------------------------------------------------------------------------

TEST(Residency, AnUrgentTaskEvictsWhatHasOnlyJustBecomeIdle) {
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
TEST(Residency, AnUrgentTaskDrainsBusyModels) {
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

TEST(Residency, WhatDoesNotDrainInTimeStays) {
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

TEST(Residency, AnUrgentTaskLoadsBesideAnotherLoad) {
  SteppedResidency step(managed_options(2, 1));
  step.wait_for(0);
  EXPECT_THAT(step.wait_for(1, Lane::kHigh), ElementsAre("load 1 at 0"));
}

TEST(Residency, TheLimitsAreBrokenOnceUntilTheModelIsUp) {
  SteppedResidency step(managed_options(5, 2));
  for (std::uint32_t model = 0; model < 4; ++model) step.bring_up(model, model / 2);
  EXPECT_THAT(step.wait_for(4, Lane::kHigh), ElementsAre("unload 0 at 0"));
  step.unloaded(0, 0);
  EXPECT_THAT(step.loaded(4, 0, false), IsEmpty()) << "others are too young to leave";
  // As for any other task from now on. The first node has room, but is left alone for a second.
  EXPECT_THAT(step.advance(900ms), IsEmpty());
  EXPECT_THAT(step.advance(200ms), ElementsAre("load 4 at 0"));
}

TEST(Residency, TheLastCopyOfAModelInDemandStays) {
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

TEST(Residency, ASpareCopyOfAModelInDemandLeaves) {
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

TEST(Residency, AModelInDemandIsLoadedOnSeveralNodes) {
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

TEST(Residency, DemandThatHasFadedBringsNothingBack) {
  Options options = managed_options(1, 2);
  SteppedResidency step(options);
  for (int i = 0; i < 2; ++i) step.residency().arrived({0}, Lane::kHigh, 0, step.now());
  EXPECT_THAT(step.said(), ElementsAre("load 0 at 0"));
  step.loaded(0, 0);
  step.advance(10min);
  EXPECT_THAT(step.report(0, false), IsEmpty());
}

TEST(Residency, PrewarmingEvictsOnlyWhatHasBeenIdleForLong) {
  Options options = managed_options(2, 1);
  options.models[0].memory_bytes = options.models[1].memory_bytes = 8;
  SteppedResidency step(options);
  step.bring_up(0, 0);
  for (int i = 0; i < 2; ++i) step.residency().arrived({1}, Lane::kHigh, 0, step.now());
  EXPECT_THAT(step.said(), IsEmpty());
  EXPECT_THAT(step.advance(9s), IsEmpty());
  EXPECT_THAT(step.advance(2s), ElementsAre("unload 0 at 0"));
}

TEST(Residency, AModelGrowsWhenMoreWaitsThanALoadTakes) {
  SteppedResidency step(managed_options(1, 2));
  step.bring_up(0, 0);
  EXPECT_THAT(step.wait_for(0, Lane::kLow, 900ms), IsEmpty());
  EXPECT_THAT(step.wait_for(0, Lane::kLow, 200ms), ElementsAre("load 0 at 1"));
  EXPECT_EQ(step.changes().back().cause, ResidencyCause::kGrowth);
  step.loaded(0, 1);
  EXPECT_THAT(step.wait_for(0, Lane::kLow, 1h), IsEmpty()) << "it is everywhere";
}

TEST(Residency, StaticPoliciesOnlyLoadWhatIsWaitedFor) {
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

}  // namespace
}  // namespace sluice::core
