// rules (R5) and the built-in one.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "config/serve/sections.h"
#include "core/classify/rule_book.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

Kind<std::uint64_t> priority() {
  return count(0, core::kPriorities - 1);
}

template <class Id, class Items, class NameOf>
void resolve(Fields& f, std::string_view key, const std::optional<std::string>& written,
             const Items& items, NameOf name_of, std::optional<Id>& out) {
  if (!written) return;
  const auto found = std::find_if(items.begin(), items.end(),
                                  [&](const auto& item) { return name_of(item) == *written; });
  if (found == items.end()) return f.fail(key, "names nothing that there is: " + *written);
  out = Id{static_cast<std::uint32_t>(found - items.begin())};
}

const auto kNameOf = [](const auto& item) -> const std::string& { return item.name; };
const auto kItself = [](const std::string& item) -> const std::string& { return item; };

void read_labels_of(Fields& f, core::RuleMatch& out, const core::Options& core) {
  std::optional<std::string> model;
  std::optional<std::string> tenant;
  std::optional<std::string> task_type;
  f.optional("model", name(), model, "Asked for", "any");
  f.optional("tenant", name(), tenant, "Who asks", "any");
  f.optional("tier", one_of<core::Tier>(core::kTierNames), out.tier, "Of the tenant", "any");
  f.optional("task_type", name(), task_type, "Of the request or its model", "any");
  f.optional("realtime", one_of<core::Realtime>(core::kRealtimeNames), out.realtime,
             "Of the request or its model", "any");
  f.optional("weight", one_of<core::WeightClass>(core::kWeightClassNames), out.weight,
             "Of the request or its model", "any");
  resolve(f, "model", model, core.models, kNameOf, out.model);
  resolve(f, "tenant", tenant, core.tenants, kNameOf, out.tenant);
  resolve(f, "task_type", task_type, core.task_types, kItself, out.task_type);
}

void read_match(Fields& f, core::RuleMatch& out, const core::Options& core) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 50;
  read_labels_of(f, out, core);
  f.optional("priority_from", priority(), out.priority_from, "Most urgent priority, before rules");
  f.optional("priority_to", priority(), out.priority_to, "Least urgent priority, before rules");
  if (out.priority_from > out.priority_to) f.fail("priority_from", "is beyond priority_to");
  std::optional<std::uint64_t> size_to;
  f.optional("size_from", bytes(0, kMost), out.size_from, "Smallest body");
  f.optional("size_to", bytes(0, kMost), size_to, "Largest body", "any");
  if (size_to && *size_to < out.size_from) f.fail("size_to", "is below size_from");
  if (size_to) out.size_to = *size_to;
  f.optional("service_at_least", duration(1us, 24h), out.service_at_least, "Predicted service time",
             "any");
  f.optional("rate_at_least", rate(0, 1e9), out.rate_at_least_per_s,
             "Requests a second of its task type, of late", "any");
  f.optional("error_share_at_least", share(), out.error_share_at_least,
             "Failed by a fault of a replica, of late, of its task type", "any");
  f.optional("miss_share_at_least", share(), out.miss_share_at_least,
             "Not answered in budget, of late, of its task type", "any");
}

// A whole number other than 0, either way.
void read_move(Fields& f, std::string_view key, int most, core::PriorityEffect::Kind kind,
               std::string_view text, std::optional<core::PriorityEffect>& out) {
  std::optional<double> steps;
  f.optional(key, number(-most, most), steps, text);
  if (!steps) return;
  if (*steps == 0 || *steps != std::floor(*steps)) f.fail(key, "must be a whole number, not 0");
  if (out) f.fail(key, "stands beside another change of the priority; write one of them");
  out = core::PriorityEffect{kind, static_cast<int>(*steps)};
}

void read_rate_limit(Fields& f, core::RuleEffect& out) {
  std::optional<double> per_s;
  std::optional<double> burst;
  f.optional("rate", rate(0.001, 1e9), per_s, "Most requests a second of all that it matches");
  f.optional("burst", number(1, 1e9), burst, "Of them at once", "what a second brings");
  if (burst && !per_s) f.fail("burst", "says nothing without rate");
  if (per_s) out.rate = core::RateLimit{*per_s, burst.value_or(std::max(*per_s, 1.0))};
}

void read_effect(Fields& f, core::RuleEffect& out, const core::Options& core) {
  using Kind = core::PriorityEffect::Kind;
  std::optional<core::Priority> to;
  f.optional("priority", priority(), to, "Unless the request names one itself");
  if (to) out.priority = core::PriorityEffect{Kind::kTo, *to};
  read_move(f, "priority_steps", core::kPriorities - 1, Kind::kBySteps,
            "Less urgent by so many; negative: more urgent", out.priority);
  read_move(f, "lanes", core::kLanes - 1, Kind::kByLanes, "Down by so many lanes; negative: up",
            out.priority);
  f.optional("budget", duration(1ms, 24h), out.budget, "Unless the request names one itself");
  std::optional<std::string> task_type;
  std::optional<std::string> degrade_to;
  f.optional("task_type", name(), task_type, "Whatever the request says");
  f.optional("realtime", one_of<core::Realtime>(core::kRealtimeNames), out.realtime,
             "Whatever the request says");
  f.optional("weight", one_of<core::WeightClass>(core::kWeightClassNames), out.weight,
             "Whatever the request says");
  read_rate_limit(f, out);
  f.optional("refuse", flag(), out.refuse, "With no: later rules do not refuse it either");
  f.optional("degrade_to", name(), degrade_to, "The model that answers instead");
  resolve(f, "task_type", task_type, core.task_types, kItself, out.task_type);
  resolve(f, "degrade_to", degrade_to, core.models, kNameOf, out.degrade);
}

void read_rule(Fields& f, core::Rule& out, const core::Options& core) {
  std::optional<std::string> tenant;
  std::optional<core::TenantId> owner;
  f.required("name", name(), out.name, "By which it is known in logs and answers");
  f.optional("tenant", name(), tenant,
             "Whose rule it is: it then sees that tenant's requests alone", "the operator's");
  f.optional("reason", text(), out.reason, "Told to a caller that is refused");
  f.map("match", "All that is given has to hold",
        [&](Fields& match) { read_match(match, out.match, core); });
  f.map("effect", "For each of them the first rule that matches and has it wins",
        [&](Fields& effect) { read_effect(effect, out.effect, core); });
  resolve(f, "tenant", tenant, core.tenants, kNameOf, owner);
  if (owner) out.scope = core::RuleScope::of(*owner);
}

}  // namespace

void read_rules(Fields& root, core::Options& out) {
  core::RuleBook book(out.rule_limits,
                      {.models = static_cast<std::uint32_t>(out.models.size()),
                       .tenants = static_cast<std::uint32_t>(out.tenants.size()),
                       .task_types = static_cast<std::uint32_t>(out.task_types.size())});
  root.list("rules", out.rules, false,
            "Tried on each request in this order, the operator's before the tenants'; they change "
            "what becomes of it",
            [&](Fields& f, core::Rule& rule) {
              read_rule(f, rule, out);
              const core::RuleResult added = book.add(rule.scope, rule);
              if (!added.ok()) f.fail("name", core::to_string(added.error));
            });
  root.optional("large_task", or_word(duration(1ms, 24h), "never"), out.large_task,
                "A request of the high lane that is predicted to take a replica for so long goes "
                "to the lane below");
}

}  // namespace sluice::config
