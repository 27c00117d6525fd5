// Conservation (design.md, contracts of the core): submitted = completed + refused + expired +
// cancelled + failed + waiting + running, at every instant, and the same by the books of the world
// outside: everything that is open here is open there. Slots: no node runs more than it has, or
// idles beside what waits for it. O(nodes) a step.
#include <algorithm>

#include "sim/books.h"
#include "sim/checks/all.h"
#include "sim/checks/mirror.h"

namespace sluice::sim {
namespace {

class Conservation : public Check {
 public:
  explicit Conservation(const Scenario& scenario) : Check("conservation") {
    for (const LaneRules& lane : scenario.lanes)
      patience_ = std::max(patience_, lane.client_timeout);
  }

  void after(const Step& step, const Mirror& mirror) override {
    const auto difference = difference_between(step.scheduler.counters(), step.ledger);
    expect(difference.empty(), step, difference);
    expect(step.scheduler.counters().waiting == mirror.waiting(), step,
           "the core holds other tasks than were queued and have not left");
    compare_nodes(step);
  }

  void at_end(const Step& step, const Mirror& mirror) override {
    after(step, mirror);
    for (const SeenRequest& request : mirror.requests()) {
      const bool open = request.stage != Stage::kNone && request.stage != Stage::kEnded;
      if (!open) continue;
      expect(request.arrival + patience_ + kGrace > mirror.now(), step,
             "a request has no outcome though its caller has left long ago");
    }
  }

 private:
  static constexpr Duration kGrace = std::chrono::seconds(1);

  void compare_nodes(const Step& step) {
    std::uint64_t in_flight = 0;
    for (std::uint32_t node = 0; node < step.cluster.node_count(); ++node) {
      in_flight += step.scheduler.node({node}).in_flight;
      const ClusterNodeView view = step.cluster.view(node, step.now);
      expect(view.busy <= view.slots, step, "a node runs more than it has slots");
      const bool idles = view.busy < view.slots && view.waiting > 0;
      expect(!idles || step.cluster.condition(node).frozen, step,
             "requests wait at a node beside a free slot");
    }
    expect(in_flight == step.ledger.open_attempts, step,
           "credits in use are not the attempts not ended");
  }

  Duration patience_{0};
};

}  // namespace

std::unique_ptr<Check> conservation_check(const Scenario& scenario) {
  return std::make_unique<Conservation>(scenario);
}

}  // namespace sluice::sim
