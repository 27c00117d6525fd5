// The rule book against a list that is searched from front to back: whatever is done to it by
// whomever, the index finds what the list finds.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/classify/rule_book.h"

namespace sluice::core {
namespace {

constexpr std::uint32_t kModels = 3;
constexpr std::uint32_t kTenants = 3;
constexpr RuleLimits kLimits{.rules = 12, .rules_per_tenant = 3};

// At full size always: a small test with below(2) would only ever see 0.
std::uint32_t below(std::uint32_t bound) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint32_t>(0, bound));
}

RuleScope any_scope() {
  const std::uint32_t tenant = below(kTenants + 2);
  return tenant < kTenants ? RuleScope::of(TenantId{tenant}) : RuleScope::for_operator();
}

Rule any_rule() {
  Rule rule{.name = std::to_string(below(30)), .scope = any_scope()};
  if (below(2) == 0) rule.match.model = ModelId{below(kModels)};
  if (below(3) == 0) rule.match.tenant = TenantId{below(kTenants)};
  rule.match.priority_from = static_cast<Priority>(below(4));
  if (below(4) == 0) rule.match.miss_share_at_least = 0.5;
  if (below(2) == 0) rule.effect.budget = Duration(1 + below(1000));
  if (below(2) == 0) rule.effect.refuse = below(2) == 0;
  return rule;
}

// One scope after the other, the operator's first; within a scope by position.
class Model {
 public:
  void add(RuleId id, const Rule& rule, std::size_t position) { insert({id, rule}, position); }
  void replace(RuleId id, const Rule& rule) { find(id)->rule = rule; }
  void remove(RuleId id) { entries_.erase(find(id)); }
  void reorder(RuleId id, std::size_t position) {
    const Entry moved = *find(id);
    remove(id);
    insert(moved, position);
  }
  RuleVerdict evaluate(const RuleSubject& subject, const KindFigures& figures) const {
    RuleVerdict verdict;
    for (const bool operators : {true, false}) {
      for (const auto& [id, rule] : entries_) {
        if (rule.scope.is_operator() != operators) continue;
        if (!operators && rule.scope.tenant != subject.tenant) continue;
        if (!rule.match.matches(subject, figures)) continue;
        say(verdict, verdict.effect.budget, rule.effect.budget, EffectKind::kBudget, id);
        say(verdict, verdict.effect.refuse, rule.effect.refuse, EffectKind::kRefuse, id);
      }
    }
    return verdict;
  }
  std::size_t size() const { return entries_.size(); }
  std::vector<RuleId> ids() const {
    std::vector<RuleId> all;
    for (const Entry& entry : entries_) all.push_back(entry.id);
    return all;
  }

 private:
  struct Entry {
    RuleId id;
    Rule rule;
  };

  template <class T>
  static void say(RuleVerdict& verdict, T& so_far, const T& said, EffectKind kind, RuleId id) {
    if (so_far || !said) return;
    so_far = said;
    verdict.by[static_cast<std::size_t>(kind)] = id;
  }
  std::vector<Entry>::iterator find(RuleId id) {
    return std::find_if(entries_.begin(), entries_.end(),
                        [&](const auto& e) { return e.id == id; });
  }
  void insert(const Entry& entry, std::size_t position) {
    auto at = entries_.begin();
    for (; at != entries_.end(); ++at) {
      if (at->rule.scope != entry.rule.scope) continue;
      if (position-- == 0) break;
    }
    entries_.insert(at, entry);
  }

  std::vector<Entry> entries_;
};

RuleId any_id(const Model& model) {
  auto ids = model.ids();
  ids.push_back(RuleId{below(14), below(3)});  // perhaps one that has been, perhaps one of nothing
  return ids[below(static_cast<std::uint32_t>(ids.size()))];
}

void change(RuleBook& book, Model& model) {
  const RuleScope as = any_scope();
  const std::uint32_t position = below(6);
  const RuleId id = any_id(model);
  const Rule rule = any_rule();
  switch (below(5)) {
    case 0:
    case 1:
      if (const auto done = book.add(as, rule, position); done.ok()) {
        model.add(done.id, rule, position);
      }
      break;
    case 2:
      if (book.replace(as, id, rule).ok()) model.replace(id, rule);
      break;
    case 3:
      if (book.remove(as, id).ok()) model.remove(id);
      break;
    default:
      if (book.reorder(as, id, position).ok()) model.reorder(id, position);
  }
}

void compare(const RuleBook& book, const Model& model) {
  RC_ASSERT(book.size() == model.size());
  RC_ASSERT(book.size() <= kLimits.rules);
  for (std::uint32_t m = 0; m < kModels; ++m) {
    for (std::uint32_t t = 0; t < kTenants; ++t) {
      const RuleSubject subject{
          .model = ModelId{m}, .tenant = TenantId{t}, .priority = static_cast<Priority>(below(5))};
      const KindFigures figures{.miss_share = below(2) == 0 ? 0.0 : 1.0};
      const RuleVerdict found = book.evaluate(subject, figures);
      const RuleVerdict expected = model.evaluate(subject, figures);
      RC_ASSERT((found.effect == expected.effect));
      RC_ASSERT((found.by == expected.by));
    }
  }
}

RC_GTEST_PROP(RuleBookProperty, FindsWhatASearchFromTheFrontFinds, ()) {
  RuleBook book(kLimits, {.models = kModels, .tenants = kTenants, .task_types = 1, .paths = 1});
  Model model;
  const std::uint32_t changes = below(40);
  for (std::uint32_t i = 0; i < changes; ++i) {
    change(book, model);
    compare(book, model);
  }
}

}  // namespace
}  // namespace sluice::core
