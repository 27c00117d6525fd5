// What is kept for others (R12): from whom a node is withheld, and who is let in when it is not.
#include <algorithm>
#include <set>

#include "core/placement/placement.h"

namespace sluice::core {

void Placement::find_neighbours() {
  for (std::uint32_t c = 0; c < classes_.size(); ++c) {
    std::set<std::uint32_t> found;
    for (const NodeId node : eligibility_.nodes(ClassId{c})) {
      for (const Membership& m : memberships_[node.value]) found.insert(m.klass.value);
    }
    found.erase(c);
    for (const std::uint32_t other : found) classes_[c].neighbours.push_back(ClassId{other});
  }
}

void Placement::find_light_classes() {
  for (std::uint32_t m = 0; m < options_.models.size(); ++m) {
    if (options_.models[m].weight != WeightClass::kLight) continue;
    for (const ClassId klass : eligibility_.classes_of(ModelId{m})) {
      classes_[klass.value].has_light = true;
    }
  }
}

void Placement::expect_urgent(ClassId klass, Duration service, TimePoint now) {
  reserves_.arrived(klass, service, now);
}

void Placement::set_reserves(TimePoint now) {
  reserves_.step(
      now, [this](ClassId klass) { return ready_slots(klass); },
      [this](ClassId klass) {
        for (const NodeId node : eligibility_.nodes(klass)) {
          unpark_all(node);
        }
      });
}

bool Placement::leaves_to(const Query& query, NodeId node,
                          const ServicePrediction& predicted) const {
  const auto& classes = memberships_[node.value];
  const bool restricted = std::any_of(classes.begin(), classes.end(), [&](const Membership& m) {
    return reserved_from(query.heavy, m.klass);
  });
  if (!restricted) return true;
  const Task& task = query.task;
  const bool stops = options_.nodes[node.value].cancel == CancelMode::kStops;
  return reserves_.lends_to(predicted.p95, stops && task.retriable && task.lane == Lane::kLow);
}

// Nodes of other classes may have been withheld because of this one.
void Placement::give_back(ClassId klass, bool heavy) {
  const bool restricted = reserves_.restricts(klass);
  const bool restricted_heavy = reserves_.restricts_heavy(klass);
  reserves_.others_ended(klass, heavy);
  const bool eased = restricted && !reserves_.restricts(klass);
  const bool eased_heavy = restricted_heavy && !reserves_.restricts_heavy(klass);
  if (!eased && !eased_heavy) return;
  for (const ClassId other : classes_[klass.value].neighbours) {
    if (eased) flows_.let_in(other);
    if (eased_heavy) flows_.let_heavy_in(other);
  }
}

}  // namespace sluice::core
