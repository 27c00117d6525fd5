#include "config/summary.h"

#include <array>

#include <fmt/format.h>

#include "config/replica_summary.h"
#include "config/residency_summary.h"
#include "config/summary_words.h"
#include "config/text_table.h"
#include "config/units.h"

namespace sluice::config {
namespace {

// The 27 cells: rows by realtime level and weight class, columns by tier.
std::string priorities(const core::PriorityTable& table) {
  std::vector<TextRow> rows{{"realtime", "weight", "vip", "premium", "basic"}};
  for (int r = 0; r < core::kRealtimes; ++r) {
    for (int w = 0; w < core::kWeightClasses; ++w) {
      TextRow& row = rows.emplace_back(
          TextRow{name_of(core::kRealtimeNames, r), name_of(core::kWeightClassNames, w)});
      for (int t = 0; t < core::kTiers; ++t) {
        const int cell = table.at(core::Realtime(r), core::WeightClass(w), core::Tier(t));
        row.push_back(std::to_string(cell));
      }
    }
  }
  return "Priorities (0 is most urgent; lane high: 0 to 2, latency: 3 to 6, low: 7 to 9)\n" +
         format_table(rows);
}

std::string lanes(const core::Options& core) {
  std::vector<TextRow> rows{{"name", "weight", "capacity", "bytes", "longest wait", "budget"}};
  for (std::size_t i = 0; i < core::kLanes; ++i) {
    const core::LaneOptions& lane = core.lanes[i];
    rows.push_back({std::string(core::kLaneNames[i]), format_number(lane.weight),
                    format_count(lane.capacity), format_bytes(lane.capacity_bytes),
                    format_duration(lane.max_age), format_duration(lane.budget)});
  }
  return "Lanes\n" + format_table(rows);
}

// As the classifier decides it for a request without labels.
Duration budget_of(const core::ModelOptions& model, core::Tier tier, const core::Options& core) {
  if (model.budget) return *model.budget;
  const auto& by_level = core.realtime_budget[static_cast<std::size_t>(model.realtime)];
  const auto lane = core::lane_of(core.priorities.at(model.realtime, model.weight, tier));
  return by_level.value_or(core.lanes[static_cast<std::size_t>(lane)].budget);
}

std::size_t replicas_of(core::ModelId model, const core::Options& core) {
  std::size_t replicas = 0;
  for (const core::NodeOptions& node : core.nodes) {
    for (const core::ModelId served : node.models) replicas += served == model ? 1 : 0;
  }
  return replicas;
}

std::string models(const core::Options& core) {
  std::vector<TextRow> rows{
      {"name", "task type", "weight", "realtime", "budget", "expected", "replicas"}};
  for (std::uint32_t i = 0; i < core.models.size(); ++i) {
    const core::ModelOptions& model = core.models[i];
    const Duration prior = core.predictor.prior[static_cast<std::size_t>(model.weight)];
    rows.push_back({model.name, core.task_types[model.task_type.value],
                    name_of(core::kWeightClassNames, model.weight),
                    name_of(core::kRealtimeNames, model.realtime),
                    format_duration(budget_of(model, core.tenants.front().tier, core)),
                    format_duration(model.expected_service.value_or(prior)),
                    std::to_string(replicas_of({i}, core))});
  }
  return "Models (for requests without labels)\n" + format_table(rows);
}

// "high 5, low 10"
template <class T, class Format>
std::string by_lane(const std::array<std::optional<T>, core::kLanes>& limits, Format format) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (limits[i]) parts.push_back(fmt::format("{} {}", core::kLaneNames[i], format(*limits[i])));
  }
  return parts.empty() ? "-" : join(parts);
}

std::string rate_of(const core::TenantLimits& limits) {
  if (!limits.rate_rps) return "-";
  return fmt::format("{:g}/s, {:g} at once, then {}", *limits.rate_rps,
                     limits.burst.value_or(std::max(*limits.rate_rps, 1.0)),
                     name_of(core::kOverRateNames, limits.over_rate));
}

