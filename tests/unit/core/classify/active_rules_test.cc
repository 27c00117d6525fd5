// R5: the rules in force, how they are changed, and the rates that they set.
#include "core/classify/active_rules.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow{1s};
constexpr RuleScope kOperator = RuleScope::for_operator();

Options options(std::uint32_t tenants = 1) {
  Options options;
  options.task_types = {"image"};
  options.models = {{.name = "m", .task_type = TaskTypeId{0}}};
  options.tenants.resize(tenants);
  options.large_task.reset();
  return options;
}

Rule named(std::string name, RuleEffect effect = {.refuse = true}) {
  return {.name = std::move(name), .effect = effect};
}

Rule limiting(double per_s, double burst) {
  return named("limit", {.rate = RateLimit{.per_s = per_s, .burst = burst}});
}

RuleResult add(ActiveRules& rules, const Rule& rule, std::uint32_t position = RuleBook::kAtEnd,
               RuleScope as = kOperator) {
  return rules.change({.as = as, .rule = &rule, .position = position}, kNow);
}

std::vector<std::string> names(const ActiveRules& rules) {
  std::vector<std::string> found;
  for (const RuleId id : rules.book().list()) found.push_back(rules.book().find(id)->name);
  return found;
}

using Names = std::vector<std::string>;

TEST(ActiveRules, BeginsWithThoseOfTheOptionsAndTheBuiltInOneBehind) {
  Options given = options();
  EXPECT_TRUE(ActiveRules(given).empty());
  given.rules = {named("first"), named("second")};
  given.large_task = 2s;
  EXPECT_EQ(names(ActiveRules(given)), (Names{"first", "second", large_task_rule().name}));
  given.policy.control = Control::kStatic;
  EXPECT_EQ(names(ActiveRules(given)), (Names{"first", "second"})) << "static policies have none";
}

TEST(ActiveRulesDeathTest, RulesOfTheOptionsAreSound) {
  Options given = options();
  given.rules = {named("")};
  EXPECT_DEATH(ActiveRules{given}, "a rule of the options is not sound");
}

TEST(ActiveRules, AreAddedMovedReplacedAndRemoved) {
  ActiveRules rules(options());
  const RuleId a = add(rules, named("a")).id;
  add(rules, named("b"));
  const RuleId c = add(rules, named("c"), 0).id;
  EXPECT_EQ(names(rules), (Names{"c", "a", "b"}));

  EXPECT_TRUE(rules.change({.kind = RuleChange::Kind::kMove, .id = a, .position = 0}, kNow).ok());
  EXPECT_EQ(names(rules), (Names{"a", "c", "b"}));

  const Rule other = named("d");
  EXPECT_TRUE(
      rules.change({.kind = RuleChange::Kind::kReplace, .id = c, .rule = &other}, kNow).ok());
  EXPECT_EQ(names(rules), (Names{"a", "d", "b"}));

  EXPECT_TRUE(rules.change({.kind = RuleChange::Kind::kRemove, .id = a}, kNow).ok());
  EXPECT_EQ(names(rules), (Names{"d", "b"}));
  EXPECT_EQ(rules.change({.kind = RuleChange::Kind::kRemove, .id = a}, kNow).error,
            RuleError::kNoSuchRule);
}

TEST(ActiveRules, ATenantChangesNoneButItsOwn) {
  ActiveRules rules(options(2));
  Rule theirs = named("theirs");
  theirs.scope = RuleScope::of(TenantId{1});
  const RuleId id = add(rules, theirs, RuleBook::kAtEnd, theirs.scope).id;
  const RuleScope other = RuleScope::of(TenantId{0});
  for (const auto kind :
       {RuleChange::Kind::kReplace, RuleChange::Kind::kRemove, RuleChange::Kind::kMove}) {
    const RuleChange asked{
        .kind = kind, .as = other, .id = id, .rule = &theirs, .position = RuleBook::kAtEnd};
    EXPECT_EQ(rules.change(asked, kNow).error, RuleError::kNoSuchRule);
  }
  EXPECT_EQ(names(rules), (Names{"theirs"}));
}

TEST(ActiveRules, ARateIsABurstAndThenSoManyASecond) {
  ActiveRules rules(options());
  const RuleId id = add(rules, limiting(10, 2)).id;
  EXPECT_FALSE(rules.over_rate(id, kNow));
  EXPECT_FALSE(rules.over_rate(id, kNow));
  EXPECT_EQ(rules.over_rate(id, kNow), 100ms);
  EXPECT_EQ(rules.over_rate(id, kNow + 60ms), 40ms);
  EXPECT_FALSE(rules.over_rate(id, kNow + 100ms));
  EXPECT_TRUE(rules.over_rate(id, kNow + 100ms));
}

