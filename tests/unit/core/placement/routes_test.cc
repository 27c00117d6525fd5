// R28: which path tasks take, when it changes, and how it comes back; seen at the scheduler.
#include "core/placement/routes.h"

#include <gtest/gtest.h>

#include "core/placement/placement.h"
#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using Said = SteppedScheduler::Said;

// So many nodes of one slot on each of the paths hot and cold: hot ones come first. Breakers open
// late, to see the paths alone.
Options two_paths(std::uint32_t hot, std::uint32_t cold, std::uint32_t models = 1) {
  Options options = small_options(models, hot + cold);
  options.paths = {"hot", "cold"};
  for (std::uint32_t n = 0; n < hot + cold; ++n) options.nodes[n].path = PathId{n < hot ? 0u : 1u};
  options.control.reserve.most_share = 0;
  options.slow_start.enabled = false;
  options.breaker.consecutive_failures = 1'000;
  options.breaker.min_volume = 1'000;
  return options;
}

Labels patient(bool retriable = false) {
  Labels labels = asking(5, 10s);
  labels.retriable = retriable;
  return labels;
}

struct RoutesTest : ::testing::Test {
  void start(const Options& options) {
    s = std::make_unique<SteppedScheduler>(options);
    s->all_ready();
  }
  // The node that the next request goes to, which ends like this.
  std::uint32_t serve(AttemptResult result, bool retriable = false) {
    const std::uint64_t request = next++;
    s->submit(request, patient(retriable));
    const std::uint32_t node = s->dispatched(request).node.value;
    s->finish(request, result);
    return node;
  }
  void fail_hot() {
    for (int i = 0; i < 3; ++i) serve(AttemptResult::kError);
    ASSERT_EQ(path(), 1u);
  }
  std::uint32_t path() const { return s->scheduler().path(ModelId{0}).value; }
  std::vector<PathChange> changes() const {
    std::vector<PathChange> found;
    for (const Adjusted& adjusted : s->adjustments()) {
      if (const auto* change = std::get_if<PathChange>(&adjusted.change)) found.push_back(*change);
    }
    return found;
  }

  std::unique_ptr<SteppedScheduler> s;
  std::uint64_t next = 1;
};

TEST_F(RoutesTest, HotIsPreferredAndColdTakesWhatFindsNoRoom) {
  start(two_paths(1, 1));
  EXPECT_EQ(s->submit(1, patient()), (Said{"dispatch 1 to 0"}));
  EXPECT_EQ(s->submit(2, patient()), (Said{"dispatch 2 to 1"}));
  s->finish(2);
  EXPECT_EQ(s->submit(3, patient()), (Said{"dispatch 3 to 1"}));
  s->finish(1);
  EXPECT_EQ(s->submit(4, patient()), (Said{"dispatch 4 to 0"}));
  EXPECT_TRUE(changes().empty());
}

// Preferred where it is in time: path before speed, deadline before path.
TEST_F(RoutesTest, ColdTakesWhatWouldBeLateOnTheHotPath) {
  Options options = two_paths(1, 1);
  options.nodes[0].kind = "slow";
  options.nodes[1].kind = "fast";
  start(options);
  s->teach(80ms);
  s->report(0, false);
  s->teach(10ms);
  s->report(0, true);
  s->advance(11s);
  s->report(1, false);  // hot at once: nothing else is there
  s->teach(80ms);
  s->report(1, true);
  ASSERT_EQ(path(), 0u);
  s->submit(1, asking(1, 200ms));
  EXPECT_EQ(s->dispatched(1).node, NodeId{0});
  s->finish(1);
  s->submit(2, asking(1, 50ms));
  EXPECT_EQ(s->dispatched(2).node, NodeId{1});
}

