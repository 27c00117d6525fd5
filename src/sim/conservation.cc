#include "sim/conservation.h"

#include <fmt/format.h>

namespace sluice::sim {

void Conservation::violated(TimePoint now, std::string_view what) {
  ++count_;
  if (violations_.size() >= kMostKept) return;
  violations_.push_back(fmt::format("at {:.9f} s: {}", to_seconds(now.time_since_epoch()), what));
}

void Conservation::after(const Step& step) {
  compare(step.now, step.scheduler, step.cluster, step.ledger);
}

void Conservation::compare(TimePoint now, const core::Scheduler& scheduler, const Cluster& cluster,
                           const Ledger& ledger) {
  const core::Counters& counters = scheduler.counters();
  expect(counters.conserved(), now, "the core's books do not balance");
  expect(counters.submitted == ledger.submitted, now,
         "the core counts other requests than were submitted");
  expect(counters.ended() == ledger.ended, now, "the core counts other outcomes than it gave");
  expect(ledger.submitted == ledger.ended + ledger.open_requests, now,
         "a request has no outcome, or two");
  expect(std::uint64_t{counters.waiting} + counters.running == ledger.open_requests, now,
         "the core holds other tasks than there are open requests");
  expect(counters.attempts == ledger.open_attempts, now,
         "the core counts other attempts than were sent and not yet ended");
  std::uint64_t in_flight = 0;
  for (std::uint32_t node = 0; node < cluster.node_count(); ++node) {
    in_flight += scheduler.node({node}).in_flight;
    const ClusterNodeView view = cluster.view(node, now);
    expect(view.busy <= view.slots, now, "a node runs more than it has slots");
    expect(view.busy == view.slots || view.waiting == 0 || cluster.condition(node).frozen, now,
           "requests wait at a node beside a free slot");
  }
  expect(in_flight == ledger.open_attempts, now, "credits in use are not the attempts not ended");
}

}  // namespace sluice::sim
