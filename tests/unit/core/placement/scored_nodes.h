// A scheduler in front of nodes that report figures, and are chosen by score.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {

inline constexpr std::uint32_t kSlots = 10;

inline Options scored(std::uint32_t nodes) {
  Options options = small_options(1, nodes);
  for (NodeOptions& node : options.nodes) {
    node.slots = kSlots;
    node.credits = kSlots;
  }
  options.policy = Policy::balancer("", PlacementKind::kScore);
  return options;
}

struct ScoredNodes : SteppedScheduler {
  explicit ScoredNodes(Options options) : SteppedScheduler(std::move(options)) { all_ready(); }

  void figures(std::uint32_t node, double utilisation, Duration age = Duration::zero()) {
    tell(NodeFiguresReport{
        .node = NodeId{node}, .utilisation = utilisation, .memory = 0.5, .age = age});
  }
  std::uint32_t node_of(std::uint64_t request) {
    submit(request, asking(4, std::chrono::hours(1)));
    return dispatched(request).node.value;
  }
  std::map<std::uint32_t, std::uint32_t> nodes_of(std::uint64_t requests) {
    std::map<std::uint32_t, std::uint32_t> given;
    for (std::uint64_t i = 0; i < requests; ++i) ++given[node_of(next_++)];
    return given;
  }
  NodeView view(std::uint32_t node) { return scheduler().node(NodeId{node}); }

 private:
  std::uint64_t next_ = 0;
};

}  // namespace sluice::core
