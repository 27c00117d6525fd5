#include "core/placement/placement.h"

#include <set>
#include <utility>

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow{1s};
constexpr ModelId kModel{0};

Options equal_nodes(std::uint32_t nodes, std::uint32_t slots = 1) {
  Options options;
  options.task_types = {"image"};
  options.models = {{.name = "m", .task_type = TaskTypeId{0}}};
  options.nodes.resize(nodes, {.models = {kModel}, .slots = slots});
  return options;
}

// A placement with what it refers to.
struct Stage {
  explicit Stage(Options given)
      : options(std::move(given)),
        eligibility(options),
        flows(eligibility.class_count(), 1, 1, 100),
        residency(options, eligibility),
        placement(options, eligibility, residency, flows) {}

  Stage& all_ready() {
    for (std::uint32_t n = 0; n < options.nodes.size(); ++n) {
      report(n, true);
    }
    return *this;
  }
  // Enough samples for the estimate to be trusted.
  void learn(std::uint32_t node, Duration service) {
    for (int i = 0; i < 5; ++i) learn_once(node, service);
  }
  void learn_once(std::uint32_t node, Duration service) {
    placement.learn({.node = NodeId{node}, .model = kModel, .replica = node}, service, kNow);
  }
  void occupy(std::uint32_t node) {
    Attempt attempt{.node = NodeId{node}, .model = kModel, .lane = Lane::kHigh};
    placement.begin(NodeId{node}, next_slot++, attempt, kNow);
  }
  void report(std::uint32_t node, bool ready, TimePoint now = kNow) {
    placement.report(NodeId{node}, ready, std::nullopt, now);
  }
  std::uint32_t allowed(std::uint32_t node) const { return placement.node({node}).allowed(); }
  void end(std::uint32_t node, std::uint32_t slot) {
    placement.end({.node = NodeId{node}, .model = kModel, .lane = Lane::kHigh}, slot, kNow);
  }
  Flows::FlowId push_one() {
    const Flows::Place place{Lane::kHigh, klass(), TenantId{0}, kModel};
    return flows.push(place, TaskTypeId{0}, 1, {.slot = 0, .bytes = 0, .work = 1ms});
  }
  ClassId klass() const { return eligibility.class_of(kModel, 0); }

  Options options;
  Eligibility eligibility;
  Flows flows;
  Residency residency;
  Placement placement;
  std::uint32_t next_slot = 0;
};

Task with_budget(Duration budget) {
  Task task;
  task.model = kModel;
  task.arrival = kNow;
  task.deadline = kNow + budget;
  task.prior_service = 5ms;
  return task;
}

TEST(Placement, ClassIsOpenWhileOneOfItsNodesIs) {
  Stage stage(equal_nodes(2));
  EXPECT_FALSE(stage.placement.open(stage.klass()));
  stage.all_ready();
  EXPECT_TRUE(stage.placement.open(stage.klass()));
  stage.occupy(0);
  EXPECT_TRUE(stage.placement.open(stage.klass()));
  stage.occupy(1);
  EXPECT_FALSE(stage.placement.open(stage.klass()));
  stage.end(0, 0);
  EXPECT_TRUE(stage.placement.open(stage.klass()));
  stage.report(0, false);
  EXPECT_FALSE(stage.placement.open(stage.klass()));
}

// What the flows are told: a flow may be served exactly while its class is open.
TEST(Placement, FlowsAreActiveWhileTheirClassIsOpen) {
  Stage stage(equal_nodes(1));
  const Flows::FlowId flow = stage.push_one();
  EXPECT_FALSE(stage.flows.next());
  stage.all_ready();
  EXPECT_EQ(stage.flows.next(), flow);
  stage.occupy(0);
  EXPECT_FALSE(stage.flows.next());
}

TEST(Placement, FreeCreditEndsTheParkingOfItsClass) {
  Stage stage(equal_nodes(2));
  stage.all_ready();
  const Flows::FlowId flow = stage.push_one();
  stage.occupy(0);
  stage.flows.park(flow);
  EXPECT_FALSE(stage.flows.next());
  stage.end(0, 0);
  EXPECT_EQ(stage.flows.next(), flow);
}

