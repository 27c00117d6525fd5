#include "core/classify/rule_book.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "core/classify/rule_check.h"

namespace sluice::core {
namespace {

// Takes the effect of a kind unless an earlier rule had one.
template <class T>
void take(std::optional<T>& so_far, const std::optional<T>& said, EffectKind kind, RuleId by,
          RuleVerdict& verdict) {
  if (so_far || !said) return;
  so_far = said;
  verdict.by[static_cast<std::size_t>(kind)] = by;
}

void merge(const RuleEffect& said, RuleId by, RuleVerdict& verdict) {
  RuleEffect& all = verdict.effect;
  take(all.priority, said.priority, EffectKind::kPriority, by, verdict);
  take(all.budget, said.budget, EffectKind::kBudget, by, verdict);
  take(all.task_type, said.task_type, EffectKind::kTaskType, by, verdict);
  take(all.realtime, said.realtime, EffectKind::kRealtime, by, verdict);
  take(all.weight, said.weight, EffectKind::kWeight, by, verdict);
  take(all.rate, said.rate, EffectKind::kRate, by, verdict);
  take(all.refuse, said.refuse, EffectKind::kRefuse, by, verdict);
  take(all.degrade, said.degrade, EffectKind::kDegrade, by, verdict);
  take(all.path, said.path, EffectKind::kPath, by, verdict);
  take(all.service_class, said.service_class, EffectKind::kServiceClass, by, verdict);
}

}  // namespace

RuleBook::RuleBook(const RuleLimits& limits, const RuleUniverse& universe)
    : limits_(limits),
      universe_(universe),
      entries_(limits.rules),
      by_model_(universe.models),
      by_tenant_(universe.tenants) {
  SLUICE_CHECK(limits.rules <= UINT16_MAX, "rules are few");
  order_.reserve(limits.rules);
}

RuleResult RuleBook::add(const RuleScope& as, Rule rule, std::uint32_t position) {
  if (const auto error = check(as, rule, RuleId{}); error != RuleError::kNone) return {error, {}};
  if (const auto error = check_room(rule.scope); error != RuleError::kNone) return {error, {}};
  const auto free = std::find_if(entries_.begin(), entries_.end(),
                                 [](const Entry& entry) { return !entry.rule; });
  const auto slot = static_cast<Slot>(free - entries_.begin());
  free->rule = std::move(rule);
  ++free->generation;
  place(slot, position);
  rebuild_index();
  return {RuleError::kNone, {slot, free->generation}};
}

RuleResult RuleBook::replace(const RuleScope& as, RuleId id, Rule rule) {
  if (const auto error = check_access(as, id); error != RuleError::kNone) return {error, id};
  if (rule.scope != find(id)->scope) return {RuleError::kNotYours, id};
  if (const auto error = check(as, rule, id); error != RuleError::kNone) return {error, id};
  entries_[id.slot].rule = std::move(rule);
  rebuild_index();
  return {RuleError::kNone, id};
}

RuleResult RuleBook::remove(const RuleScope& as, RuleId id) {
  if (const auto error = check_access(as, id); error != RuleError::kNone) return {error, id};
  entries_[id.slot].rule.reset();
  std::erase(order_, static_cast<Slot>(id.slot));
  rebuild_index();
  return {RuleError::kNone, id};
}

RuleResult RuleBook::reorder(const RuleScope& as, RuleId id, std::uint32_t position) {
  if (const auto error = check_access(as, id); error != RuleError::kNone) return {error, id};
  std::erase(order_, static_cast<Slot>(id.slot));
  place(static_cast<Slot>(id.slot), position);
  rebuild_index();
  return {RuleError::kNone, id};
}

RuleError RuleBook::check(const RuleScope& as, const Rule& rule, RuleId replaced) const {
  if (!as.is_operator() && as != rule.scope) return RuleError::kNotYours;
  if (!rule.scope.is_operator() && rule.scope.tenant.value >= universe_.tenants) {
    return RuleError::kNotYours;
  }
  if (const auto error = check_rule(rule, universe_); error != RuleError::kNone) return error;
  return name_taken(rule, replaced) ? RuleError::kNameTaken : RuleError::kNone;
}

RuleError RuleBook::check_room(const RuleScope& scope) const {
  if (order_.size() >= limits_.rules) return RuleError::kFull;
  const bool full =
      !scope.is_operator() && by_tenant_[scope.tenant.value].size() >= limits_.rules_per_tenant;
  return full ? RuleError::kTenantFull : RuleError::kNone;
}

RuleError RuleBook::check_access(const RuleScope& as, RuleId id) const {
  const Rule* const rule = find(id);
  if (rule == nullptr) return RuleError::kNoSuchRule;
  // To a tenant, a rule of somebody else's does not exist.
  if (!as.is_operator() && as != rule->scope) return RuleError::kNoSuchRule;
  return RuleError::kNone;
}

bool RuleBook::name_taken(const Rule& wanted, RuleId except) const {
  return std::any_of(order_.begin(), order_.end(), [&](Slot slot) {
    return slot != except.slot && rule(slot).scope == wanted.scope &&
           rule(slot).name == wanted.name;
  });
}

// Puts the slot at this position among those of its scope. Scopes lie one after the other in
// order_, the operator's first.
void RuleBook::place(Slot slot, std::uint32_t position) {
  const RuleScope scope = rule(slot).scope;
  const auto same_scope = [&](Slot other) { return rule(other).scope == scope; };
  auto first = std::find_if(order_.begin(), order_.end(), same_scope);
  if (first == order_.end() && scope.is_operator()) first = order_.begin();
  const auto last = std::find_if_not(first, order_.end(), same_scope);
  const auto offset = std::min<std::ptrdiff_t>(position, last - first);
  order_.insert(first + offset, slot);
}

void RuleBook::rebuild_index() {
  any_model_.clear();
  for (auto& positions : by_model_) positions.clear();
  for (auto& positions : by_tenant_) positions.clear();
  live_rules_ = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Rule& each = rule(order_[i]);
    const auto position = static_cast<Slot>(i);
    live_rules_ += each.match.is_live();
    if (!each.scope.is_operator()) {
      by_tenant_[each.scope.tenant.value].push_back(position);
    } else if (each.match.model) {
      by_model_[each.match.model->value].push_back(position);
    } else {
      any_model_.push_back(position);
    }
  }
}

