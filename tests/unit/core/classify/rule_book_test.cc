#include "core/classify/rule_book.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr RuleScope kOperator = RuleScope::for_operator();
constexpr RuleScope kAcme = RuleScope::of(TenantId{0});
constexpr RuleScope kGuest = RuleScope::of(TenantId{1});

Rule refusing(const char* name, RuleScope scope = kOperator, RuleMatch match = {}) {
  return {.name = name, .scope = scope, .match = match, .effect = {.refuse = true}};
}
Rule with_budget(const char* name, Duration budget, RuleScope scope = kOperator) {
  return {.name = name, .scope = scope, .effect = {.budget = budget}};
}

class RuleBookTest : public testing::Test {
 protected:
  RuleId add(Rule rule, std::uint32_t position = RuleBook::kAtEnd) {
    const RuleResult result = book.add(kOperator, std::move(rule), position);
    EXPECT_TRUE(result.ok()) << to_string(result.error);
    return result.id;
  }
  RuleVerdict evaluate(std::uint32_t model = 0, std::uint32_t tenant = 0) const {
    return book.evaluate({.model = ModelId{model}, .tenant = TenantId{tenant}}, {});
  }
  std::string names() const {
    std::string all;
    for (const RuleId id : book.list()) all += book.find(id)->name;
    return all;
  }

  RuleBook book{{.rules = 6, .rules_per_tenant = 2},
                {.models = 3, .tenants = 2, .task_types = 1, .paths = 1}};
};

TEST_F(RuleBookTest, EmptyBookSaysNothing) {
  EXPECT_EQ(evaluate().effect, RuleEffect{});
  EXPECT_FALSE(evaluate().rule(EffectKind::kRefuse).valid());
}

TEST_F(RuleBookTest, FirstMatchWinsForEachEffectKind) {
  add(refusing("a", kOperator, {.model = ModelId{2}}));
  const RuleId b = add(with_budget("b", 1ms));
  Rule both = refusing("c");
  both.effect.budget = 2ms;
  const RuleId c = add(both);
  const RuleVerdict verdict = evaluate();
  EXPECT_EQ(verdict.effect.budget, 1ms);
  EXPECT_EQ(verdict.rule(EffectKind::kBudget), b);
  EXPECT_EQ(verdict.effect.refuse, true);
  EXPECT_EQ(verdict.rule(EffectKind::kRefuse), c);
}

TEST_F(RuleBookTest, RulesOfAModelAndOfNoneKeepTheirCommonOrder) {
  add(with_budget("any", 1ms));
  Rule named = with_budget("named", 2ms);
  named.match.model = ModelId{1};
  const RuleId id = add(named);
  EXPECT_EQ(evaluate(1).effect.budget, 1ms);
  EXPECT_TRUE(book.reorder(kOperator, id, 0).ok());
  EXPECT_EQ(evaluate(1).effect.budget, 2ms);
  EXPECT_EQ(evaluate(0).effect.budget, 1ms);
}

TEST_F(RuleBookTest, SparedFromLaterRefusals) {
  Rule spare = refusing("spare");
  spare.effect.refuse = false;
  add(spare);
  add(refusing("all"));
  EXPECT_EQ(evaluate().effect.refuse, false);
}

TEST_F(RuleBookTest, OrderIsByPositionWithinTheScope) {
  add(refusing("x", kAcme));
  add(refusing("b"));
  add(refusing("a"), 0);
  const RuleId c = add(refusing("c"), 99);
  add(refusing("y", kAcme), 0);
  EXPECT_EQ(names(), "abcyx");
  EXPECT_TRUE(book.reorder(kOperator, c, 1).ok());
  EXPECT_EQ(names(), "acbyx");
}

// A tenant can neither touch others' requests nor get before the operator's rules.
TEST_F(RuleBookTest, TenantsRulesSeeTheirOwnRequestsAfterTheOperators) {
  ASSERT_TRUE(book.add(kAcme, with_budget("mine", 5ms, kAcme), 0).ok());
  EXPECT_EQ(evaluate(0, 0).effect.budget, 5ms);
  EXPECT_FALSE(evaluate(0, 1).effect.budget);
  add(with_budget("all", 1ms));
  EXPECT_EQ(evaluate(0, 0).effect.budget, 1ms);
}

