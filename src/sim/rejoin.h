// How long nodes that came back took to carry their share again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/cluster.h"
#include "sim/event_queue.h"
#include "sim/scenario.h"

namespace sluice::sim {

// A returned node has rejoined when, within five seconds, it was sent at least half as many
// attempts as the mean node of its kind. Looked at every half second.
class Rejoin {
 public:
  // All must outlive this. Schedules its looks if any node ever comes back.
  Rejoin(const Scenario& scenario, const Cluster& cluster, EventQueue& events);

  // kLook.
  void on(const Event& event);

  // Of the slowest; nullopt when one never rejoined, or none came back.
  std::optional<double> seconds() const;

 private:
  static constexpr Duration kEvery = std::chrono::milliseconds(500);
  static constexpr std::size_t kSpan = 10;  // looks: five seconds

  struct Return {
    std::size_t node;
    Duration at;
    std::optional<Duration> rejoined;
  };

  bool carries_its_share(std::size_t node) const;
  // Attempts that it was sent within the span.
  double carried(std::size_t node) const;

  const Scenario& scenario_;
  const Cluster& cluster_;
  EventQueue& events_;
  std::vector<Return> returns_;
  // The latest looks, a ring: attempts of each node until then.
  std::vector<std::vector<std::uint64_t>> looks_;
  std::size_t look_count_ = 0;
};

}  // namespace sluice::sim
