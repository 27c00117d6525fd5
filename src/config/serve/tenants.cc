#include <algorithm>

#include "config/serve/sections.h"

namespace sluice::config {
namespace {

Kind<std::uint64_t> priority() {
  return count(0, core::kPriorities - 1);
}

void read_by_lane(Fields& f, core::TenantLimits& out) {
  f.map("waiting", "Most requests waiting, by lane; more is refused", [&](Fields& lanes) {
    for (std::size_t i = 0; i < core::kLanes; ++i) {
      const std::string_view lane = core::kLaneNames[i];
      lanes.optional(lane, count(0, 10'000'000), out.waiting[i],
                     "In the " + std::string(lane) + " lane");
    }
  });
  f.map("waiting_bytes", "Most bytes of bodies waiting, by lane; more is refused",
        [&](Fields& lanes) {
          for (std::size_t i = 0; i < core::kLanes; ++i) {
            const std::string_view lane = core::kLaneNames[i];
            lanes.optional(lane, bytes(0, std::uint64_t{1} << 40), out.waiting_bytes[i],
                           "In the " + std::string(lane) + " lane");
          }
        });
}

void read_limits(Fields& f, core::TenantLimits& out) {
  f.optional("rate", rate(0.001, 1e9), out.rate_rps, "Requests a second");
  f.optional("burst", number(1, 1e9), out.burst, "Requests at once", "what a second brings");
  f.optional("over_rate", one_of<core::OverRate>(core::kOverRateNames), out.over_rate,
             "What happens beyond the rate: refused at once, or dispatched no faster");
  f.optional("concurrency", count(1, 1'000'000), out.concurrency,
             "Requests at replicas at once; more wait");
  f.optional("device_share", share(), out.device_share,
             "Of the device time of all ready slots; more waits");
  if (out.device_share && *out.device_share <= 0) f.fail("device_share", "must be more than 0%");
  read_by_lane(f, out);
}

void read_tenant(Fields& f, core::TenantOptions& out) {
  f.required("name", name(), out.name,
             "As requests name it; \"default\" is who nobody else's requests belong to");
  f.optional("tier", one_of<core::Tier>(core::kTierNames), out.tier, "How important it is");
  f.optional("best_priority", priority(), out.best_priority,
             "The most urgent priority that its requests can reach");
  f.optional("weight", number(0.001, 1000), out.weight,
             "Share of device time against the tenants it competes with, while all have requests "
             "waiting");
  f.optional("reserved_share", share(), out.reserved_share,
             "Of the device time of all ready slots: had before the weights are asked");
  f.map("limits", "What it may have at most",
        [&](Fields& limits) { read_limits(limits, out.limits); });
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
  double reserved = 0;
  for (const core::TenantOptions& tenant : listed) reserved += tenant.reserved_share;
  if (reserved > 1) root.fail("tenants", "reserve more than 100% of the device time together");
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
