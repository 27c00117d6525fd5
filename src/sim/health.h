// What the gateway is told of its nodes, and when.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/event.h"
#include "sim/cluster.h"
#include "sim/draws.h"
#include "sim/event_queue.h"
#include "sim/scenario.h"
#include "sim/strikes.h"

namespace sluice::sim {

// Two kinds of watch, by policy:
//   probing     a minimal request to each node every second, given up after one second: one miss
//               and the node is not ready, one answer and it is again. Measures the round trip.
//   balancer    scenario.health_check after a node has gone or has come back, if that still holds,
//               the balancer knows. As the stage describes its static peer.
// Either way every node is known to be ready when the run begins.
class Health {
 public:
  enum class Watch : std::uint8_t { kProbing, kBalancer };

  // All must outlive this. Schedules the first probes, spread over a second.
  Health(const Scenario& scenario, Watch watch, Cluster& cluster, const Draws& draws,
         Strikes& strikes, EventQueue& events);

  // At the start of the run.
  core::NodeReport first_report(std::size_t node) const;

  // kProbeSent, kProbeAnswered, kProbeMissed, kDeclare: what the core is to be told, if anything.
  std::optional<core::NodeReport> on(const Event& event);

  // The node's condition may have changed.
  void look_at(std::size_t node, TimePoint now);

 private:
  struct Node {
    std::uint32_t probes = 0;
    Duration round_trip{0};        // of the latest probe
    bool answers = true;           // when last looked at
    std::uint32_t generation = 0;  // of `answers`
    core::NodeReport told;
  };

  void probe(std::size_t node, TimePoint now);
  core::NodeReport report(std::size_t node, bool ready, std::optional<Duration> round_trip);
  Duration round_trip(std::size_t node, std::uint32_t probe) const;

  const Scenario& scenario_;
  Watch watch_;
  Cluster& cluster_;
  const Draws& draws_;
  Strikes& strikes_;
  EventQueue& events_;
  std::vector<Node> nodes_;
};

}  // namespace sluice::sim
