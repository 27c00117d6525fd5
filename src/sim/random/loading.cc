// Nodes whose models come and go.
#include <algorithm>

#include "sim/random/parts.h"

namespace sluice::sim {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

// A model may be left without a node that has room for it.
void draw_loading(Dice& dice, Scenario& scenario) {
  if (!dice.chance(0.25)) return;
  for (Model& model : scenario.models) {
    model.load_time = dice.log_between(milliseconds(20), seconds(10));
    if (dice.chance(0.3)) model.load_failures = dice.between(0, 0.7);
    if (dice.chance(0.2)) model.reserved_bytes = model.memory_bytes * dice.between(0, 1);
    model.warm_replicas = dice.whole(1, 3);
  }
  for (NodeKind& kind : scenario.kinds) {
    kind.managed = dice.chance(0.8);
    if (dice.chance(0.2)) kind.memory_bytes = 0;
    if (dice.chance(0.4)) kind.memory_bytes = dice.log_between(5e9, 2e10);
  }
}

void tune_loading(Dice& dice, core::Options& options) {
  const bool any_managed = std::any_of(options.nodes.begin(), options.nodes.end(),
                                       [](const core::NodeOptions& node) { return node.managed; });
  if (!any_managed || dice.chance(0.3)) return;
  core::ResidencyOptions& residency = options.residency;
  residency.load_timeout = dice.log_between(milliseconds(50), minutes(2));
  residency.unload_timeout = dice.log_between(milliseconds(1), seconds(30));
  residency.idle =
      dice.chance(0.1) ? Duration::zero() : dice.log_between(milliseconds(1), minutes(1));
  residency.backoff = dice.log_between(milliseconds(1), seconds(5));
  residency.longest_backoff = times(residency.backoff, dice.log_between(1, 100));
  residency.loads_per_node = dice.whole(1, 3);
  residency.demand_from_per_s = dice.log_between(0.001, 10);
  residency.demand_until_per_s = residency.demand_from_per_s * dice.between(0.1, 0.9);
  residency.demand_memory = dice.log_between(seconds(1), minutes(5));
}

}  // namespace sluice::sim
