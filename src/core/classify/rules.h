// Rules as data (R5): what an operator, or a tenant for its own requests, adds to the table while
// the scheduler runs. A rule matches on labels and on live figures of the task's kind, and has
// effects; see rule_book.h for how they are kept and tried, rule_effects.h for what they do.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "base/id.h"
#include "base/state.h"
#include "base/time.h"
#include "core/classify/live_figures.h"
#include "core/ids.h"
#include "core/labels.h"

namespace sluice::core {

using RuleId = PoolId<struct RuleTag>;

// Whose rule it is, and who asks for a change. Operators' rules see all requests; a tenant's see
// its own only, and are tried after all of the operators'.
struct RuleScope {
  TenantId tenant;  // invalid: the operator

  static constexpr RuleScope for_operator() { return {}; }
  static constexpr RuleScope of(TenantId id) { return {id}; }
  constexpr bool is_operator() const { return !tenant.valid(); }
  constexpr bool operator==(const RuleScope&) const = default;

  SLUICE_STATE(tenant);
};

// What is known of a request when the rules are tried: its classification by labels and table.
struct RuleSubject {
  ModelId model;
  TenantId tenant;
  Tier tier = Tier::kBasic;
  TaskTypeId task_type;
  Realtime realtime = Realtime::kMedium;
  WeightClass weight = WeightClass::kMedium;
  Priority priority = 9;
  std::uint64_t size_bytes = 0;
  Duration predicted_service{0};
};

// All that is given has to hold. Ranges include both ends; "at least" includes the figure itself.
struct RuleMatch {
  std::optional<ModelId> model;
  std::optional<TenantId> tenant;
  std::optional<Tier> tier;
  std::optional<TaskTypeId> task_type;
  std::optional<Realtime> realtime;
  std::optional<WeightClass> weight;
  Priority priority_from = 0;
  Priority priority_to = 9;
  std::uint64_t size_from = 0;
  std::uint64_t size_to = std::numeric_limits<std::uint64_t>::max();
  std::optional<Duration> service_at_least;
  // Of the task's kind (KindFigures); a kind without history has zeros.
  std::optional<double> rate_at_least_per_s;
  std::optional<double> error_share_at_least;
  std::optional<double> miss_share_at_least;

  bool is_live() const {
    return rate_at_least_per_s || error_share_at_least || miss_share_at_least;
  }
  // O(1), a dozen comparisons.
  bool matches(const RuleSubject& subject, const KindFigures& figures) const;

  SLUICE_STATE(model, tenant, tier, task_type, realtime, weight, priority_from, priority_to,
               size_from, size_to, service_at_least, rate_at_least_per_s, error_share_at_least,
               miss_share_at_least);
};

// How a rule changes a priority.
struct PriorityEffect {
  enum class Kind : std::uint8_t {
    kTo,       // this priority; a request that names its own keeps that
    kBySteps,  // this many steps on, whoever set it; negative is more urgent
    kByLanes,  // this many lanes on, to the nearest priority there; negative is more urgent
  };
  Kind kind = Kind::kTo;
  int value = 0;  // kTo: 0..9; kBySteps: −9..9; kByLanes: −2..2; a move is not 0

  bool operator==(const PriorityEffect&) const = default;

  SLUICE_STATE(kind, value);
};

// A token bucket's figures. The bucket itself is kept by whoever takes from it, by RuleId::slot.
struct RateLimit {
  double per_s = 0;  // > 0
  double burst = 1;  // ≥ 1

  bool operator==(const RateLimit&) const = default;

  SLUICE_STATE(per_s, burst);
};

// Every field is an effect kind of its own: for each, the first rule that matches and has it wins.
struct RuleEffect {
  std::optional<PriorityEffect> priority;
  std::optional<Duration> budget;  // > 0; a request that names its own keeps that
  // Labels: say what the request is, whatever it says itself. The table is then asked again.
  std::optional<TaskTypeId> task_type;
  std::optional<Realtime> realtime;
  std::optional<WeightClass> weight;
  std::optional<RateLimit> rate;          // shared by all requests that the rule matches
  std::optional<bool> refuse;             // false: spared from later rules that refuse
  std::optional<ModelId> degrade;         // run by this model instead
  std::optional<PathId> path;             // reroute; operators only
  std::optional<Realtime> service_class;  // of replicas (R26); operators only

  bool operator==(const RuleEffect&) const = default;

  SLUICE_STATE(priority, budget, task_type, realtime, weight, rate, refuse, degrade, path,
               service_class);
};

struct Rule {
  std::string name;  // 1..64 characters, unique in its scope
  RuleScope scope;
  RuleMatch match;
  RuleEffect effect;
  std::string reason;  // told to a caller that is refused, at most 200 characters

  SLUICE_STATE(name, scope, match, effect, reason);
};

// The built-in rule: a task of the high lane that is predicted to take a device for `at_least` goes
// to the lane below. On by default, at a threshold nobody meets by accident: the high lane's
// budgets are about 100 ms, so 2 s hold a slot for twenty of them. Tasks of the other lanes stay
// where they are: seconds are ordinary there (any longer generation takes them).
Rule large_task_rule(Duration at_least = std::chrono::seconds(2));

}  // namespace sluice::core
