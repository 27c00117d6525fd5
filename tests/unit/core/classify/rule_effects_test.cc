#include "core/classify/rule_effects.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using Kind = PriorityEffect::Kind;

// A vip's silent request for the model is of priority 1 (high, medium); the other tenant may reach
// 5 at best.
class RuleEffectsTest : public testing::Test {
 protected:
  RuleEffectsTest() {
    options.task_types = {"image", "text"};
    options.models = {{.name = "detect", .task_type = TaskTypeId{0}, .realtime = Realtime::kHigh}};
    options.tenants = {{.name = "vip", .tier = Tier::kVip},
                       {.name = "guest", .tier = Tier::kBasic, .best_priority = 5}};
  }
  Classification apply(const RuleEffect& effect) const {
    return apply_effects(effect, labels, classify(labels, options), options);
  }
  Priority moved(Kind kind, int value) const {
    return apply({.priority = PriorityEffect{kind, value}}).priority;
  }

  Options options;
  Labels labels{.model = ModelId{0}, .tenant = TenantId{0}};
};

TEST_F(RuleEffectsTest, NoEffectChangesNothing) {
  const Classification found = apply({});
  EXPECT_EQ(found.priority, 1);
  EXPECT_EQ(found.budget, 100ms);
}

TEST_F(RuleEffectsTest, PriorityIsSetUnlessTheRequestNamesItsOwn) {
  EXPECT_EQ(moved(Kind::kTo, 7), 7);
  EXPECT_EQ(apply({.priority = PriorityEffect{Kind::kTo, 7}}).lane, Lane::kLow);
  labels.priority = 2;
  EXPECT_EQ(moved(Kind::kTo, 7), 2);
}

TEST_F(RuleEffectsTest, StepsMoveWhateverSetThePriorityAndStayInRange) {
  EXPECT_EQ(moved(Kind::kBySteps, 3), 4);
  labels.priority = 2;
  EXPECT_EQ(moved(Kind::kBySteps, 3), 5);
  EXPECT_EQ(moved(Kind::kBySteps, 9), 9);
  EXPECT_EQ(moved(Kind::kBySteps, -9), 0);
}

TEST_F(RuleEffectsTest, LanesMoveToTheNearestPriorityThere) {
  EXPECT_EQ(moved(Kind::kByLanes, 1), 3);
  EXPECT_EQ(moved(Kind::kByLanes, 2), 7);
  labels.priority = 8;
  EXPECT_EQ(moved(Kind::kByLanes, -1), 6);
  EXPECT_EQ(moved(Kind::kByLanes, -2), 2);
  EXPECT_EQ(moved(Kind::kByLanes, 1), 8) << "there is no lane beyond";
}

TEST_F(RuleEffectsTest, NobodyRisesAboveTheTenantsBest) {
  labels.tenant = TenantId{1};
  EXPECT_EQ(moved(Kind::kTo, 0), 5);
  EXPECT_EQ(moved(Kind::kBySteps, -3), 5);
  EXPECT_EQ(moved(Kind::kByLanes, -1), 5);
}

TEST_F(RuleEffectsTest, LabelsAreWhatTheRuleSaysAndTheTableIsAskedAgain) {
  labels.realtime = Realtime::kHigh;
  const auto found = apply({.task_type = TaskTypeId{1}, .realtime = Realtime::kLow});
  EXPECT_EQ(found.task_type, TaskTypeId{1});
  EXPECT_EQ(found.priority, 5);
  EXPECT_EQ(found.lane, Lane::kLatency);
  EXPECT_EQ(found.budget, 5s);
  EXPECT_EQ(apply({.weight = WeightClass::kLight}).priority, 0);
}

TEST_F(RuleEffectsTest, BudgetIsTheRequestsThenTheRules) {
  EXPECT_EQ(apply({.budget = 7ms}).budget, 7ms);
  labels.budget = 3ms;
  EXPECT_EQ(apply({.budget = 7ms}).budget, 3ms);
}

TEST_F(RuleEffectsTest, SubjectIsTheClassifiedRequest) {
  labels.size_bytes = 12;
  const RuleSubject subject = rule_subject(labels, classify(labels, options), 9ms, options);
  EXPECT_EQ(subject.tier, Tier::kVip);
  EXPECT_EQ(subject.realtime, Realtime::kHigh);
  EXPECT_EQ(subject.weight, WeightClass::kMedium);
  EXPECT_EQ(subject.priority, 1);
  EXPECT_EQ(subject.size_bytes, 12u);
  EXPECT_EQ(subject.predicted_service, 9ms);
}

}  // namespace
}  // namespace sluice::core
