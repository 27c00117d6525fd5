// Loads that fail, orders that are never answered, nodes that go down, and reports out of place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/core/placement/stepped_residency.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using State = ResidencyState;

TEST(ResidencyEvents, AnotherNodeIsTriedAtOnce) {
  SteppedResidency step(managed_options(1, 2));
  step.wait_for(0);
  EXPECT_THAT(step.loaded(0, 0, false), ElementsAre("load 0 at 1"));
}

TEST(ResidencyEvents, TheSameNodeIsLeftAloneForLongerEachTime) {
  SteppedResidency step(managed_options(1, 1));
  step.wait_for(0);
  Duration wait = 1s;
  for (int failure = 0; failure < 10; ++failure) {
    EXPECT_THAT(step.loaded(0, 0, false), IsEmpty());
    EXPECT_THAT(step.advance(wait - 30ms), IsEmpty()) << failure;
    EXPECT_THAT(step.advance(60ms), ElementsAre("load 0 at 0")) << failure;
    wait = std::min<Duration>(wait * 2, 60s);
  }
  step.loaded(0, 0);
  EXPECT_FALSE(step.residency().has_failed({0}));
  step.unloaded(0, 0);
  EXPECT_EQ(step.state(0, 0), State::kLoading) << "after a success it is trusted again";
}

// A model that fails everywhere does not run through a large cluster.
TEST(ResidencyEvents, AModelThatFailsTwiceIsLeftAlone) {
  SteppedResidency step(managed_options(1, 20));
  step.wait_for(0);
  EXPECT_THAT(step.loaded(0, 0, false), ElementsAre("load 0 at 1"));
  EXPECT_THAT(step.loaded(0, 1, false), IsEmpty());
  const std::vector<NodeId> all = numbered<NodeId>(20);
  EXPECT_EQ(step.residency().held_up_until({0}, all, step.now()), step.now() + 1s)
      << "though most nodes have not failed";
  EXPECT_THAT(step.advance(900ms), IsEmpty());
  EXPECT_THAT(step.advance(200ms), ElementsAre("load 0 at 2"));
  step.loaded(0, 2, false);
  EXPECT_THAT(step.advance(1900ms), IsEmpty());
  EXPECT_THAT(step.advance(200ms), ElementsAre("load 0 at 3"));
}

// What tells those who wait for it whether to go on waiting.
TEST(ResidencyEvents, ALoadIsHeldUpWhileEveryReadyNodeThatHasFailedIsLeftAlone) {
  SteppedResidency step(managed_options(1, 3));
  const std::vector<NodeId> all = numbered<NodeId>(3);
  const std::vector<NodeId> first = numbered<NodeId>(1);
  const auto held_up = [&](const std::vector<NodeId>& nodes) {
    return step.residency().held_up_until({0}, nodes, step.now());
  };
  EXPECT_EQ(held_up(all), std::nullopt);
  step.wait_for(0);
  step.leave(0);
  step.loaded(0, 0, false);
  EXPECT_TRUE(step.residency().has_failed({0}));
  EXPECT_EQ(held_up(all), std::nullopt) << "two others are left";
  EXPECT_EQ(held_up(first), step.now() + 1s);
  step.report(1, false);
  step.report(2, false);
  EXPECT_EQ(held_up(all), step.now() + 1s);
  step.report(0, false);
  EXPECT_EQ(held_up(all), std::nullopt) << "that nobody is ready is another matter";
  step.report(0, true);
  step.advance(1s);
  EXPECT_EQ(held_up(all), std::nullopt);
}

TEST(ResidencyEvents, NobodyWaitsForALoadThatNobodyNeeds) {
  SteppedResidency step(managed_options(1, 1));
  step.wait_for(0);
  step.loaded(0, 0, false);
  step.leave(0);
  EXPECT_THAT(step.advance(1h), IsEmpty());
  EXPECT_EQ(step.residency().next_due(), kNever);
}

TEST(ResidencyEvents, ALoadWithoutAnswerIsTakenBack) {
  SteppedResidency step(managed_options(1, 2));
  step.wait_for(0);
  EXPECT_THAT(step.advance(119s), IsEmpty());
  EXPECT_THAT(step.advance(2s), ElementsAre("unload 0 at 0", "load 0 at 1"));
  EXPECT_EQ(step.state(0, 0), State::kAborting);
  EXPECT_EQ(step.residency().memory({0}).used(), 4u) << "nobody knows what is in memory";
  // Its answer comes after all: what counts is the answer to the unload.
  step.loaded(0, 0);
  EXPECT_FALSE(step.last_known());
  step.unloaded(0, 0, false);
  EXPECT_EQ(step.state(0, 0), State::kAborting);
  EXPECT_THAT(step.advance(29s), ElementsAre("unload 0 at 0"));
  step.unloaded(0, 0);
  EXPECT_EQ(step.state(0, 0), State::kCold);
  EXPECT_EQ(step.residency().memory({0}).used(), 0u);
}

