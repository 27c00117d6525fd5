// The fault plan of a scenario, carried out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/cluster.h"
#include "sim/event_queue.h"
#include "sim/scenario.h"
#include "sim/strikes.h"

namespace sluice::sim {

// Faults may overlap: a node's condition is what all that hold it now add up to. A node that
// crashes comes back empty.
class Faults {
 public:
  // All must outlive this. Schedules the whole plan.
  Faults(const Scenario& scenario, Cluster& cluster, Strikes& strikes, EventQueue& events);

  // kFaultBegins, kFaultEnds, kFaultTurns. Returns the nodes that are concerned.
  const std::vector<std::size_t>& on(const Event& event);

  // How far the gateway's clock is from the true one.
  Duration clock_offset() const { return clock_offset_; }

 private:
  struct State {
    bool is_active = false;
    bool is_up = false;  // flap: between two crashes
  };

  void begin(std::size_t fault, TimePoint now);
  void end(std::size_t fault, TimePoint now);
  void turn(std::size_t fault, TimePoint now);
  void apply(std::size_t fault, TimePoint now);
  Condition condition_of(std::size_t node) const;
  void count(std::size_t node, FaultKind kind, const Condition& before, const Condition& after);

  const Scenario& scenario_;
  Cluster& cluster_;
  Strikes& strikes_;
  EventQueue& events_;
  std::vector<State> states_;                      // by fault
  std::vector<std::vector<std::size_t>> of_node_;  // faults that may strike it
  Duration clock_offset_{0};
};

}  // namespace sluice::sim
