// Rules that operators and tenants might have made.
#include <string>

#include "sim/random/parts.h"

namespace sluice::sim {
namespace {

template <class Id, class List>
Id any(Dice& dice, const List& list) {
  return {dice.whole(0, static_cast<std::uint32_t>(list.size()) - 1)};
}

core::RuleMatch draw_match(Dice& dice, const core::Options& options) {
  core::RuleMatch match;
  if (dice.chance(0.3)) match.model = any<core::ModelId>(dice, options.models);
  if (dice.chance(0.2)) match.tier = core::Tier(dice.whole(0, 2));
  if (dice.chance(0.2)) match.realtime = core::Realtime(dice.whole(0, 2));
  if (dice.chance(0.2)) match.weight = core::WeightClass(dice.whole(0, 2));
  if (dice.chance(0.4)) {
    match.priority_from = static_cast<core::Priority>(dice.whole(0, 9));
    match.priority_to = static_cast<core::Priority>(dice.whole(match.priority_from, 9));
  }
  if (dice.chance(0.1)) match.rate_at_least_per_s = dice.log_between(0.1, 50);
  if (dice.chance(0.1)) match.error_share_at_least = dice.between(0, 1);
  if (dice.chance(0.1)) match.miss_share_at_least = dice.between(0, 1);
  return match;
}

core::PriorityEffect draw_priority(Dice& dice) {
  using Kind = core::PriorityEffect::Kind;
  const Kind kind{static_cast<std::uint8_t>(dice.whole(0, 2))};
  if (kind == Kind::kTo) return {kind, static_cast<int>(dice.whole(0, 9))};
  const int most = kind == Kind::kByLanes ? 2 : 4;
  const int by = static_cast<int>(dice.whole(1, static_cast<std::uint32_t>(most)));
  return {kind, dice.chance(0.5) ? by : -by};
}

core::RuleEffect draw_effect(Dice& dice, const core::Options& options, double rate_rps) {
  core::RuleEffect effect;
  // At least one.
  effect.priority = draw_priority(dice);
  if (dice.chance(0.2)) effect.task_type = any<core::TaskTypeId>(dice, options.task_types);
  if (dice.chance(0.2)) effect.realtime = core::Realtime(dice.whole(0, 2));
  if (dice.chance(0.2)) effect.weight = core::WeightClass(dice.whole(0, 2));
  if (dice.chance(0.2)) {
    effect.rate = {.per_s = rate_rps * dice.log_between(0.02, 1), .burst = dice.log_between(1, 50)};
  }
  if (dice.chance(0.1)) effect.refuse = dice.chance(0.7);
  if (dice.chance(0.2)) effect.degrade = any<core::ModelId>(dice, options.models);
  return effect;
}

}  // namespace

core::Rule draw_rule(Dice& dice, const core::Options& options, double rate_rps) {
  core::Rule rule{.name = "rule-" + std::to_string(options.rules.size())};
  if (dice.chance(0.3)) rule.scope = {any<core::TenantId>(dice, options.tenants)};
  rule.match = draw_match(dice, options);
  rule.effect = draw_effect(dice, options, rate_rps);
  return rule;
}

}  // namespace sluice::sim