TEST(Placement, DownOnlyWhenEveryNodeHasSaidSo) {
  Stage stage(equal_nodes(2));
  EXPECT_FALSE(stage.placement.down(stage.klass()));
  stage.report(0, false);
  EXPECT_FALSE(stage.placement.down(stage.klass()));
  stage.report(1, false);
  EXPECT_TRUE(stage.placement.down(stage.klass()));
  stage.report(1, true);
  EXPECT_FALSE(stage.placement.down(stage.klass()));
}

TEST(Placement, ReadySlotsAreThoseOfReadyNodes) {
  Stage stage(equal_nodes(3, 4));
  EXPECT_FALSE(stage.placement.ready(stage.klass()));
  stage.report(0, true);
  stage.placement.report(NodeId{0}, true, 1ms, kNow);
  stage.report(2, true);
  EXPECT_EQ(stage.placement.ready_slots(stage.klass()), 8u);
  stage.report(0, false);
  EXPECT_EQ(stage.placement.ready_slots(stage.klass()), 4u);
}

TEST(Placement, NextInTurnGoesRoundTheReadyNodes) {
  Stage stage(equal_nodes(3));
  stage.all_ready();
  for (const std::uint32_t expected : {0, 1, 2, 0, 1, 2}) {
    EXPECT_EQ(stage.placement.next_in_turn(kModel, 0), NodeId{expected});
  }
  stage.report(1, false);
  for (const std::uint32_t expected : {0, 2, 0, 2}) {
    EXPECT_EQ(stage.placement.next_in_turn(kModel, 0), NodeId{expected});
  }
}

TEST(Placement, NextInTurnIsAnyCandidateWhenNoneIsReadyAndNoneWithoutCandidates) {
  Options options = equal_nodes(2);
  options.models.push_back({.name = "nowhere", .task_type = TaskTypeId{0}});
  Stage stage(options);
  std::set<NodeId> turns;
  for (int i = 0; i < 4; ++i) turns.insert(stage.placement.next_in_turn(kModel, 0));
  EXPECT_EQ(turns.size(), 2u);
  EXPECT_FALSE(stage.placement.next_in_turn(ModelId{1}, 0).valid());
}

TEST(Placement, BestReadyLooksAtFullNodesToo) {
  Stage stage(equal_nodes(2));
  EXPECT_FALSE(stage.placement.best_ready(with_budget(1s), stage.klass(), kNow));
  stage.all_ready();
  stage.learn(0, 10ms);
  stage.learn(1, 50ms);
  stage.occupy(0);
  const auto best = stage.placement.best_ready(with_budget(1s), stage.klass(), kNow);
  ASSERT_TRUE(best);
  // One slot: it frees after half a service time, then the task takes one.
  EXPECT_EQ(best->until_slot, 5ms);
  // All but 1 % of it, which is still the prior's.
  EXPECT_NEAR(to_ms(best->service), 10, 0.1);
  EXPECT_TRUE(best->trusted);
}

TEST(Placement, PriorServiceUntilThereAreMeasurements) {
  Stage stage(equal_nodes(1));
  stage.all_ready();
  const auto guess = stage.placement.best_ready(with_budget(1s), stage.klass(), kNow);
  ASSERT_TRUE(guess);
  EXPECT_EQ(guess->service, 5ms);
  EXPECT_FALSE(guess->trusted);
  stage.learn_once(0, 12ms);
  const auto measured = stage.placement.best_ready(with_budget(1s), stage.klass(), kNow);
  // One sample says more than the catalogue, and not everything.
  EXPECT_GT(measured->service, 9ms);
  EXPECT_LT(measured->service, 12ms);
  EXPECT_FALSE(measured->trusted);
}

TEST(Placement, ChoosesTheNodeThatIsPredictedToFinishFirst) {
  Stage stage(equal_nodes(3));
  stage.all_ready();
  stage.learn(0, 30ms);
  stage.learn(1, 10ms);
  stage.learn(2, 20ms);
  const Choice choice = stage.placement.choose(with_budget(1s), stage.klass(), kNow, true);
  EXPECT_EQ(choice.verdict, Verdict::kRun);
  EXPECT_EQ(choice.node, NodeId{1});
  EXPECT_NEAR(to_ms(choice.prediction.total()), 10, 0.1);
}

