// What nodes say of themselves, as it comes to the gateway (R24).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/event.h"
#include "sim/cluster.h"
#include "sim/event_queue.h"
#include "sim/scenario.h"
#include "sim/strikes.h"

namespace sluice::sim {

// Every node's metrics are read every 3 s, in turn: the share of slot time in use since the last
// time, and that of its memory which hosted models take, where it is told. They are at the gateway
// a second later, with their age. A node that does not answer says nothing. Stale metrics are those
// of before, told as new; lying ones say idle.
class Scrapes {
 public:
  // All must outlive this. Where they are not used, nothing is scheduled.
  Scrapes(const Scenario& scenario, const Cluster& cluster, Strikes& strikes, EventQueue& events,
          bool are_used);

  // kScraped, kFiguresArrive: what the core is to be told, if anything.
  std::optional<core::NodeFiguresReport> on(const Event& event);

 private:
  struct Node {
    Duration busy_time{0};  // when last read
    TimePoint read_at;
    core::NodeFiguresReport read;
    bool was_read = false;
  };

  void scrape(std::size_t node, TimePoint now);
  core::NodeFiguresReport read(std::size_t node, TimePoint now);

  const Cluster& cluster_;
  Strikes& strikes_;
  EventQueue& events_;
  std::vector<Node> nodes_;
};

}  // namespace sluice::sim
