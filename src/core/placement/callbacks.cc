// Who waits for room on the nodes that have a model, where models come and go.
#include <algorithm>

#include "core/placement/placement.h"

namespace sluice::core {

bool Placement::has_room(ModelId model, ClassId klass) const {
  const auto usable = residency_.usable(model);
  return std::any_of(usable.begin(), usable.end(), [&](std::uint32_t replica) {
    const NodeId node = residency_.node_of(replica);
    return nodes_[node.value].open() && eligibility_.position(klass, node).has_value();
  });
}

void Placement::wait_for_room(ModelId model, ClassId klass, Lane lane) {
  // Where each node is a class, it has room when its class is open.
  if (options_.policy.binding != Binding::kLate) return;
  for (const std::uint32_t replica : residency_.usable(model)) {
    const std::uint32_t place = replica * kLanes + static_cast<std::uint32_t>(lane);
    const NodeId node = residency_.node_of(replica);
    if (is_waited_for_[place] || !eligibility_.position(klass, node)) continue;
    is_waited_for_[place] = true;
    waiting_threads_.push_back(waited_for_at(node, lane), place);
  }
}

void Placement::call_all_back(ModelId model) {
  for (const ClassId klass : eligibility_.classes_of(model)) {
    for (int lane = 0; lane < kLanes; ++lane) {
      const Flows::GroupId group = Flows::group_of(Lane(lane), klass);
      while (flows_.any_away(group, model)) flows_.call_back(group, model);
    }
  }
}

bool Placement::call_back_some() {
  while (!with_room_.empty()) {
    const NodeId node = with_room_.back();
    bool called = false;
    if (nodes_[node.value].open()) {
      for (int lane = 0; lane < kLanes; ++lane) called = call_next(node, Lane(lane)) || called;
    }
    if (called) return true;
    is_with_room_[node.value] = false;
    with_room_.pop_back();
  }
  return false;
}

// Models take turns. Who is called back finds room, or waits for something else: nobody is called
// for ever.
bool Placement::call_next(NodeId node, Lane lane) {
  ArrivalThreads::List& waiting = waited_for_at(node, lane);
  while (waiting.first != ArrivalThreads::kNone) {
    const std::uint32_t place = waiting.first;
    const std::uint32_t replica = place / kLanes;
    waiting_threads_.remove(waiting, place);
    is_waited_for_[place] = false;
    const ModelId model = residency_.model_of(replica);
    const auto group = residency_.is_usable(replica) ? away_for(model, node, lane) : std::nullopt;
    if (!group) continue;  // it has been unloaded meanwhile, or they have gone
    flows_.call_back(*group, model);
    if (away_for(model, node, lane)) {
      is_waited_for_[place] = true;
      waiting_threads_.push_back(waiting, place);
    }
    return true;
  }
  return false;
}

// Of the groups that may run on the node one that waits for room where the model is.
std::optional<Flows::GroupId> Placement::away_for(ModelId model, NodeId node, Lane lane) const {
  for (const ClassId klass : eligibility_.classes_of(model)) {
    const Flows::GroupId group = Flows::group_of(lane, klass);
    if (flows_.any_away(group, model) && eligibility_.position(klass, node)) return group;
  }
  return std::nullopt;
}

}  // namespace sluice::core
