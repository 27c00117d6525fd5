#include "core/classify/active_rules.h"

#include <algorithm>

#include "base/check.h"

namespace sluice::core {
namespace {

RuleUniverse universe_of(const Options& options) {
  return {.models = static_cast<std::uint32_t>(options.models.size()),
          .tenants = static_cast<std::uint32_t>(options.tenants.size()),
          .task_types = static_cast<std::uint32_t>(options.task_types.size())};
}

}  // namespace

ActiveRules::ActiveRules(const Options& options)
    : book_(options.rule_limits, universe_of(options)),
      buckets_(options.rule_limits.rules, TokenBucket(0, 0, TimePoint{})) {
  const auto add = [&](const Rule& rule) {
    const RuleChange asked{.as = rule.scope, .rule = &rule, .position = RuleBook::kAtEnd};
    SLUICE_CHECK(change(asked, TimePoint{}).ok(), "a rule of the options is not sound");
  };
  for (const Rule& rule : options.rules) add(rule);
  const bool adapts = options.policy.control == Control::kAdaptive;
  if (adapts && options.large_task) add(large_task_rule(*options.large_task));
}

RuleResult ActiveRules::change(const RuleChange& asked, TimePoint now) {
  RuleResult result;
  switch (asked.kind) {
    case RuleChange::Kind::kAdd:
      result = book_.add(asked.as, *asked.rule, asked.position);
      break;
    case RuleChange::Kind::kReplace:
      result = book_.replace(asked.as, asked.id, *asked.rule);
      break;
    case RuleChange::Kind::kRemove:
      return book_.remove(asked.as, asked.id);
    case RuleChange::Kind::kMove:
      return book_.reorder(asked.as, asked.id, asked.position);
  }
  if (!result.ok()) return result;
  const auto& rate = asked.rule->effect.rate;
  if (rate) buckets_[result.id.slot] = TokenBucket(rate->per_s, rate->burst, now);
  return result;
}

std::optional<Duration> ActiveRules::over_rate(RuleId rule, TimePoint now) {
  TokenBucket& bucket = buckets_[rule.slot];
  if (bucket.take(1, now)) return std::nullopt;
  return std::max(bucket.until(1, now), Duration(1));
}

}  // namespace sluice::core
