// Preemption (R15, amendment 4; preemption.cc of the core): only a task of the low lane is taken
// off its slot, only one that may run twice, only from a node where an attempt that nobody waits
// for stops, at most `preemption.most` times; and only for a task of the high lane that has just
// come.
#include <variant>

#include "sim/checks/all.h"
#include "sim/checks/mirror.h"

namespace sluice::sim {
namespace {

class Preemption : public Check {
 public:
  Preemption() : Check("preemption") {}

  void on(const core::Action& action, const Step& step, const Mirror& mirror) override {
    const auto* const requeued = std::get_if<core::Requeued>(&action);
    if (requeued == nullptr || requeued->cause != core::Reason::kNone) return;
    const SeenRequest* const victim = mirror.find(requeued->request);
    if (victim == nullptr) return;
    expect(victim->preemptions < mirror.options().preemption.most, step,
           "a task is preempted too often");
    expect(mirror.heard().submitted != nullptr, step, "a task is preempted for nobody");
    expect(victim->lane == core::Lane::kLow, step,
           "a task is preempted that is not of the low lane");
    expect(victim->retriable, step, "a task is preempted that may not run twice");
    const core::NodeOptions& node = mirror.options().nodes[requeued->node.value];
    expect(node.cancel == core::CancelMode::kStops, step,
           "a task is preempted where it would run on");
  }
};

}  // namespace

std::unique_ptr<Check> preemption_check() {
  return std::make_unique<Preemption>();
}

}  // namespace sluice::sim
