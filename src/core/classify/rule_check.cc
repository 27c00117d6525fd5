#include "core/classify/rule_check.h"

#include <cmath>
#include <cstdlib>

namespace sluice::core {
namespace {

template <class Id>
bool known(const std::optional<Id>& id, std::uint32_t count) {
  return !id || id->value < count;
}

bool sane(const std::optional<double>& figure) {
  return !figure || (std::isfinite(*figure) && *figure >= 0);
}

bool match_is_sound(const Rule& rule, const RuleUniverse& universe) {
  const RuleMatch& m = rule.match;
  const bool others = !rule.scope.is_operator() && m.tenant && *m.tenant != rule.scope.tenant;
  return !others && known(m.model, universe.models) && known(m.tenant, universe.tenants) &&
         known(m.task_type, universe.task_types) && m.priority_from <= m.priority_to &&
         m.priority_to < kPriorities && m.size_from <= m.size_to &&
         (!m.service_at_least || *m.service_at_least >= Duration::zero()) &&
         sane(m.rate_at_least_per_s) && sane(m.error_share_at_least) && sane(m.miss_share_at_least);
}

bool priority_is_sound(const PriorityEffect& effect) {
  switch (effect.kind) {
    case PriorityEffect::Kind::kTo:
      return effect.value >= 0 && effect.value < kPriorities;
    case PriorityEffect::Kind::kBySteps:
      return effect.value != 0 && std::abs(effect.value) < kPriorities;
    case PriorityEffect::Kind::kByLanes:
      return effect.value != 0 && std::abs(effect.value) < kLanes;
  }
  return false;
}

bool effect_is_sound(const RuleEffect& e, const RuleUniverse& universe) {
  const bool rate_is_sound = !e.rate || (std::isfinite(e.rate->per_s) && e.rate->per_s > 0 &&
                                         std::isfinite(e.rate->burst) && e.rate->burst >= 1);
  return rate_is_sound && (!e.priority || priority_is_sound(*e.priority)) &&
         (!e.budget || *e.budget > Duration::zero()) && known(e.task_type, universe.task_types) &&
         known(e.degrade, universe.models) && known(e.path, universe.paths);
}

}  // namespace

RuleError check_rule(const Rule& rule, const RuleUniverse& universe) {
  if (rule.name.empty() || rule.name.size() > 64 || rule.reason.size() > 200) {
    return RuleError::kBadName;
  }
  if (rule.effect == RuleEffect{}) return RuleError::kNoEffect;
  if (!match_is_sound(rule, universe)) return RuleError::kBadMatch;
  if (!effect_is_sound(rule.effect, universe)) return RuleError::kBadEffect;
  const bool reserved = rule.effect.path || rule.effect.service_class;
  if (reserved && !rule.scope.is_operator()) return RuleError::kOperatorsOnly;
  return RuleError::kNone;
}

}  // namespace sluice::core
