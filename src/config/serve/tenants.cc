#include <algorithm>

#include "config/serve/sections.h"

namespace sluice::config {
namespace {

Kind<std::uint64_t> priority() {
  return count(0, core::kPriorities - 1);
}

void read_tenant(Fields& f, core::TenantOptions& out) {
  f.required("name", name(), out.name,
             "As requests name it; \"default\" is who nobody else's requests belong to");
  f.optional("tier", one_of<core::Tier>(core::kTierNames), out.tier, "How important it is");
  f.optional("best_priority", priority(), out.best_priority,
             "The most urgent priority that its requests can reach");
}

void read_rule(Fields& f, core::PriorityRule& out) {
  f.optional("realtime", or_word(one_of<core::Realtime>(core::kRealtimeNames), "*"), out.realtime,
             "Of the request or its model");
  f.optional("weight", or_word(one_of<core::WeightClass>(core::kWeightClassNames), "*"), out.weight,
             "Of the request or its model");
  f.optional("tier", or_word(one_of<core::Tier>(core::kTierNames), "*"), out.tier, "Of the tenant");
  f.required("priority", priority(), out.priority, "Of requests that match; 0 is most urgent");
}

}  // namespace

void read_tenants(Fields& root, core::Options& out) {
  std::vector<core::TenantOptions> listed;
  root.list("tenants", listed, false, "Who sends requests",
            [&](Fields& f, core::TenantOptions& tenant) {
              read_tenant(f, tenant);
              const auto same = [&](const auto& other) { return other.name == tenant.name; };
              if (std::any_of(listed.begin(), listed.end(), same)) {
                f.fail("name", "another tenant is called " + tenant.name);
              }
            });
  for (core::TenantOptions& tenant : listed) {
    if (tenant.name == out.tenants.front().name) {
      out.tenants.front() = std::move(tenant);
    } else {
      out.tenants.push_back(std::move(tenant));
    }
  }
}

void read_priorities(Fields& root, core::PriorityTable& out) {
  std::vector<core::PriorityRule> rules;
  root.list("priorities", rules, false,
            "Changes of the built-in priority table, later ones over earlier ones; a more urgent "
            "realtime level or tier must not get a less urgent priority",
            read_rule);
  for (const core::PriorityRule& rule : rules) out.apply(rule);
  const auto violations = out.violations();
  if (!violations.empty()) root.fail("priorities", violations.front());
}

}  // namespace sluice::config
