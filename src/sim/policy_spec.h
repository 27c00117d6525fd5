// Who schedules in a simulation.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/placement/placement_options.h"
#include "core/policy.h"
#include "sim/scenario.h"

namespace sluice::sim {

struct PolicySpec {
  std::string name;
  core::Policy policy;
  core::PlacementOptions placement;
  // The scheduler sends everything on at once, and requests wait at the nodes: how a balancer in
  // front of replicas with queues of their own works. Otherwise they wait at the scheduler.
  bool waits_at_replica = false;
};

// "NAME" of a row of core's table, or a mixture: "NAME,ordering=deadline,placement.top_k=3". What
// follows are keys of `policy` and, with their section before a dot, of `placement`, as in the
// configuration of `sluice serve`. Nullopt when there is no such row; throws ConfigError for keys
// and values that are not allowed.
std::optional<PolicySpec> policy_spec(std::string_view text, const Scenario& scenario);

}  // namespace sluice::sim
