// tenants and tenant_limits. A tenant is declared under `tenants`, or by a share of the traffic.
#include <algorithm>

#include "sim/file/kinds.h"
#include "sim/file/names.h"
#include "sim/file/sections.h"

namespace sluice::sim {
namespace {

using config::Fields;

// A tenant called like a tier is of it.
core::Tier tier_named(std::string_view name) {
  const auto found = std::find(core::kTierNames.begin(), core::kTierNames.end(), name);
  return found == core::kTierNames.end()
             ? core::Tier::kBasic
             : static_cast<core::Tier>(found - core::kTierNames.begin());
}

std::size_t declare(std::vector<Tenant>& tenants, const std::string& name) {
  const auto found = std::find_if(tenants.begin(), tenants.end(),
                                  [&](const Tenant& tenant) { return tenant.name == name; });
  const auto position = static_cast<std::size_t>(found - tenants.begin());
  if (found == tenants.end()) {
    tenants.push_back({.name = name, .tier = tier_named(name), .limit = {}});
  }
  return position;
}

void read_limit(Fields& f, TenantLimit& limit) {
  f.required("rate", config::number(1e-3, 1e7), limit.rate_rps, "Requests a second");
  f.optional("burst_s", seconds_number(Duration::zero(), std::chrono::hours(1)), limit.burst,
             "Size of the bucket, as a time at that rate");
}

}  // namespace

void declare_tenants(const Fields& weights, Scenario& out) {
  for (const std::string& name : free_names(weights, "<tenant>")) declare(out.tenants, name);
}

void read_tenants(Fields& root, Scenario& out) {
  root.map("tenants", "Who sends, by name", [&](Fields& f) {
    for (const std::string& name : free_names(f, "<tenant>")) {
      Tenant& tenant = out.tenants[declare(out.tenants, name)];
      f.map(name, "One tenant", [&](Fields& t) {
        t.optional("tier", config::one_of<core::Tier>(core::kTierNames), tenant.tier,
                   "Its service class; a tenant called like a tier is of that, unless this says "
                   "otherwise");
      });
    }
  });
}

void read_tenant_limits(Fields& root, Scenario& out) {
  root.map("tenant_limits", "For policies that have limits", [&](Fields& f) {
    const auto names = names_of(out.tenants);
    for (const std::string& name : f.free_keys("<tenant>")) {
      TenantLimit limit{.rate_rps = 0, .burst = std::chrono::seconds(1)};
      f.map(name, "A token bucket", [&](Fields& l) { read_limit(l, limit); });
      if (const auto t = index_named(f, name, names, name, "tenant")) out.tenants[*t].limit = limit;
    }
  });
}

}  // namespace sluice::sim
