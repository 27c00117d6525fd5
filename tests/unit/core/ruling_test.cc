// R5: rules change what becomes of the requests after them, while the scheduler runs.
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using Said = SteppedScheduler::Said;

Options plain(std::uint32_t models = 1) {
  Options options = small_options(models);
  options.control.reserve.most_share = 0;
  return options;
}

Rule rule(RuleEffect effect, RuleMatch match = {}) {
  return {.name = "a-rule", .match = match, .effect = effect, .reason = "because"};
}

Said add(SteppedScheduler& s, const Rule& rule, RuleScope as = RuleScope::for_operator()) {
  return s.tell(RuleChange{.as = as, .rule = &rule, .position = RuleBook::kAtEnd});
}

TEST(Ruling, SetsThePriorityOfWhatComesLater) {
  SteppedScheduler s(plain());
  s.all_ready();
  Labels labels{.model = ModelId{0}, .tenant = TenantId{0}, .budget = 10s};
  s.submit(1, labels);
  EXPECT_EQ(add(s, rule({.priority = PriorityEffect{PriorityEffect::Kind::kTo, 9}})),
            (Said{"rules changed"}));
  s.submit(2, labels);
  s.finish(1);
  EXPECT_NE(s.dispatched(1).priority, 9);
  EXPECT_EQ(s.dispatched(2).priority, 9);
}

TEST(Ruling, RefusesWithTheRulesName) {
  SteppedScheduler s(plain());
  s.all_ready();
  add(s, rule({.refuse = true}));
  EXPECT_EQ(s.submit(1, asking(5, 10s)), (Said{"finish 1 refused rule_refused"}));
  const Finish& refused = s.finished(1);
  EXPECT_GT(refused.retry_after, Duration::zero());
  ASSERT_NE(s.scheduler().rule(refused.rule), nullptr);
  EXPECT_EQ(s.scheduler().rule(refused.rule)->reason, "because");

  const RuleId id = s.rule_answers().front().id;
  EXPECT_EQ(s.tell(RuleChange{.kind = RuleChange::Kind::kRemove, .id = id}),
            (Said{"rules changed"}));
  EXPECT_EQ(s.submit(2, asking(5, 10s)), (Said{"dispatch 2 to 0"}));
}

TEST(Ruling, LimitsTheRateOfAllThatItMatches) {
  SteppedScheduler s(plain());
  s.all_ready();
  add(s, rule({.rate = RateLimit{.per_s = 10, .burst = 2}}));
  s.submit(1, asking(5, 10s));
  s.submit(2, asking(5, 10s));
  EXPECT_EQ(s.submit(3, asking(5, 10s)), (Said{"finish 3 refused rule_rate_limited"}));
  EXPECT_EQ(s.finished(3).retry_after, 100ms);
  s.advance(100ms);
  EXPECT_EQ(s.submit(4, asking(5, 10s)), (Said{"queued 4"}));
}

TEST(Ruling, RunsASmallerModelInstead) {
  SteppedScheduler s(plain(2));
  s.all_ready();
  add(s, rule({.degrade = ModelId{1}}, {.model = ModelId{0}}));
  s.submit(1, asking(5, 10s, 0));
  EXPECT_EQ(s.dispatched(1).model, ModelId{1});
}

TEST(Ruling, MatchesOnLiveFigures) {
  Options options = plain();
  options.breaker.consecutive_failures = 0;
  options.breaker.failure_share = 2;
  SteppedScheduler s(options);
  s.all_ready();
  add(s, rule({.refuse = true}, {.error_share_at_least = 0.3}));
  std::uint64_t request = 1;
  for (; request < 40; ++request) {
    if (s.submit(request, asking(5, 10s)).back().find("dispatch") == std::string::npos) break;
    s.finish(request, AttemptResult::kBadAnswer);
  }
  EXPECT_EQ(s.finished(request).reason, Reason::kRuleRefused);
}

TEST(Ruling, TenantsRulesTouchTheirOwnRequestsOnly) {
  Options options = plain();
  options.tenants.push_back({.name = "other"});
  SteppedScheduler s(options);
  s.all_ready();
  Rule theirs = rule({.refuse = true});
  theirs.scope = RuleScope::of(TenantId{1});
  EXPECT_EQ(add(s, theirs, RuleScope::of(TenantId{0})),
            (Said{"rules the rule belongs to another scope"}));
  EXPECT_EQ(add(s, theirs, RuleScope::of(TenantId{1})), (Said{"rules changed"}));
  EXPECT_EQ(s.submit(1, asking(5, 10s)), (Said{"dispatch 1 to 0"}));
  Labels labels = asking(5, 10s);
  labels.tenant = TenantId{1};
  EXPECT_EQ(s.submit(2, labels), (Said{"finish 2 refused rule_refused"}));
}

TEST(Ruling, MovesALargeTaskToALessUrgentLane) {
  SteppedScheduler s(plain());
  s.all_ready();
  Labels labels = asking(1, 100s);
  labels.expected_service = 3s;
  s.submit(1, labels);
  EXPECT_EQ(s.dispatched(1).priority, 3);

  Options off = plain();
  off.large_task.reset();
  SteppedScheduler without(off);
  without.all_ready();
  without.submit(1, labels);
  EXPECT_EQ(without.dispatched(1).priority, 1);
}

TEST(Ruling, RulesOfTheOptionsAreInForceFromTheStart) {
  Options options = plain();
  options.rules = {rule({.refuse = true})};
  SteppedScheduler s(options);
  s.all_ready();
  EXPECT_EQ(s.submit(1, asking(5, 10s)), (Said{"finish 1 refused rule_refused"}));
  // And the built-in one behind it.
  EXPECT_EQ(s.scheduler().rules().size(), 2u);
}

}  // namespace
}  // namespace sluice::core
