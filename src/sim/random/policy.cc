// Who schedules: a row of the table, or any mixture of its columns.
#include <string>

#include "sim/random/parts.h"

namespace sluice::sim {

PolicySpec draw_policy(Dice& dice) {
  // What Sluice is run with is what has to hold most.
  if (dice.chance(0.5)) return {.name = "sluice", .policy = core::Policy::sluice()};
  if (dice.chance(0.5)) {
    const core::Policy& policy = dice.of(core::kPolicies);
    return {.name = std::string(policy.name),
            .policy = policy,
            .waits_at_replica = policy.name == "fixed-priority" && dice.chance(0.5)};
  }
  core::Policy mixed{.name = "mixed"};
  mixed.ordering = core::Ordering(dice.whole(0, core::kOrderingNames.size() - 1));
  mixed.placement = core::PlacementKind(dice.whole(0, core::kPlacementNames.size() - 1));
  mixed.lane_service = core::LaneServiceKind(dice.whole(0, 1));
  mixed.fairness = core::Fairness(dice.whole(0, 1));
  mixed.binding = dice.chance(0.7) ? core::Binding::kLate : core::Binding::kEarlyRoundRobin;
  mixed.admission = core::Admission(dice.whole(0, 1));
  mixed.reclaim = core::Reclaim(dice.whole(0, 1));
  mixed.control = core::Control(dice.whole(0, 1));
  return {.name = "mixed", .policy = mixed};
}

}  // namespace sluice::sim
