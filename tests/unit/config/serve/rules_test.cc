#include <gtest/gtest.h>

#include "unit/config/serve/reading.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

TEST(RulesSection, ReadsMatchAndEffect) {
  const auto core =
      read_with(
          "tenants: [{name: acme}]\n"
          "rules:\n"
          "- name: calm-acme\n"
          "  reason: too many errors\n"
          "  match: {model: detect, tenant: acme, tier: basic, priority_to: 2, size_from: "
          "1MiB, service_at_least: 50ms, rate_at_least: 100/s, error_share_at_least: 20%}\n"
          "  effect: {priority_steps: 2, budget: 1s, rate: 10/s, refuse: no, "
          "degrade_to: detect}\n"
          "- {name: theirs, tenant: acme, effect: {lanes: -1}}\n"
          "large_task: 5s\n")
          .core;
  ASSERT_EQ(core.rules.size(), 2u);
  const core::Rule& rule = core.rules[0];
  EXPECT_EQ(rule.name, "calm-acme");
  EXPECT_EQ(rule.reason, "too many errors");
  EXPECT_TRUE(rule.scope.is_operator());
  EXPECT_EQ(rule.match.model, core::ModelId{0});
  EXPECT_EQ(rule.match.tenant, core::TenantId{1});
  EXPECT_EQ(rule.match.priority_to, 2);
  EXPECT_EQ(rule.match.size_from, 1u << 20);
  EXPECT_EQ(rule.match.service_at_least, 50ms);
  EXPECT_EQ(rule.match.rate_at_least_per_s, 100);
  EXPECT_EQ(rule.match.error_share_at_least, 0.2);
  EXPECT_EQ(rule.effect.priority, (core::PriorityEffect{core::PriorityEffect::Kind::kBySteps, 2}));
  EXPECT_EQ(rule.effect.budget, 1s);
  EXPECT_EQ(rule.effect.rate, (core::RateLimit{10, 10}));
  EXPECT_EQ(rule.effect.refuse, false);
  EXPECT_EQ(rule.effect.degrade, core::ModelId{0});
  EXPECT_EQ(core.rules[1].scope, core::RuleScope::of(core::TenantId{1}));
  EXPECT_EQ(core.large_task, 5s);
}

TEST(RulesSection, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_with("rules:\n- {name: a, match: {model: detector}, effect: {refuse: yes}}\n"),
            "sluice.yaml:5: rules[0].match.model: names nothing that there is: detector");
  EXPECT_EQ(error_with("rules: [{name: a}]\n"),
            "sluice.yaml:4: rules[0].name: the rule has no effect: name at least one");
  EXPECT_EQ(error_with("rules: [{name: a, effect: {priority: 3, lanes: 1}}]\n"),
            "sluice.yaml:4: rules[0].effect.lanes: stands beside another change of the priority; "
            "write one of them");
  EXPECT_EQ(error_with("rules: [{name: a, effect: {lanes: 0}}]\n"),
            "sluice.yaml:4: rules[0].effect.lanes: must be a whole number, not 0");
  EXPECT_EQ(error_with("rules: [{name: a, effect: {burst: 2}}]\n"),
            "sluice.yaml:4: rules[0].effect.burst: says nothing without rate");
  EXPECT_EQ(
      error_with("rules:\n- {name: a, effect: {refuse: yes}}\n- {name: a, effect: {lanes: 1}}\n"),
      "sluice.yaml:6: rules[1].name: another rule of this scope has that name");
}

TEST(RulesSection, TheBuiltInRuleCanBeTurnedOff) {
  EXPECT_EQ(read_with("").core.large_task, 2s);
  EXPECT_FALSE(read_with("large_task: never\n").core.large_task);
}

}  // namespace
}  // namespace sluice::config