TEST(ResidencyEvents, AnUnloadWithoutAnswerIsAskedForAgain) {
  SteppedResidency step(managed_options(3, 2));
  for (const std::uint32_t node : {0u, 1u}) {
    step.bring_up(0, node);
    step.bring_up(1, node);
  }
  step.begin(0, 1);
  step.begin(1, 1);
  step.advance(20s);
  EXPECT_THAT(step.wait_for(2), ElementsAre("unload 0 at 0"));
  EXPECT_THAT(step.advance(30s), ElementsAre("unload 0 at 0"));
  EXPECT_EQ(step.state(2, 0), State::kCold) << "what waited for the room is given up";
  EXPECT_EQ(step.residency().memory({0}).used(), 8u);
  step.report(0, false);
  EXPECT_THAT(step.advance(1h), IsEmpty());
}

TEST(ResidencyEvents, ANodeThatComesBackIsCold) {
  SteppedResidency step(managed_options(3, 1));
  step.bring_up(0, 0);
  step.begin(0, 0);
  step.wait_for(1);
  EXPECT_THAT(step.report(0, false), IsEmpty());
  EXPECT_EQ(step.state(0, 0), State::kCold);
  EXPECT_EQ(step.residency().memory({0}).used(), 0u);
  step.loaded(1, 0);
  EXPECT_FALSE(step.last_known()) << "nobody can say what a node holds that is down";
  EXPECT_THAT(step.report(0, true), ElementsAre("load 1 at 0"));
  // The attempt of before ends; that is no news of the model.
  EXPECT_THAT(step.end(0, 0), IsEmpty());
}

TEST(ResidencyEvents, WhatTheDriverFindsIsBelieved) {
  SteppedResidency step(managed_options(2, 1));
  step.loaded(0, 0);
  EXPECT_TRUE(step.last_known());
  EXPECT_EQ(step.state(0, 0), State::kLoaded);
  EXPECT_EQ(step.residency().memory({0}).used(), 4u);
  step.unloaded(0, 0);
  EXPECT_TRUE(step.last_known());
  EXPECT_EQ(step.residency().memory({0}).used(), 0u);
}

TEST(ResidencyEvents, WhatANodeSaysItHasIsBelieved) {
  SteppedResidency step(managed_options(3, 1));
  step.bring_up(0, 0);
  step.advance(5s);
  // It has restarted within a health check, and loaded something else.
  EXPECT_THAT(step.found(0, {ModelId{1}}), IsEmpty());
  EXPECT_EQ(step.state(0, 0), State::kCold);
  EXPECT_EQ(step.state(1, 0), State::kLoaded);
  EXPECT_EQ(step.residency().memory({0}).used(), 4u);
}

// The report may have been under way while the order was carried out.
TEST(ResidencyEvents, WhatANodeSaidBeforeAnOrderWasAnsweredIsNotBelieved) {
  SteppedResidency step(managed_options(3, 1));
  step.advance(5s);
  step.wait_for(0);
  EXPECT_THAT(step.found(0, {ModelId{0}}), IsEmpty());
  EXPECT_EQ(step.state(0, 0), State::kLoading);
  step.loaded(0, 0);
  step.found(0, {});
  EXPECT_EQ(step.state(0, 0), State::kLoaded);
  step.advance(3s);
  step.leave(0);
  step.found(0, {});
  EXPECT_EQ(step.state(0, 0), State::kCold);
}

TEST(ResidencyEvents, ANodeThatComesBackWithItsModelsKeepsThem) {
  SteppedResidency step(managed_options(3, 1));
  step.bring_up(0, 0);
  step.report(0, false);
  step.found(0, {ModelId{0}});
  EXPECT_EQ(step.state(0, 0), State::kCold) << "it is down";
  step.residency().set_ready({0}, true, step.now());
  step.found(0, {ModelId{0}});
  EXPECT_EQ(step.state(0, 0), State::kLoaded);
}

TEST(ResidencyEvents, MoreThanFitsLeavesNoRoom) {
  Options options = managed_options(4, 1);
  SteppedResidency step(options);
  for (const std::uint32_t model : {0u, 1u, 2u}) step.loaded(model, 0);
  EXPECT_EQ(step.residency().memory({0}).used(), 12u);
  step.advance(20s);
  // 2 bytes too many, and 4 are wanted.
  EXPECT_THAT(step.wait_for(3), ElementsAre("unload 0 at 0", "unload 1 at 0"));
  EXPECT_THAT(step.unloaded(1, 0), IsEmpty());
  EXPECT_THAT(step.unloaded(0, 0), ElementsAre("load 3 at 0"));
}

