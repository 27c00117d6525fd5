// How busy the nodes were, period by period.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/cluster.h"
#include "sim/event_queue.h"
#include "sim/measures.h"
#include "sim/periods.h"
#include "sim/scenario.h"
#include "workload/report.h"

namespace sluice::sim {

// Busy slot time ÷ slot time. An execution that nobody waits for any more is busy all the same;
// what is on the way is not. Reads the cluster at the borders of the periods, nothing in between.
class Utilisation {
 public:
  // All must outlive this. Schedules the borders.
  Utilisation(const Scenario& scenario, const Cluster& cluster, EventQueue& events);

  // kPeriodEnds.
  void on(const Event& event);

  // Between two borders that have passed: of a node, and the plain mean over nodes (not over slots:
  // a small node counts like a large one).
  double share(std::size_t node, const Period& period) const;
  double mean_share(const Period& period) const;

  // Of the whole, by phase, and by replica over all phases.
  void fill(workload::Run& run) const;
  // utilization_KIND_share in the peak, for each kind of node.
  void fill_kinds(MeasureMap& measures) const;

 private:
  const std::vector<Duration>& busy_at(Duration border) const;

  const Scenario& scenario_;
  const Cluster& cluster_;
  std::vector<Duration> borders_;            // ascending
  std::vector<std::vector<Duration>> busy_;  // by border: of each node, until then
};

}  // namespace sluice::sim
