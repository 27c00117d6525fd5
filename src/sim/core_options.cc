#include "sim/core_options.h"

#include <algorithm>

#include "core/placement/node.h"

namespace sluice::sim {
namespace {

// A replica that queues for itself is sent everything at once. Far more than its own bounds let
// wait, so that it is the replica that turns away what is too much.
constexpr std::uint32_t kSentAtOnce = 4096;

core::NodeOptions node_options(const Scenario& scenario, const Node& node, bool waits_at_replica) {
  core::NodeOptions options{.name = node.name,
                            .kind = scenario.kinds[node.kind].name,
                            .slots = scenario.kinds[node.kind].slots,
                            .cancel = scenario.kinds[node.kind].cancel,
                            .managed = scenario.kinds[node.kind].managed};
  const double memory = scenario.kinds[node.kind].memory_bytes;
  if (memory > 0) options.memory_bytes = static_cast<std::uint64_t>(memory);
  for (const std::size_t model : node.models) {
    options.models.push_back({static_cast<std::uint32_t>(model)});
  }
  if (waits_at_replica) options.credits = options.slots + kSentAtOnce;
  return options;
}

}  // namespace

core::Options core_options(const Scenario& scenario, const PolicySpec& policy, std::uint64_t seed) {
  core::Options options;
  options.seed = seed;
  options.policy = policy.policy;
  options.placement = policy.placement;
  for (std::uint32_t i = 0; i < scenario.models.size(); ++i) {
    const Model& model = scenario.models[i];
    options.task_types.push_back(model.name);
    options.models.push_back({.name = model.name,
                              .task_type = {i},
                              .weight = model.weight,
                              .memory_bytes = static_cast<std::uint64_t>(model.memory_bytes),
                              .reserved_bytes = static_cast<std::uint64_t>(model.reserved_bytes),
                              .load_time = model.load_time,
                              .warm_replicas = model.warm_replicas});
  }
  for (const Node& node : scenario.nodes) {
    options.nodes.push_back(node_options(scenario, node, policy.waits_at_replica));
  }
  options.tenants.clear();
  for (const Tenant& tenant : scenario.tenants) {
    core::TenantOptions row{.name = tenant.name, .tier = tenant.tier};
    // The static baselines have no limits.
    const bool limits = policy.policy.control == core::Control::kAdaptive && tenant.limit;
    if (limits) {
      row.limits.rate_rps = tenant.limit->rate_rps;
      row.limits.burst = tenant.limit->rate_rps * to_seconds(tenant.limit->burst);
    }
    options.tenants.push_back(row);
  }
  for (std::size_t lane = 0; lane < core::kLanes; ++lane) {
    options.lanes[lane].budget = scenario.lanes[lane].budget;
  }
  return options;
}

bool uses_figures(const core::Options& options) {
  return options.policy.placement == core::PlacementKind::kScore ||
         options.placement.least_score > 0;
}

core::Labels labels_of(const Scenario& scenario, std::size_t model, std::size_t tenant,
                       core::Priority priority) {
  const auto lane = static_cast<std::size_t>(core::lane_of(priority));
  return {.model = {static_cast<std::uint32_t>(model)},
          .tenant = {static_cast<std::uint32_t>(tenant)},
          .priority = priority,
          .budget = scenario.lanes[lane].budget,
          .retriable = true};
}

std::uint32_t most_attempts(const core::Options& options) {
  std::uint32_t sum = 0;
  for (const core::NodeOptions& node : options.nodes) {
    sum += std::max(node.credits.value_or(0), node.slots * core::Node::kCreditCap);
  }
  return sum;
}

std::uint32_t most_requests(const core::Options& options) {
  // And the one that is being submitted.
  std::uint32_t sum = most_attempts(options) + 1;
  for (const core::LaneOptions& lane : options.lanes) sum += lane.capacity;
  return sum;
}

}  // namespace sluice::sim