TEST(ActiveRules, RulesHaveBucketsOfTheirOwn) {
  ActiveRules rules(options());
  const RuleId first = add(rules, limiting(1, 1)).id;
  Rule other = limiting(1, 1);
  other.name = "other";
  const RuleId second = add(rules, other).id;
  EXPECT_FALSE(rules.over_rate(first, kNow));
  EXPECT_TRUE(rules.over_rate(first, kNow));
  EXPECT_FALSE(rules.over_rate(second, kNow));
}

TEST(ActiveRules, AReplacedRateBeginsAfreshAndAMovedOneGoesOn) {
  ActiveRules rules(options());
  const RuleId id = add(rules, limiting(1, 1)).id;
  add(rules, named("another"));
  ASSERT_FALSE(rules.over_rate(id, kNow));

  rules.change({.kind = RuleChange::Kind::kMove, .id = id, .position = 1}, kNow);
  EXPECT_EQ(names(rules), (Names{"another", "limit"}));
  EXPECT_TRUE(rules.over_rate(id, kNow)) << "no fresh burst for being moved";

  const Rule wider = limiting(1, 3);
  rules.change({.kind = RuleChange::Kind::kReplace, .id = id, .rule = &wider}, kNow);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(rules.over_rate(id, kNow)) << i;
  EXPECT_TRUE(rules.over_rate(id, kNow));
}

TEST(ActiveRules, ARefusedReplacementLeavesRuleAndBucketAsTheyWere) {
  ActiveRules rules(options());
  const RuleId id = add(rules, limiting(1, 1)).id;
  ASSERT_FALSE(rules.over_rate(id, kNow));
  const Rule unsound = limiting(-1, 5);
  EXPECT_EQ(
      rules.change({.kind = RuleChange::Kind::kReplace, .id = id, .rule = &unsound}, kNow).error,
      RuleError::kBadEffect);
  EXPECT_TRUE(rules.over_rate(id, kNow));
  EXPECT_EQ(rules.book().find(id)->effect.rate->per_s, 1);
}

// What takes a removed rule's place does not inherit its bucket.
TEST(ActiveRules, ANewRuleBeginsWithAFullBucketWhereverItsSlotWas) {
  ActiveRules rules(options());
  const RuleId id = add(rules, limiting(1, 1)).id;
  ASSERT_FALSE(rules.over_rate(id, kNow));
  rules.change({.kind = RuleChange::Kind::kRemove, .id = id}, kNow);
  const RuleId next = add(rules, limiting(1, 1)).id;
  ASSERT_EQ(next.slot, id.slot);
  EXPECT_FALSE(rules.over_rate(next, kNow));
}

TEST(ActiveRules, FiguresAreNeededWhileARuleLooksAtThem) {
  ActiveRules rules(options());
  EXPECT_FALSE(rules.needs_figures());
  Rule live = named("live");
  live.match.error_share_at_least = 0.5;
  const RuleId id = add(rules, live).id;
  EXPECT_TRUE(rules.needs_figures());
  rules.change({.kind = RuleChange::Kind::kRemove, .id = id}, kNow);
  EXPECT_FALSE(rules.needs_figures());
}

TEST(ActiveRules, EvaluateSaysWhatTheFirstThatMatchesSays) {
  ActiveRules rules(options());
  Rule other_model = named("m1", {.budget = 1s});
  other_model.match.model = ModelId{0};
  other_model.match.priority_from = 5;
  const RuleId first = add(rules, other_model).id;
  const RuleId second = add(rules, named("all", {.budget = 2s})).id;
  const RuleSubject subject{.model = ModelId{0}, .tenant = TenantId{0}, .priority = 4};
  const RuleVerdict relaxed = rules.evaluate(subject, {});
  EXPECT_EQ(relaxed.effect.budget, 2s);
  EXPECT_EQ(relaxed.rule(EffectKind::kBudget).slot, second.slot);
  RuleSubject low = subject;
  low.priority = 5;
  EXPECT_EQ(rules.evaluate(low, {}).effect.budget, 1s);
  EXPECT_EQ(rules.evaluate(low, {}).rule(EffectKind::kBudget).slot, first.slot);
}

}  // namespace
}  // namespace sluice::core
