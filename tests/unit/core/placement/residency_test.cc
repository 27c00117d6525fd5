// Which models are loaded where: cold starts, who shares them, and what is reserved.
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

}  // namespace
}  // namespace sluice::core