TEST_F(RoutesTest, FailuresInARowSwitchAtOnceAndBarTheHotPath) {
  start(two_paths(1, 1));
  EXPECT_EQ(serve(AttemptResult::kError), 0u);
  EXPECT_EQ(serve(AttemptResult::kTimeout), 0u);
  EXPECT_EQ(path(), 0u);
  EXPECT_EQ(serve(AttemptResult::kUnreachable), 0u);
  ASSERT_EQ(changes().size(), 1u);
  EXPECT_EQ(changes()[0].model, ModelId{0});
  EXPECT_EQ(changes()[0].change.from, 0u);
  EXPECT_EQ(changes()[0].change.to, 1u);
  EXPECT_EQ(changes()[0].change.cause, PathCause::kFailures);
  EXPECT_EQ(changes()[0].change.left.failures_in_a_row, 3u);
  s->submit(100, patient());
  EXPECT_EQ(s->dispatched(100).node, NodeId{1});
  EXPECT_EQ(s->submit(101, patient()), (Said{"queued 101"})) << "rather than there";
}

// peers.md 9: what is the caller's fault, or a sign of load, is no fault.
TEST_F(RoutesTest, CallersMistakesAndBusyReplicasSwitchNothing) {
  Options options = two_paths(1, 1);
  options.breaker = {};
  start(options);
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(serve(i % 2 == 0 ? AttemptResult::kRejected : AttemptResult::kBusy), 0u);
  }
  EXPECT_EQ(path(), 0u);
  for (const Adjusted& adjusted : s->adjustments()) {
    EXPECT_FALSE(std::holds_alternative<BreakerChange>(adjusted.change));
    EXPECT_FALSE(std::holds_alternative<PathChange>(adjusted.change));
  }
}

TEST_F(RoutesTest, OneNodeOfSeveralDoesNotMakeThePathFail) {
  start(two_paths(3, 1));
  // Only node 0 is ever free of the hot ones.
  s->submit(1, patient());
  s->submit(2, patient());
  s->finish(1);
  next = 10;
  s->submit(3, patient());
  s->submit(4, patient());
  s->finish(3);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(serve(AttemptResult::kError), 0u);
  EXPECT_EQ(path(), 0u);
  s->finish(2, AttemptResult::kError);
  EXPECT_EQ(path(), 1u) << "two of three";
}

TEST_F(RoutesTest, LosingAllNodesOfAPathSwitchesAtOnceAndLosingOneDoesNot) {
  start(two_paths(2, 1));
  s->report(0, false);
  EXPECT_EQ(path(), 0u);
  s->report(1, false);
  EXPECT_EQ(path(), 1u);
  ASSERT_EQ(changes().size(), 1u);
  EXPECT_EQ(changes()[0].change.cause, PathCause::kNotReady);
}

TEST_F(RoutesTest, OpenBreakersOfAllNodesLeaveThePathToo) {
  Options options = two_paths(1, 1);
  options.breaker.consecutive_failures = 2;
  start(options);
  serve(AttemptResult::kError);
  serve(AttemptResult::kError);
  EXPECT_EQ(path(), 1u);
  ASSERT_EQ(changes().size(), 1u);
  EXPECT_EQ(changes()[0].change.cause, PathCause::kNotReady);
}

// A restart of Sluice: who answers the first check first has won nothing.
TEST_F(RoutesTest, WaitsForTheHotPathToBeHeardOf) {
  s = std::make_unique<SteppedScheduler>(two_paths(1, 1));
  s->report(1, true);
  EXPECT_EQ(serve(AttemptResult::kAnswered), 1u);
  EXPECT_EQ(path(), 0u);
  s->report(0, true);
  EXPECT_EQ(serve(AttemptResult::kAnswered), 0u);
  EXPECT_TRUE(changes().empty());
}

