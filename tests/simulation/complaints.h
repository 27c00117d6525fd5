// What users of other schedulers complain about, each as a small world in which it shows, and does
// not under Sluice. Where one switch makes the difference, the test turns it both ways.
#pragma once

#include <algorithm>
#include <cstddef>

#include "support/virtual_cluster.h"

namespace sluice::test {

inline core::Labels asking(core::Priority priority, Duration budget, std::uint32_t model = 0,
                           std::uint32_t tenant = 0) {
  return {.model = core::ModelId{model},
          .tenant = core::TenantId{tenant},
          .priority = priority,
          .budget = budget};
}

constexpr TimePoint at(Duration d) {
  return TimePoint(d);
}

// Dispatches for which `which(dispatch)` holds.
template <class Which>
std::ptrdiff_t dispatched(const VirtualCluster& cluster, Which which) {
  const auto& all = cluster.dispatches();
  return std::count_if(all.begin(), all.end(), which);
}

inline std::ptrdiff_t dispatched_to(const VirtualCluster& cluster, std::uint32_t node) {
  return dispatched(cluster, [&](const auto& d) { return d.node == core::NodeId{node}; });
}

// Every request has had its one outcome, and no credit is taken any more; that no instant before
// was wrong, the cluster has checked.
inline bool all_is_over(VirtualCluster& cluster) {
  const core::Counters& counters = cluster.scheduler().counters();
  return cluster.ended().size() == cluster.submitted() && counters.ended() == counters.submitted &&
         counters.attempts == 0;
}

}  // namespace sluice::test
