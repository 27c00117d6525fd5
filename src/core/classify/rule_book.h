// The rules in force (R5), and the four ways to change them while requests come in.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/state.h"
#include "core/classify/rules.h"

namespace sluice::core {

// Why a change was not made. The book is then as it was.
enum class RuleError : std::uint8_t {
  kNone,
  kFull,
  kTenantFull,
  kNoSuchRule,
  kNotYours,
  kNameTaken,
  kBadName,
  kNoEffect,
  kBadMatch,
  kBadEffect,
  kOperatorsOnly,
};
inline constexpr std::array<std::string_view, 11> kRuleErrorTexts{
    "",
    "the rule book is full: remove a rule first",
    "the tenant has as many rules as it may have: remove one first",
    "there is no such rule; it may have been removed",
    "the rule belongs to another scope",
    "another rule of this scope has that name",
    "a rule's name has 1 to 64 characters, its reason at most 200",
    "the rule has no effect: name at least one",
    "the match names something unknown, an empty range, or a figure that is negative or no number",
    "the effect names something unknown or a value out of its range",
    "path and service class can be set by the operator's rules only",
};
constexpr std::string_view to_string(RuleError e) {
  return kRuleErrorTexts[static_cast<std::size_t>(e)];
}

// Of add: the new rule's id. Of the others: the id that was given.
struct RuleResult {
  RuleError error = RuleError::kNone;
  RuleId id;

  bool ok() const { return error == RuleError::kNone; }
};

enum class EffectKind : std::uint8_t {
  kPriority,
  kBudget,
  kTaskType,
  kRealtime,
  kWeight,
  kRate,
  kRefuse,
  kDegrade,
  kPath,
  kServiceClass,
};
inline constexpr std::size_t kEffectKinds = 10;

// What the rules say of one request.
struct RuleVerdict {
  RuleEffect effect;
  // Which rule said it, by effect kind, for the record; invalid where none did.
  std::array<RuleId, kEffectKinds> by{};
  bool any = false;  // some rule matched

  RuleId rule(EffectKind kind) const { return by[static_cast<std::size_t>(kind)]; }
};

struct RuleLimits {
  std::uint32_t rules = 256;  // in all
  std::uint32_t rules_per_tenant = 16;
};

// How many there are of what rules may name.
struct RuleUniverse {
  std::uint32_t models = 0;
  std::uint32_t tenants = 0;
  std::uint32_t task_types = 0;
  std::uint32_t paths = 0;
};

// Order: the operator's rules first, then the tenants', each scope in its own order. So a tenant
// can neither hide a rule of the operator nor touch anybody else's requests.
//
// `as` is who asks: the operator may change every rule, a tenant its own. A changed book holds for
// the requests after it; those that wait keep what they were given.
class RuleBook {
 public:
  static constexpr std::uint32_t kAtEnd = UINT32_MAX;

  RuleBook(const RuleLimits& limits, const RuleUniverse& universe);

  // `position` counts within the rule's scope; beyond the end is the end. All four: O(rules), and
  // they may allocate.
  RuleResult add(const RuleScope& as, Rule rule, std::uint32_t position = kAtEnd);
  // Keeps id and position. The rule's scope cannot be changed.
  RuleResult replace(const RuleScope& as, RuleId id, Rule rule);
  RuleResult remove(const RuleScope& as, RuleId id);
  RuleResult reorder(const RuleScope& as, RuleId id, std::uint32_t position);

  // Tries the rules in order; for each effect kind the first that matches and has it wins.
  // Allocates nothing. Looks only at the operator's rules that name the subject's model or none,
  // and at its own tenant's: rules for other models and other tenants cost nothing, so at most
  // (operator's rules of this model or none) + rules_per_tenant are tried.
  RuleVerdict evaluate(const RuleSubject& subject, const KindFigures& figures) const;

  // Whether any rule looks at live figures: else they need not be made for evaluate().
  bool needs_figures() const { return live_rules_ > 0; }

  // Null when the rule has been removed.
  const Rule* find(RuleId id) const;
  // In the order of evaluation.
  std::vector<RuleId> list() const;
  std::size_t size() const { return order_.size(); }

  // For snapshots (base/state.h).
  template <class Self, class Archive>
  static void visit_state(Self& self, Archive& archive) {
    auto& [limits, universe, entries, order, any_model, by_model, by_tenant, live_rules] = self;
    archive(entries, order, any_model, by_model, by_tenant, live_rules);
  }

 private:
  using Slot = std::uint16_t;
  struct Entry {
    std::optional<Rule> rule;
    std::uint32_t generation = 0;

    SLUICE_STATE(rule, generation);
  };

  RuleError check(const RuleScope& as, const Rule& rule, RuleId replaced) const;
  RuleError check_room(const RuleScope& scope) const;
  RuleError check_access(const RuleScope& as, RuleId id) const;
  bool name_taken(const Rule& rule, RuleId except) const;
  const Rule& rule(Slot slot) const { return *entries_[slot].rule; }
  void place(Slot slot, std::uint32_t position);
  void rebuild_index();
  void consider(Slot slot, const RuleSubject& subject, const KindFigures& figures,
                RuleVerdict& verdict) const;

  RuleLimits limits_;
  RuleUniverse universe_;
  std::vector<Entry> entries_;  // by slot
  std::vector<Slot> order_;     // of evaluation

  // Made from order_: positions in it, rising.
  std::vector<Slot> any_model_;              // the operator's rules that name no model
  std::vector<std::vector<Slot>> by_model_;  // the operator's rules for a model
  std::vector<std::vector<Slot>> by_tenant_;
  std::uint32_t live_rules_ = 0;
};

}  // namespace sluice::core