TEST_F(RoutesTest, ComesBackByProbesAfterTheHold) {
  start(two_paths(1, 1));
  fail_hot();
  const TimePoint held_until = s->now() + PathOptions{}.hold;
  EXPECT_LE(s->scheduler().next_wakeup(), held_until);
  s->set_now(held_until - 1ms);
  EXPECT_EQ(serve(AttemptResult::kAnswered, true), 1u);
  s->set_now(held_until);
  s->tick();
  EXPECT_EQ(serve(AttemptResult::kAnswered, true), 0u);
  EXPECT_EQ(serve(AttemptResult::kAnswered, true), 0u);
  EXPECT_EQ(path(), 1u);
  EXPECT_EQ(serve(AttemptResult::kAnswered, true), 0u);
  EXPECT_EQ(path(), 0u);
  EXPECT_EQ(changes().back().change.cause, PathCause::kProbed);
}

TEST_F(RoutesTest, OneProbeAtATime) {
  start(two_paths(2, 2));
  s->report(0, false);
  s->report(1, false);
  s->advance(PathOptions{}.hold);
  s->report(0, true);
  s->report(1, true);
  EXPECT_EQ(s->submit(1, patient(true)), (Said{"dispatch 1 to 0"}));
  EXPECT_EQ(s->submit(2, patient(true)), (Said{"dispatch 2 to 2"}));
  EXPECT_EQ(s->finish(1), (Said{"finish 1 completed"}));
  EXPECT_EQ(s->submit(3, patient(true)), (Said{"dispatch 3 to 0"}));
}

TEST_F(RoutesTest, AFailedProbeHoldsAnewAndItsTaskIsTriedElsewhere) {
  start(two_paths(1, 1));
  fail_hot();
  s->advance(PathOptions{}.hold);
  s->tick();
  s->submit(50, patient(true));
  ASSERT_EQ(s->dispatched(50).node, NodeId{0});
  EXPECT_EQ(s->finish(50, AttemptResult::kError),
            (Said{"requeue 50 replica_error", "dispatch 50 to 1"}));
  s->finish(50);
  EXPECT_EQ(serve(AttemptResult::kAnswered, true), 1u) << "held anew";
  s->advance(PathOptions{}.hold);
  s->tick();
  EXPECT_EQ(serve(AttemptResult::kAnswered, true), 0u);
}

TEST_F(RoutesTest, ASlowProbeIsNotWhatOneWantsToGoBackTo) {
  start(two_paths(1, 1));
  fail_hot();
  s->advance(PathOptions{}.hold);
  s->tick();
  s->submit(50, patient(true));
  s->advance(14s);  // of a budget of 10 s
  s->finish(50);
  EXPECT_EQ(serve(AttemptResult::kAnswered, true), 1u);
}

TEST_F(RoutesTest, AProbeThatCannotBeTriedAgainWaitsForOneThatCan) {
  start(two_paths(1, 1));
  fail_hot();
  s->advance(PathOptions{}.hold);
  s->tick();
  EXPECT_EQ(serve(AttemptResult::kAnswered, false), 1u);
  s->advance(1s);
  EXPECT_EQ(serve(AttemptResult::kAnswered, false), 0u) << "none came";
}

// Answers to a probe that say nothing of the replica leave the next one its turn.
TEST_F(RoutesTest, ANeutralProbeIsRepeated) {
  start(two_paths(1, 1));
  fail_hot();
  s->advance(PathOptions{}.hold);
  s->tick();
  for (const auto result : {AttemptResult::kBusy, AttemptResult::kRejected}) {
    Labels labels = patient(true);
    const std::uint64_t request = next++;
    s->submit(request, labels);
    EXPECT_EQ(s->dispatched(request).node, NodeId{0});
    s->finish(request, result);
    if (result == AttemptResult::kBusy) s->finish(request);
  }
  EXPECT_EQ(serve(AttemptResult::kAnswered, true), 0u);
}

