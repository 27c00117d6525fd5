// Slots and credits (amendments 1 and 4; node.h): an attempt goes only to a node that the core has
// been told is ready, that has the model, and that has a credit left; credits lie between the slots
// and four times as many, or are as configured; credits in use are the attempts not yet ended.
#include <variant>

#include "core/placement/node.h"
#include "sim/checks/all.h"
#include "sim/checks/mirror.h"

namespace sluice::sim {
namespace {

class Credits : public Check {
 public:
  Credits() : Check("credits") {}

  void on(const core::Action& action, const Step& step, const Mirror& mirror) override {
    const auto* const dispatch = std::get_if<core::Dispatch>(&action);
    if (dispatch == nullptr) return;
    const std::uint32_t node = dispatch->node.value;
    expect(mirror.hosts(node, dispatch->model.value), step,
           "a dispatch to a node without the model");
    const SeenRequest* const request = mirror.find(dispatch->request);
    const bool is_new = request != nullptr && request->stage == Stage::kNew;
    const core::Priority asks =
        request == nullptr || is_new ? dispatch->priority : request->accepted_as;
    expect(mirror.options().nodes[node].accepted().contains(asks), step,
           "a dispatch to a node that does not take its priority");
    expect(mirror.node(node).ready, step, "a dispatch to a node that is not ready");
    // Whatever moves credits comes before a call's dispatches.
    expect(mirror.node(node).in_flight < step.scheduler.node(dispatch->node).credits, step,
           "a dispatch to a node without a credit");
  }

  void after(const Step& step, const Mirror& mirror) override {
    for (const core::Action& action : step.actions) {
      const auto* const dispatch = std::get_if<core::Dispatch>(&action);
      if (dispatch != nullptr) look_at(dispatch->node.value, step, mirror);
    }
    if (mirror.heard().ended) look_at(mirror.heard().ended->node, step, mirror);
    expect(step.scheduler.counters().attempts == mirror.open_attempts(), step,
           "attempts are not those begun and not ended");
  }

 private:
  void look_at(std::uint32_t node, const Step& step, const Mirror& mirror) {
    const core::NodeView view = step.scheduler.node({node});
    expect(view.in_flight == mirror.node(node).in_flight, step,
           "a node's credits in use are not its attempts");
    const core::NodeOptions& options = mirror.options().nodes[node];
    // Fewer while it starts slowly, at least one.
    const std::uint32_t most = options.credits.value_or(options.slots * core::Node::kCreditCap);
    expect(view.credits >= 1 && view.credits <= most, step,
           "a node has no credit, or more than it may have");
  }
};

}  // namespace

std::unique_ptr<Check> credits_check() {
  return std::make_unique<Credits>();
}

}  // namespace sluice::sim
