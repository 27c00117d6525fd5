#include "core/classify/rule_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using Kind = PriorityEffect::Kind;

constexpr RuleUniverse kUniverse{.models = 2, .tenants = 2, .task_types = 2, .paths = 2};
constexpr RuleScope kOperator = RuleScope::for_operator();

RuleError check_match(const RuleMatch& match, RuleScope scope = kOperator) {
  return check_rule({.name = "r", .scope = scope, .match = match, .effect = {.refuse = true}},
                    kUniverse);
}
RuleError check_effect(const RuleEffect& effect, RuleScope scope = kOperator) {
  return check_rule({.name = "r", .scope = scope, .effect = effect}, kUniverse);
}

TEST(RuleCheck, NamesAndReasonsHaveALength) {
  Rule rule = large_task_rule();
  EXPECT_EQ(check_rule(rule, kUniverse), RuleError::kNone);
  rule.name = "";
  EXPECT_EQ(check_rule(rule, kUniverse), RuleError::kBadName);
  rule.name = std::string(64, 'x');
  EXPECT_EQ(check_rule(rule, kUniverse), RuleError::kNone);
  rule.name += 'x';
  EXPECT_EQ(check_rule(rule, kUniverse), RuleError::kBadName);
  rule.name = "x";
  rule.reason = std::string(201, 'x');
  EXPECT_EQ(check_rule(rule, kUniverse), RuleError::kBadName);
}

TEST(RuleCheck, MatchNamesWhatThereIs) {
  EXPECT_EQ(check_match({.model = ModelId{1}}), RuleError::kNone);
  EXPECT_EQ(check_match({.model = ModelId{2}}), RuleError::kBadMatch);
  EXPECT_EQ(check_match({.tenant = TenantId{2}}), RuleError::kBadMatch);
  EXPECT_EQ(check_match({.task_type = TaskTypeId{2}}), RuleError::kBadMatch);
}

TEST(RuleCheck, RangesAreNotEmptyAndFiguresAreNumbers) {
  EXPECT_EQ(check_match({.priority_from = 5, .priority_to = 5}), RuleError::kNone);
  EXPECT_EQ(check_match({.priority_from = 6, .priority_to = 5}), RuleError::kBadMatch);
  EXPECT_EQ(check_match({.priority_to = 10}), RuleError::kBadMatch);
  EXPECT_EQ(check_match({.size_from = 2, .size_to = 1}), RuleError::kBadMatch);
  EXPECT_EQ(check_match({.service_at_least = -1ns}), RuleError::kBadMatch);
  EXPECT_EQ(check_match({.rate_at_least_per_s = std::nan("")}), RuleError::kBadMatch);
  EXPECT_EQ(check_match({.error_share_at_least = -0.1}), RuleError::kBadMatch);
  EXPECT_EQ(check_match({.miss_share_at_least = std::numeric_limits<double>::infinity()}),
            RuleError::kBadMatch);
}

TEST(RuleCheck, TenantsMatchTheirOwnRequestsOnly) {
  const RuleScope scope = RuleScope::of(TenantId{1});
  EXPECT_EQ(check_match({.tenant = TenantId{1}}, scope), RuleError::kNone);
  EXPECT_EQ(check_match({.tenant = TenantId{0}}, scope), RuleError::kBadMatch);
}

TEST(RuleCheck, RuleHasAnEffect) {
  EXPECT_EQ(check_effect({}), RuleError::kNoEffect);
}

TEST(RuleCheck, EffectsAreInRange) {
  EXPECT_EQ(check_effect({.priority = PriorityEffect{Kind::kTo, 9}}), RuleError::kNone);
  EXPECT_EQ(check_effect({.priority = PriorityEffect{Kind::kTo, 10}}), RuleError::kBadEffect);
  EXPECT_EQ(check_effect({.priority = PriorityEffect{Kind::kTo, -1}}), RuleError::kBadEffect);
  EXPECT_EQ(check_effect({.priority = PriorityEffect{Kind::kBySteps, -9}}), RuleError::kNone);
  EXPECT_EQ(check_effect({.priority = PriorityEffect{Kind::kBySteps, 0}}), RuleError::kBadEffect);
  EXPECT_EQ(check_effect({.priority = PriorityEffect{Kind::kByLanes, 2}}), RuleError::kNone);
  EXPECT_EQ(check_effect({.priority = PriorityEffect{Kind::kByLanes, 3}}), RuleError::kBadEffect);
  EXPECT_EQ(check_effect({.budget = 0ms}), RuleError::kBadEffect);
  EXPECT_EQ(check_effect({.rate = RateLimit{5, 1}}), RuleError::kNone);
  EXPECT_EQ(check_effect({.rate = RateLimit{0, 1}}), RuleError::kBadEffect);
  EXPECT_EQ(check_effect({.rate = RateLimit{5, 0.5}}), RuleError::kBadEffect);
  EXPECT_EQ(check_effect({.rate = RateLimit{std::nan(""), 1}}), RuleError::kBadEffect);
  EXPECT_EQ(check_effect({.task_type = TaskTypeId{2}}), RuleError::kBadEffect);
  EXPECT_EQ(check_effect({.degrade = ModelId{2}}), RuleError::kBadEffect);
  EXPECT_EQ(check_effect({.path = PathId{2}}), RuleError::kBadEffect);
}

TEST(RuleCheck, ReroutingIsTheOperators) {
  const RuleScope tenant = RuleScope::of(TenantId{1});
  EXPECT_EQ(check_effect({.path = PathId{1}}), RuleError::kNone);
  EXPECT_EQ(check_effect({.path = PathId{1}}, tenant), RuleError::kOperatorsOnly);
  EXPECT_EQ(check_effect({.service_class = Realtime::kHigh}, tenant), RuleError::kOperatorsOnly);
  EXPECT_EQ(check_effect({.degrade = ModelId{1}}, tenant), RuleError::kNone);
}

}  // namespace
}  // namespace sluice::core