// What was sent before the path was left may end long after it was entered again.
TEST_F(RoutesTest, StragglersOfAnOutageDoNotMakeItLeaveAgain) {
  start(two_paths(4, 4));
  for (std::uint64_t r = 100; r < 103; ++r) s->submit(r, patient());  // hang on nodes 0 to 2
  for (int i = 0; i < 3; ++i) {
    s->submit(next, patient());
    ASSERT_EQ(s->dispatched(next).node, NodeId{3});
    s->finish(next++, AttemptResult::kError);
  }
  for (std::uint32_t n = 0; n < 4; ++n) s->report(n, false);
  ASSERT_EQ(path(), 1u);
  s->advance(PathOptions{}.hold);
  for (std::uint32_t n = 0; n < 4; ++n) s->report(n, true);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(serve(AttemptResult::kAnswered, true), 3u);
  ASSERT_EQ(path(), 0u);
  for (std::uint64_t r = 100; r < 103; ++r) s->finish(r, AttemptResult::kTimeout);
  EXPECT_EQ(path(), 0u);
}

// It works, there is only too much of it: better than to wait.
TEST_F(RoutesTest, APathThatWasLeftForItsLoadIsTheLastResort) {
  start(two_paths(1, 1));
  s->submit(1, patient());
  s->advance(5s);
  s->submit(2, patient());
  s->finish(2);
  ASSERT_EQ(path(), 1u);
  EXPECT_EQ(changes()[0].change.cause, PathCause::kLoad);
  s->finish(1);
  EXPECT_EQ(s->submit(3, patient()), (Said{"dispatch 3 to 1"}));
  EXPECT_EQ(s->submit(4, patient()), (Said{"dispatch 4 to 0"}));
}

// The barred path is the only one that takes the priority: better tried than never.
TEST_F(RoutesTest, WhatNoOtherPathTakesGoesToABarredOne) {
  Options options = two_paths(1, 1);
  options.nodes[1].service_class = Realtime::kLow;
  start(options);
  fail_hot();
  s->submit(50, asking(8, 10s));
  EXPECT_EQ(s->dispatched(50).node, NodeId{1});
  s->submit(51, asking(5, 10s));
  EXPECT_EQ(s->dispatched(51).node, NodeId{0});
}

TEST_F(RoutesTest, ModelsWithOnePathHaveNone) {
  Options options = two_paths(1, 1, 2);
  options.nodes[0].models = {ModelId{0}};
  start(options);
  EXPECT_EQ(s->scheduler().path(ModelId{1}), PathId{1});
  for (int i = 0; i < 10; ++i) {
    s->submit(next, asking(5, 10s, 1));
    s->finish(next++, AttemptResult::kError);
  }
  EXPECT_EQ(s->scheduler().path(ModelId{1}), PathId{1});
  EXPECT_TRUE(changes().empty());
}

TEST_F(RoutesTest, ThePathsThatAModelHasNoNodeOnAreNone) {
  Options options = two_paths(1, 1);
  options.paths = {"near", "hot", "cold"};
  options.nodes[0].path = PathId{1};
  options.nodes[1].path = PathId{2};
  start(options);
  EXPECT_EQ(path(), 1u);
  EXPECT_EQ(serve(AttemptResult::kAnswered), 0u);
  EXPECT_TRUE(changes().empty());
}

// R28 with R18: ready is not enough, the model has to be there. Both paths may load it.
Options cold_starting_paths() {
  Options options = two_paths(1, 1);
  options.models[0].memory_bytes = 4;
  for (NodeOptions& node : options.nodes) {
    node.managed = true;
    node.memory_bytes = 10;
  }
  return options;
}

TEST_F(RoutesTest, APathWhereTheModelIsNotLoadedIsLeft) {
  start(cold_starting_paths());
  EXPECT_EQ(path(), 0u) << "it is nowhere: nothing is better";
  s->loaded(0, 1);
  EXPECT_EQ(path(), 1u);
  ASSERT_EQ(changes().size(), 1u);
  EXPECT_EQ(changes()[0].change.cause, PathCause::kNotReady);
  EXPECT_TRUE(changes()[0].change.left.ready);
  EXPECT_FALSE(changes()[0].change.left.loaded);
  EXPECT_EQ(serve(AttemptResult::kAnswered), 1u);
}

