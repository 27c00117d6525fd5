#include "core/classify/rules.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

RuleSubject subject() {
  return {.model = ModelId{1},
          .tenant = TenantId{2},
          .tier = Tier::kPremium,
          .task_type = TaskTypeId{3},
          .realtime = Realtime::kHigh,
          .weight = WeightClass::kHeavy,
          .priority = 4,
          .size_bytes = 1000,
          .predicted_service = 50ms};
}

constexpr KindFigures kFigures{.rate_per_s = 100, .error_share = 0.1, .miss_share = 0.2};

TEST(RuleMatch, EmptyMatchTakesAll) {
  EXPECT_TRUE(RuleMatch{}.matches(subject(), kFigures));
  EXPECT_FALSE(RuleMatch{}.is_live());
}

// Each condition by itself: one that holds to the edge, one that fails by the least.
TEST(RuleMatch, EveryConditionCounts) {
  struct Case {
    RuleMatch holds;
    RuleMatch fails;
  };
  const std::vector<Case> cases{
      {{.model = ModelId{1}}, {.model = ModelId{0}}},
      {{.tenant = TenantId{2}}, {.tenant = TenantId{1}}},
      {{.tier = Tier::kPremium}, {.tier = Tier::kBasic}},
      {{.task_type = TaskTypeId{3}}, {.task_type = TaskTypeId{4}}},
      {{.realtime = Realtime::kHigh}, {.realtime = Realtime::kMedium}},
      {{.weight = WeightClass::kHeavy}, {.weight = WeightClass::kLight}},
      {{.priority_from = 4}, {.priority_from = 5}},
      {{.priority_to = 4}, {.priority_to = 3}},
      {{.size_from = 1000}, {.size_from = 1001}},
      {{.size_to = 1000}, {.size_to = 999}},
      {{.service_at_least = 50ms}, {.service_at_least = 50ms + 1ns}},
      {{.rate_at_least_per_s = 100}, {.rate_at_least_per_s = 100.1}},
      {{.error_share_at_least = 0.1}, {.error_share_at_least = 0.11}},
      {{.miss_share_at_least = 0.2}, {.miss_share_at_least = 0.21}},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_TRUE(cases[i].holds.matches(subject(), kFigures)) << i;
    EXPECT_FALSE(cases[i].fails.matches(subject(), kFigures)) << i;
  }
}

TEST(RuleMatch, AllConditionsHaveToHold) {
  const RuleMatch both{.model = ModelId{1}, .tier = Tier::kBasic};
  EXPECT_FALSE(both.matches(subject(), kFigures));
}

TEST(LargeTaskRule, TakesLargeTasksOfTheHighLaneOnly) {
  const Rule rule = large_task_rule();
  RuleSubject task = subject();
  task.priority = 2;
  EXPECT_FALSE(rule.match.matches(task, {}));
  task.predicted_service = 2s;
  EXPECT_TRUE(rule.match.matches(task, {}));
  task.priority = 3;
  EXPECT_FALSE(rule.match.matches(task, {}));
}

}  // namespace
}  // namespace sluice::core