TEST_F(RuleBookTest, TenantsChangeTheirOwnRulesOnly) {
  const RuleId mine = add(refusing("mine", kAcme));
  const RuleId operators = add(refusing("all"));
  EXPECT_EQ(book.add(kAcme, refusing("all")).error, RuleError::kNotYours);
  EXPECT_EQ(book.add(kAcme, refusing("theirs", kGuest)).error, RuleError::kNotYours);
  EXPECT_EQ(book.remove(kGuest, mine).error, RuleError::kNoSuchRule);
  EXPECT_EQ(book.remove(kAcme, operators).error, RuleError::kNoSuchRule);
  EXPECT_EQ(book.reorder(kGuest, mine, 0).error, RuleError::kNoSuchRule);
  EXPECT_EQ(book.replace(kAcme, mine, refusing("mine")).error, RuleError::kNotYours);
  EXPECT_TRUE(book.replace(kAcme, mine, with_budget("mine", 1ms, kAcme)).ok());
  EXPECT_TRUE(book.remove(kAcme, mine).ok());
}

TEST_F(RuleBookTest, TenantThatDoesNotExistHasNoRules) {
  const auto scope = RuleScope::of(TenantId{2});
  EXPECT_EQ(book.add(kOperator, refusing("x", scope)).error, RuleError::kNotYours);
}

TEST_F(RuleBookTest, IsBoundedInAllAndForEachTenant) {
  add(refusing("a", kAcme));
  add(refusing("b", kAcme));
  EXPECT_EQ(book.add(kAcme, refusing("c", kAcme)).error, RuleError::kTenantFull);
  for (const char* name : {"c", "d", "e", "f"}) add(refusing(name));
  EXPECT_EQ(book.add(kOperator, refusing("g")).error, RuleError::kFull);
  EXPECT_TRUE(book.remove(kOperator, book.list().front()).ok());
  EXPECT_TRUE(book.add(kOperator, refusing("g")).ok());
}

TEST_F(RuleBookTest, NamesAreUniqueWithinAScope) {
  const RuleId a = add(refusing("a"));
  add(refusing("b"));
  EXPECT_TRUE(book.add(kAcme, refusing("a", kAcme)).ok());
  EXPECT_EQ(book.add(kOperator, refusing("a")).error, RuleError::kNameTaken);
  EXPECT_EQ(book.replace(kOperator, a, refusing("b")).error, RuleError::kNameTaken);
  EXPECT_TRUE(book.replace(kOperator, a, with_budget("a", 1ms)).ok()) << "its own name";
}

TEST_F(RuleBookTest, ReplacedRuleKeepsItsPlaceAndId) {
  const RuleId a = add(with_budget("a", 1ms));
  add(with_budget("b", 2ms));
  EXPECT_EQ(book.replace(kOperator, a, with_budget("c", 3ms)).id, a);
  EXPECT_EQ(names(), "cb");
  EXPECT_EQ(evaluate().effect.budget, 3ms);
}

TEST_F(RuleBookTest, IdOfARemovedRuleNamesNothing) {
  const RuleId gone = add(refusing("a"));
  EXPECT_TRUE(book.remove(kOperator, gone).ok());
  const RuleId next = add(refusing("b"));
  EXPECT_EQ(next.slot, gone.slot);
  EXPECT_EQ(book.find(gone), nullptr);
  EXPECT_EQ(book.remove(kOperator, gone).error, RuleError::kNoSuchRule);
  EXPECT_EQ(book.remove(kOperator, RuleId{}).error, RuleError::kNoSuchRule);
}

TEST_F(RuleBookTest, RefusedChangesLeaveTheBookAsItWas) {
  const RuleId a = add(with_budget("a", 1ms));
  EXPECT_EQ(book.replace(kOperator, a, with_budget("a", -1ms)).error, RuleError::kBadEffect);
  EXPECT_EQ(book.add(kOperator, with_budget("b", 0ms)).error, RuleError::kBadEffect);
  EXPECT_EQ(evaluate().effect.budget, 1ms);
  EXPECT_EQ(book.size(), 1u);
}

TEST_F(RuleBookTest, SaysWhetherLiveFiguresAreNeeded) {
  EXPECT_FALSE(book.needs_figures());
  const RuleId id = add(refusing("a", kOperator, {.error_share_at_least = 0.5}));
  EXPECT_TRUE(book.needs_figures());
  EXPECT_FALSE(evaluate().effect.refuse);
  const RuleSubject subject{.model = ModelId{0}, .tenant = TenantId{0}};
  EXPECT_TRUE(book.evaluate(subject, {.error_share = 0.5}).effect.refuse);
  book.remove(kOperator, id);
  EXPECT_FALSE(book.needs_figures());
}

}  // namespace
}  // namespace sluice::core