TEST(ResidencyEvents, ReportsOutOfPlaceAreIgnored) {
  Options options = managed_options(2, 2);
  options.nodes[1].managed = false;
  SteppedResidency step(options);
  const auto ignored = [&](auto&& tell) {
    tell();
    return !step.last_known();
  };
  EXPECT_TRUE(ignored([&] { step.loaded(0, 7); }));
  EXPECT_TRUE(ignored([&] { step.loaded(7, 0); }));
  EXPECT_TRUE(ignored([&] { step.loaded(0, 1); })) << "not managed";
  EXPECT_TRUE(ignored([&] { step.unloaded(0, 1); }));
  EXPECT_TRUE(ignored([&] { step.loaded(0, 0, false); })) << "nobody has asked";
  EXPECT_TRUE(ignored([&] { step.unloaded(0, 0); }));
  step.loaded(0, 0);
  EXPECT_TRUE(ignored([&] { step.loaded(0, 0); })) << "told before";
  EXPECT_TRUE(ignored([&] { step.loaded(0, 0, false); }));
  EXPECT_TRUE(ignored([&] { step.unloaded(0, 0, false); })) << "nobody has asked";
}

TEST(ResidencyEvents, TheRestOfALoadIsWhatIsExpectedOfIt) {
  SteppedResidency step(managed_options(1, 2));
  EXPECT_FALSE(step.residency().load_left({0}, step.now()));
  step.wait_for(0);
  step.advance(300ms);
  EXPECT_EQ(step.residency().load_left({0}, step.now())->left, 700ms);
  EXPECT_FALSE(step.residency().load_left({0}, step.now())->trusted);
  step.loaded(0, 0);
  EXPECT_FALSE(step.residency().load_left({0}, step.now()));
  step.report(0, false);
  step.advance(400ms);
  EXPECT_EQ(step.residency().load_left({0}, step.now())->left, 0ms);
  EXPECT_TRUE(step.residency().load_left({0}, step.now())->trusted);
}

// However long a model fails, the wait does not begin anew or grow past its longest.
TEST(ResidencyEvents, HundredsOfFailuresAreCountedUpToABound) {
  SteppedResidency step(managed_options(1, 1));
  step.wait_for(0);
  for (int failure = 0; failure < 300; ++failure) {
    step.loaded(0, 0, false);
    step.advance(61s);
    ASSERT_EQ(step.state(0, 0), State::kLoading) << failure;
  }
  step.loaded(0, 0, false);
  EXPECT_EQ(step.residency().held_up_until({0}, numbered<NodeId>(1), step.now()), step.now() + 60s);
}

TEST(ResidencyEvents, WhatAnUnmanagedNodeSaysItHasIsNoNews) {
  Options options = managed_options(1, 2);
  options.nodes[0].managed = false;
  SteppedResidency step(options);
  EXPECT_THAT(step.found(0, {}), IsEmpty());
  EXPECT_EQ(step.state(0, 0), State::kLoaded);
  EXPECT_THAT(step.residency().usable({0}), ElementsAre(0u));
}

TEST(ResidencyEvents, AReportOfWhatWasKnownChangesNothing) {
  SteppedResidency step(managed_options(2, 1));
  step.bring_up(0, 0);
  step.advance(5s);
  const std::size_t before = step.changes().size();
  EXPECT_THAT(step.found(0, {ModelId{0}}), IsEmpty());
  EXPECT_THAT(step.report(0, true), IsEmpty());
  EXPECT_EQ(step.changes().size(), before);
}

// What waits for room takes as long as a load, at least: it has not begun.
TEST(ResidencyEvents, TheRestOfAPlannedLoadIsAllOfIt) {
  SteppedResidency step(managed_options(3, 1));
  step.bring_up(0, 0);
  step.bring_up(1, 0);
  step.advance(20s);
  step.wait_for(2);
  ASSERT_EQ(step.state(2, 0), State::kPlanned);
  step.advance(600ms);
  EXPECT_EQ(step.residency().load_left({2}, step.now())->left, 1s);
  EXPECT_EQ(step.residency().load_left({2}, step.now())->node, NodeId{0});
}

TEST(ResidencyEvents, APlanIsGivenUpWhenItsNodeGoesDown) {
  SteppedResidency step(managed_options(3, 2));
  step.report(1, false);
  step.bring_up(0, 0);
  step.bring_up(1, 0);
  step.advance(20s);
  EXPECT_THAT(step.wait_for(2), ElementsAre("unload 0 at 0"));
  EXPECT_THAT(step.report(0, false), IsEmpty());
  EXPECT_EQ(step.state(2, 0), State::kCold);
  EXPECT_EQ(step.residency().memory({0}).claimed(), 0u);
  EXPECT_THAT(step.report(1, true), ElementsAre("load 2 at 1"));
}

// Between its order and its answer the node says itself that the model is gone.
TEST(ResidencyEvents, AnUnloadIsProvenByItsAnswerOnly) {
  SteppedResidency step(managed_options(3, 1));
  step.bring_up(0, 0);
  step.bring_up(1, 0);
  step.advance(20s);
  ASSERT_THAT(step.wait_for(2), ElementsAre("unload 0 at 0"));
  step.loaded(0, 0);
  EXPECT_FALSE(step.last_known()) << "it is on its way out";
  EXPECT_EQ(step.state(0, 0), State::kUnloading);
  EXPECT_THAT(step.unloaded(0, 0), ElementsAre("load 2 at 0"));
}

}  // namespace
}  // namespace sluice::core
