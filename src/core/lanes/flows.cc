#include "core/lanes/flows.h"

#include "base/check.h"

namespace sluice::core {

Flows::Flows(std::uint32_t classes, std::uint32_t slots) : flows_(classes * kLanes) {
  forest_.reserve(slots);
  for (auto& lane : runnable_) lane.reserve(classes);
}

void Flows::push(FlowId flow, std::uint32_t slot, std::int64_t key, std::uint64_t bytes,
                 Duration work) {
  Flow& f = flows_[flow];
  const auto head_before = f.root;
  forest_.push(f.root, slot, {.key = key, .sequence = sequence_++});
  if (f.root != head_before) f.parked = false;
  f.work += work;
  LaneTotals& totals = totals_[flow % kLanes];
  ++totals.tasks;
  totals.bytes += bytes;
  refresh(flow);
}

void Flows::remove(FlowId flow, std::uint32_t slot, std::uint64_t bytes, Duration work) {
  Flow& f = flows_[flow];
  if (slot == f.root) f.parked = false;
  forest_.remove(f.root, slot);
  f.work -= work;
  LaneTotals& totals = totals_[flow % kLanes];
  --totals.tasks;
  totals.bytes -= bytes;
  refresh(flow);
}

void Flows::set_active(ClassId klass, bool active) {
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const FlowId flow = klass.value * kLanes + lane;
    flows_[flow].active = active;
    refresh(flow);
  }
}

void Flows::park(FlowId flow) {
  flows_[flow].parked = true;
  refresh(flow);
}

void Flows::unpark(ClassId klass) {
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const FlowId flow = klass.value * kLanes + lane;
    flows_[flow].parked = false;
    refresh(flow);
  }
}

// Keeps runnable_ equal to what its name says after anything about the flow has changed.
void Flows::refresh(FlowId flow) {
  Flow& f = flows_[flow];
  const bool runnable = f.active && !f.parked && f.root != PairingForest::kNone;
  std::vector<FlowId>& list = runnable_[flow % kLanes];
  if (runnable == (f.position != kNowhere)) return;
  if (runnable) {
    f.position = static_cast<std::uint32_t>(list.size());
    list.push_back(flow);
    return;
  }
  flows_[list.back()].position = f.position;
  list[f.position] = list.back();
  list.pop_back();
  f.position = kNowhere;
}

std::array<bool, kLanes> Flows::runnable_lanes() const {
  std::array<bool, kLanes> lanes{};
  for (std::size_t i = 0; i < kLanes; ++i) lanes[i] = !runnable_[i].empty();
  return lanes;
}

std::optional<Flows::FlowId> Flows::first_of(const std::vector<FlowId>& flows) const {
  std::optional<FlowId> best;
  for (const FlowId flow : flows) {
    if (!best || forest_.rank(flows_[flow].root) < forest_.rank(flows_[*best].root)) best = flow;
  }
  return best;
}

Flows::FlowId Flows::best_in(Lane lane) const {
  const auto best = first_of(runnable_[static_cast<std::size_t>(lane)]);
  SLUICE_CHECK(best.has_value(), "a lane without runnable flows was picked");
  return *best;
}

std::optional<Flows::FlowId> Flows::best() const {
  std::optional<FlowId> best;
  for (const auto& list : runnable_) {
    const auto first = first_of(list);
    if (!first) continue;
    if (!best || forest_.rank(flows_[*first].root) < forest_.rank(flows_[*best].root)) best = first;
  }
  return best;
}

}  // namespace sluice::core