// A fast node far away against a slower one near by.
TEST(Placement, TheWayCounts) {
  Options options = equal_nodes(2);
  options.nodes[0].round_trip = 30ms;
  Stage stage(options);
  stage.all_ready();
  stage.learn(0, 10ms);
  stage.learn(1, 20ms);
  const Choice choice = stage.placement.choose(with_budget(1s), stage.klass(), kNow, true);
  EXPECT_EQ(choice.node, NodeId{1});
}

TEST(Placement, TiesGoToTheLowerIdInWhateverOrderTheyOpened) {
  Stage stage(equal_nodes(3));
  for (const std::uint32_t n : {2, 0, 1}) stage.report(n, true);
  EXPECT_EQ(stage.placement.choose(with_budget(1s), stage.klass(), kNow, true).node, NodeId{0});
}

TEST(Placement, WaitsForABusyNodeThatIsInTimeRatherThanRunLate) {
  Stage stage(equal_nodes(2));
  stage.all_ready();
  stage.learn(0, 10ms);
  stage.learn(1, 100ms);
  stage.occupy(0);
  const Task task = with_budget(50ms);
  EXPECT_EQ(stage.placement.choose(task, stage.klass(), kNow, true).verdict, Verdict::kWait);
  // Whoever does not mind deadlines runs it.
  const Choice careless = stage.placement.choose(task, stage.klass(), kNow, false);
  EXPECT_EQ(careless.verdict, Verdict::kRun);
  EXPECT_EQ(careless.node, NodeId{1});
}

TEST(Placement, HopelessWhereNoNodeIsInTime) {
  Stage stage(equal_nodes(2));
  stage.all_ready();
  stage.learn(0, 100ms);
  stage.learn(1, 100ms);
  const auto verdict = [&](Duration budget, TimePoint now) {
    return stage.placement.choose(with_budget(budget), stage.klass(), now, true).verdict;
  };
  EXPECT_EQ(verdict(100ms, kNow), Verdict::kRun);
  EXPECT_EQ(verdict(98ms, kNow), Verdict::kHopeless);
  // Old figures condemn nobody.
  EXPECT_EQ(verdict(50ms, kNow + 11s), Verdict::kRun);
}

TEST(Placement, LossOfANodeEndsTheParkingOfItsClass) {
  Stage stage(equal_nodes(2));
  stage.all_ready();
  const Flows::FlowId flow = stage.push_one();
  stage.occupy(0);
  stage.flows.park(flow);
  stage.placement.report(NodeId{0}, true, 1ms, kNow);
  EXPECT_FALSE(stage.flows.next());
  stage.report(0, false);
  EXPECT_EQ(stage.flows.next(), flow);
}

// With nothing running nobody would end the wait.
TEST(Placement, NeverWaitsForANodeThatIsFree) {
  Stage stage(equal_nodes(100, 200));
  stage.all_ready();
  for (std::uint32_t n = 0; n < 100; ++n) stage.learn(n, n < 20 ? 10ms : 40ms);
  for (int i = 0; i < 500; ++i) {
    const Choice choice = stage.placement.choose(with_budget(20ms), stage.klass(), kNow, true);
    EXPECT_NE(choice.verdict, Verdict::kWait);
    EXPECT_TRUE(choice.verdict == Verdict::kHopeless || choice.node.value < 20);
  }
}

// Beyond 32 candidates a sample is looked at: good on average, and never a node without credit.
TEST(Placement, SampleOfManyNodesIsOpenAndMostlyFast) {
  Stage stage(equal_nodes(100, 200));
  stage.all_ready();
  for (std::uint32_t n = 0; n < 100; ++n) stage.learn(n, n < 50 ? 10ms : 40ms);
  for (std::uint32_t n = 0; n < 10; ++n) stage.report(n, false);
  int fast = 0;
  for (int i = 0; i < 200; ++i) {
    const Choice choice = stage.placement.choose(with_budget(1s), stage.klass(), kNow, true);
    ASSERT_EQ(choice.verdict, Verdict::kRun);
    ASSERT_GE(choice.node.value, 10u);
    fast += choice.node.value < 50;
  }
  // (50/90)^8 < 1 % of the samples have no fast node.
  EXPECT_GE(fast, 190);
}