RuleVerdict RuleBook::evaluate(const RuleSubject& subject, const KindFigures& figures) const {
  RuleVerdict verdict;
  if (order_.empty()) return verdict;
  // Two rising lists, walked as one.
  const auto& for_model = by_model_[subject.model.value];
  auto a = any_model_.begin();
  auto b = for_model.begin();
  while (a != any_model_.end() || b != for_model.end()) {
    const bool from_a = b == for_model.end() || (a != any_model_.end() && *a < *b);
    consider(order_[from_a ? *a++ : *b++], subject, figures, verdict);
  }
  for (const Slot position : by_tenant_[subject.tenant.value]) {
    consider(order_[position], subject, figures, verdict);
  }
  return verdict;
}

void RuleBook::consider(Slot slot, const RuleSubject& subject, const KindFigures& figures,
                        RuleVerdict& verdict) const {
  const Rule& candidate = rule(slot);
  if (!candidate.match.matches(subject, figures)) return;
  verdict.any = true;
  merge(candidate.effect, {slot, entries_[slot].generation}, verdict);
}

const Rule* RuleBook::find(RuleId id) const {
  if (id.slot >= entries_.size()) return nullptr;
  const Entry& entry = entries_[id.slot];
  return entry.rule && entry.generation == id.generation ? &*entry.rule : nullptr;
}

std::vector<RuleId> RuleBook::list() const {
  std::vector<RuleId> ids;
  ids.reserve(order_.size());
  for (const Slot slot : order_) ids.push_back({slot, entries_[slot].generation});
  return ids;
}

}  // namespace sluice::core