std::string tenants(const core::Options& core) {
  const auto percent = [](double share) { return fmt::format("{:g}%", 100 * share); };
  const auto number = [](auto n) { return std::to_string(n); };
  std::vector<TextRow> rows{{"name", "tier", "best priority", "weight", "reserved", "rate",
                             "concurrency", "device share", "waiting", "waiting bytes"}};
  for (const core::TenantOptions& tenant : core.tenants) {
    const core::TenantLimits& limits = tenant.limits;
    rows.push_back({tenant.name, name_of(core::kTierNames, tenant.tier),
                    std::to_string(tenant.best_priority), fmt::format("{:g}", tenant.weight),
                    tenant.reserved_share > 0 ? percent(tenant.reserved_share) : "-",
                    rate_of(limits), or_else(limits.concurrency, number, "-"),
                    or_else(limits.device_share, percent, "-"), by_lane(limits.waiting, number),
                    by_lane(limits.waiting_bytes, format_bytes)});
  }
  return "Tenants (the first is everybody else)\n" + format_table(rows);
}

std::string policy(const core::Policy& policy) {
  return fmt::format("Policy {}\n", policy.name) +
         format_table({{"ordering", name_of(core::kOrderingNames, policy.ordering)},
                       {"lane service", name_of(core::kLaneServiceNames, policy.lane_service)},
                       {"fairness", name_of(core::kFairnessNames, policy.fairness)},
                       {"binding", name_of(core::kBindingNames, policy.binding)},
                       {"placement", name_of(core::kPlacementNames, policy.placement)},
                       {"admission", name_of(core::kAdmissionNames, policy.admission)},
                       {"reclaim", name_of(core::kReclaimNames, policy.reclaim)},
                       {"control", name_of(core::kControlNames, policy.control)}});
}

std::string limits(const Limits& limits) {
  return "Limits\n" +
         format_table({{"head", format_bytes(limits.head_bytes)},
                       {"body", format_bytes(limits.body_bytes)},
                       {"bodies in memory", format_bytes(limits.bodies_in_memory_bytes)},
                       {"connections", format_count(limits.connections)},
                       {"head timeout", format_duration(limits.head_timeout)},
                       {"body timeout", format_duration(limits.body_timeout)},
                       {"idle timeout", format_duration(limits.idle_timeout)},
                       {"write timeout", format_duration(limits.write_timeout)},
                       {"connect timeout", format_duration(limits.connect_timeout)},
                       {"attempt timeout", format_duration(limits.attempt_timeout)},
                       {"drain timeout", format_duration(limits.drain_timeout)}});
}

std::string retries(const core::RetryOptions& retry) {
  if (retry.most_attempts == 1) return "Retries\n  none\n";
  return fmt::format(
      "Retries\n  at most {} attempts at a request; {:g}% of all and {}, at most {:g} saved up\n",
      retry.most_attempts, 100 * retry.budget.share, format_rate(retry.budget.floor_per_second),
      retry.budget.burst);
}

std::string breakers(const core::BreakerOptions& breaker) {
  const auto in_a_row = [](std::uint32_t n) { return n > 0 ? std::to_string(n) : "any number"; };
  const std::string share =
      breaker.failure_share > 1 ? "any share" : fmt::format("{:g}%", 100 * breaker.failure_share);
  return "Breakers\n" +
         format_table(
             {{"failures in a row", in_a_row(breaker.consecutive_failures)},
              {"failures", fmt::format("{} of at least {:g} within {}", share, breaker.min_volume,
                                       format_duration(breaker.window))},
              {"slow in a row", fmt::format("{}, {:g} times as long as predicted",
                                            in_a_row(breaker.slow_in_a_row), breaker.slow_ratio)},
              {"open for", fmt::format("{} to {}", format_duration(breaker.open_for),
                                       format_duration(breaker.longest_open))}});
}

std::string health(const HealthCheckOptions& health) {
  return fmt::format(
      "Health checks\n  GET {} every {} within {}; back after {} passed, out after {} failed\n",
      health.path, format_duration(health.interval), format_duration(health.timeout),
      health.healthy_after, health.unhealthy_after);
}

}  // namespace

std::string summarise(const ServeConfig& config) {
  const std::string listen = fmt::format(
      "Listen\n  requests on {}, admin on {}; overload is answered {}\n",
      format_address(config.http), format_address(config.admin), config.overload_status);
  const std::array parts{listen,
                         priorities(config.core.priorities),
                         lanes(config.core),
                         models(config.core),
                         summarise_replicas(config),
                         summarise_residency(config.core),
                         tenants(config.core),
                         policy(config.core.policy),
                         limits(config.limits),
                         health(config.health),
                         retries(config.core.retry),
                         breakers(config.core.breaker)};
  return fmt::format("{}", fmt::join(parts, "\n"));
}

}  // namespace sluice::config