TEST(PlacementDeathTest, ChoosingWithoutCreditIsABrokenInvariant) {
  Stage stage(equal_nodes(1));
  EXPECT_DEATH(stage.placement.choose(with_budget(1s), stage.klass(), kNow, true),
               "whose class has no credit");
}

// R26, where binding is early.
TEST(Placement, NextInTurnTakesThePriority) {
  Options options = equal_nodes(3);
  options.nodes[1].accepts = PriorityRange{0, 2};
  Stage stage(options);
  stage.all_ready();
  for (const std::uint32_t expected : {0, 2, 0, 2}) {
    EXPECT_EQ(stage.placement.next_in_turn(kModel, 3), NodeId{expected});
  }
  options.nodes[0].accepts = options.nodes[2].accepts = PriorityRange{0, 2};
  Stage none(options);
  EXPECT_FALSE(none.placement.next_in_turn(kModel, 3).valid());
}

// A scheduler that is started before nodes that are up has no reason to spare them.
TEST(PlacementSlowStart, NodesThatWereUpBeforeAreWarm) {
  Stage stage(equal_nodes(3, 4));
  stage.report(0, true);
  stage.report(1, true, kNow + 9s);
  EXPECT_EQ(stage.allowed(0), 4u);
  EXPECT_EQ(stage.allowed(1), 4u);
}

TEST(PlacementSlowStart, NodeThatJoinsOrComesBackIsCold) {
  Stage stage(equal_nodes(4, 4));
  for (const std::uint32_t n : {0, 1}) stage.report(n, true);
  stage.report(0, false);
  stage.report(0, true);
  EXPECT_EQ(stage.allowed(0), 1u) << "came back";
  stage.report(1, true);
  EXPECT_EQ(stage.allowed(1), 4u) << "nothing changed";
  stage.report(2, false);
  stage.report(2, true);
  EXPECT_EQ(stage.allowed(2), 1u) << "was seen starting";
  stage.report(3, true, kNow + 10s);
  EXPECT_EQ(stage.allowed(3), 1u) << "joined";
}

TEST(PlacementSlowStart, OnlySuccessesWarmIt) {
  Stage stage(equal_nodes(1, 4));
  stage.all_ready();
  stage.report(0, false);
  stage.report(0, true);
  for (const auto verdict : {AttemptVerdict::kNeutral, AttemptVerdict::kFailure}) {
    Attempt attempt{.node = NodeId{0}, .model = kModel, .lane = Lane::kHigh};
    stage.placement.begin(NodeId{0}, 0, attempt, kNow);
    stage.placement.judge(attempt, verdict, 1ms, kNow);
    stage.end(0, 0);
    EXPECT_EQ(stage.allowed(0), 1u);
  }
  Attempt attempt{.node = NodeId{0}, .model = kModel, .lane = Lane::kHigh};
  stage.placement.begin(NodeId{0}, 0, attempt, kNow);
  EXPECT_FALSE(stage.placement.open(stage.klass()));
  stage.placement.judge(attempt, AttemptVerdict::kSuccess, 1ms, kNow);
  stage.end(0, 0);
  EXPECT_EQ(stage.allowed(0), 2u);
}

TEST(PlacementSlowStart, CanBeTurnedOffAndStaticPoliciesHaveNone) {
  Options off = equal_nodes(1, 4);
  off.slow_start.enabled = false;
  Options fixed = equal_nodes(1, 4);
  fixed.policy.control = Control::kStatic;
  for (const Options& options : {off, fixed}) {
    Stage stage(options);
    stage.report(0, false);
    stage.report(0, true);
    EXPECT_EQ(stage.allowed(0), 4u);
  }
}

}  // namespace
}  // namespace sluice::core
