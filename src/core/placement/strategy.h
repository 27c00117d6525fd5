// What each placement strategy (policy.h) ranks a node by. Smaller is better, whatever the unit.
#pragma once

#include <cstddef>

#include "base/time.h"
#include "core/placement/node.h"
#include "core/policy.h"

namespace sluice::core {

// Attempts in flight ÷ slots: 0 is idle, above 1 some wait at the node.
double outstanding(const Node& node);

// Time, in ns, until all that is at the node has been served, and then a task that takes `service`
// there. Of a node whose services nobody has measured yet, `service` is what those there take, too.
double expected_queue_ns(const Node& node, Duration service);

// Whether the strategy ranks by lot, alone or where its figure is the same.
constexpr bool draws_lots(PlacementKind kind) {
  return kind != PlacementKind::kFinishFirst && kind != PlacementKind::kScore;
}

// Whether the strategy looks at nobody's figures before it draws: then it draws from all nodes
// alike. The others want to have seen every kind of node.
constexpr bool draws_blindly(PlacementKind kind) {
  return kind == PlacementKind::kRandom || kind == PlacementKind::kPowerOfTwo;
}

}  // namespace sluice::core
