// The waiting tasks: one ordered queue a flow, the flows of three lanes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"
#include "core/ids.h"
#include "core/labels.h"
#include "core/lanes/pairing_heap.h"

namespace sluice::core {

// An eligibility class: tasks that may run on exactly the same nodes (see placement/eligibility.h).
using ClassId = Index<struct ClassTag>;

// A flow is what shares one order: the tasks of one lane and one eligibility class. (Fairness
// between tenants will split flows by tenant; nothing outside this file counts on there being one
// a class.) A flow is *active* while its class has credit, *parked* while its head would rather
// wait for a busy node than take a free one, and *runnable* when it has tasks, is active and not
// parked. Who may dispatch is found by looking at runnable flows only, so what waits for busy nodes
// costs nothing.
class Flows {
 public:
  using FlowId = std::uint32_t;

  struct LaneTotals {
    std::uint32_t tasks = 0;
    std::uint64_t bytes = 0;
  };

  // `slots`: how many the pool of tasks has at most.
  Flows(std::uint32_t classes, std::uint32_t slots);

  FlowId flow_of(Lane lane, ClassId klass) const {
    return klass.value * kLanes + static_cast<std::uint32_t>(lane);
  }
  static Lane lane_of_flow(FlowId flow) { return Lane(flow % kLanes); }
  static ClassId class_of_flow(FlowId flow) { return {flow / kLanes}; }

  // O(1). The slot is the task's place in its pool and must not be in any flow.
  void push(FlowId flow, std::uint32_t slot, std::int64_t key, std::uint64_t bytes, Duration work);
  // O(log n) amortised. The bytes and the work are those that it was pushed with.
  void remove(FlowId flow, std::uint32_t slot, std::uint64_t bytes, Duration work);

  bool empty(FlowId flow) const { return flows_[flow].root == PairingForest::kNone; }
  // The slot of the first task. The flow must not be empty.
  std::uint32_t head(FlowId flow) const { return flows_[flow].root; }
  // Expected device time of all tasks in the flow.
  Duration work(FlowId flow) const { return flows_[flow].work; }

  // Told by placement, when a class gets its first credit or loses its last.
  void set_active(ClassId klass, bool active);
  // Until the class's next free credit, a change of its ready nodes, or a new head.
  void park(FlowId flow);
  void unpark(ClassId klass);

  std::array<bool, kLanes> runnable_lanes() const;
  // The runnable flow of the lane whose head ranks first; the lane must have one. O(runnable flows
  // of the lane), which is at most the classes of the nodes with free credits.
  FlowId best_in(Lane lane) const;
  // The same over all lanes; none when nothing is runnable.
  std::optional<FlowId> best() const;

  const LaneTotals& totals(Lane lane) const { return totals_[static_cast<std::size_t>(lane)]; }

 private:
  static constexpr std::uint32_t kNowhere = 0xffffffff;

  struct Flow {
    PairingForest::Root root = PairingForest::kNone;
    Duration work{0};
    std::uint32_t position = kNowhere;  // in runnable_
    bool active = false;
    bool parked = false;
  };

  void refresh(FlowId flow);
  std::optional<FlowId> first_of(const std::vector<FlowId>& flows) const;

  PairingForest forest_;
  std::uint64_t sequence_ = 0;
  std::vector<Flow> flows_;
  std::array<std::vector<FlowId>, kLanes> runnable_;
  std::array<LaneTotals, kLanes> totals_{};
};

}  // namespace sluice::core
