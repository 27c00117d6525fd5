// Nodes whose models come and go.
#include <algorithm>

#include "sim/random/parts.h"

namespace sluice::sim {

// A model may be left without a node that has room for it.
void draw_loading(Dice& dice, Scenario& scenario) {
  if (!dice.chance(0.25)) return;
  for (Model& model : scenario.models) {
    model.load_time = dice.log_between(std::chrono::milliseconds(20), std::chrono::seconds(10));
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

}  // namespace sluice::sim