TEST_F(RoutesTest, TheHotPathIsBackOnceTheModelIsLoadedAndProbed) {
  start(cold_starting_paths());
  s->loaded(0, 1);
  s->advance(1h);
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(serve(AttemptResult::kAnswered), 1u) << "no probe: not there";
  s->loaded(0, 0);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(serve(AttemptResult::kAnswered, true), 0u) << "a probe";
  EXPECT_EQ(path(), 0u);
  EXPECT_EQ(changes().back().change.cause, PathCause::kProbed);
}

TEST_F(RoutesTest, APathWhoseModelIsUnloadedIsLeftAtOnce) {
  start(cold_starting_paths());
  s->loaded(0, 0);
  s->loaded(0, 1);
  EXPECT_EQ(serve(AttemptResult::kAnswered), 0u);
  s->unloaded(0, 0);
  EXPECT_EQ(path(), 1u);
  EXPECT_EQ(serve(AttemptResult::kAnswered), 1u);
}

// With the first report of all comes what the node has; of the other nobody has heard yet.
TEST_F(RoutesTest, AModelThatIsThereFromTheStartKeepsItsPath) {
  Options options = cold_starting_paths();
  options.nodes[1].managed = false;
  s = std::make_unique<SteppedScheduler>(options);
  const std::vector<ModelId> loaded{ModelId{0}};
  s->tell(NodeReport{.node = NodeId{0}, .ready = true, .loaded = loaded});
  s->report(1, true);
  EXPECT_TRUE(changes().empty());
  EXPECT_EQ(serve(AttemptResult::kAnswered), 0u);
}

// A first load goes where the model would rather be.
TEST_F(RoutesTest, AColdStartPrefersTheHotPath) {
  start(cold_starting_paths());
  EXPECT_EQ(s->submit(1, patient()), (Said{"queued 1", "load 0 at 0"}));
  EXPECT_EQ(s->loaded(0, 0), (Said{"dispatch 1 to 0"}));
  EXPECT_TRUE(changes().empty());
}

TEST_F(RoutesTest, StaticPoliciesAndEarlyBindingKnowNoPaths) {
  Options fixed = two_paths(1, 1);
  fixed.policy.control = Control::kStatic;
  start(fixed);
  for (int i = 0; i < 10; ++i) serve(AttemptResult::kError);
  EXPECT_TRUE(changes().empty());
  Options early = two_paths(1, 1);
  early.policy.binding = Binding::kEarlyRoundRobin;
  start(early);
  EXPECT_NE(serve(AttemptResult::kAnswered), serve(AttemptResult::kAnswered));
}

// A rule may send a task to another path first.
TEST(Routes, ATaskMayNameItsPath) {
  const Options options = two_paths(1, 1);
  const Eligibility eligibility(options);
  Flows flows(eligibility.class_count(), 1, 1, 10);
  const Residency residency(options, eligibility);
  Placement placement(options, eligibility, residency, flows);
  const TimePoint now{1s};
  for (const std::uint32_t n : {0, 1}) placement.report(NodeId{n}, true, std::nullopt, now);
  Task task;
  task.model = ModelId{0};
  task.deadline = now + 10s;
  task.prior_service = 5ms;
  const ClassId klass = eligibility.class_of(ModelId{0}, 9);
  EXPECT_EQ(placement.choose(task, klass, now, true).node, NodeId{0});
  task.path = PathId{1};
  EXPECT_EQ(placement.choose(task, klass, now, true).node, NodeId{1});
  placement.report(NodeId{1}, false, std::nullopt, now);
  EXPECT_EQ(placement.choose(task, klass, now, true).node, NodeId{0});
}

}  // namespace
}  // namespace sluice::core
