// Hot standbys (R26): ready for when the others are not.
#include <algorithm>

#include "core/placement/placement.h"

namespace sluice::core {

void Placement::call_or_dismiss_standbys(ClassId klass) {
  for (const NodeId node : classes_[klass.value].standbys) {
    const auto& all = memberships_[node.value];
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Membership& m) { return m.klass == klass; });
    refresh_in(node, static_cast<std::uint32_t>(found - all.begin()));
    count_in_total(node);
  }
}

// A standby adds to what there is from when it is called in anywhere: idle, it is no reason to call
// the others little loaded.
void Placement::count_in_total(NodeId node) {
  const auto& all = memberships_[node.value];
  const bool called = std::any_of(all.begin(), all.end(),
                                  [&](const Membership& m) { return !on_call(node, m.klass); });
  std::uint32_t& counted = counted_slots_[node.value];
  ready_slots_ -= counted;
  counted = nodes_[node.value].ready() && called ? nodes_[node.value].slots() : 0;
  ready_slots_ += counted;
}

}  // namespace sluice::core
