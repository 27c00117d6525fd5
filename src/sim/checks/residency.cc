// Models in the memory of nodes (R18, R25; residency.h): an attempt goes only where its model is
// loaded; every change goes on from the state before; only a managed node that is ready is told to
// load or to unload, a model has one load at a time, and no node is made to hold more than its
// memory, what is on its way out counted in.
#include <algorithm>
#include <variant>

#include "sim/checks/all.h"
#include "sim/checks/mirror.h"

namespace sluice::sim {
namespace {

using core::ResidencyState;

class Resident : public Check {
 public:
  Resident() : Check("residency") {}

  void on(const core::Action& action, const Step& step, const Mirror& mirror) override {
    std::visit([&](const auto& a) { hold(a, step, mirror); }, action);
  }

 private:
  void hold(const core::Dispatch& dispatch, const Step& step, const Mirror& mirror) {
    if (!exists(dispatch.node, dispatch.model, mirror)) return;
    expect(mirror.residency(dispatch.node.value, dispatch.model.value) == ResidencyState::kLoaded,
           step, "a dispatch to a node that has not loaded the model");
  }

  void hold(const core::Adjusted& adjusted, const Step& step, const Mirror& mirror) {
    const auto* const change = std::get_if<core::ResidencyChange>(&adjusted.change);
    if (change == nullptr) return;
    const bool known = exists(change->node, change->model, mirror);
    expect(known && mirror.options().nodes[change->node.value].managed, step,
           "a model comes or goes where it does not");
    if (!known) return;
    expect(mirror.residency(change->node.value, change->model.value) == change->from, step,
           "a model does not go on from its last state");
    expect(change->from != change->to && change->lasted >= Duration::zero(), step,
           "a change of a model that is none");
  }

  void hold(const core::LoadModel& load, const Step& step, const Mirror& mirror) {
    if (!hold_order(load.node, load.model, ResidencyState::kLoading, step, mirror)) return;
    std::uint32_t loads = 0;
    for (std::size_t node = 0; node < mirror.options().nodes.size(); ++node) {
      if (!mirror.hosts(node, load.model.value)) continue;
      const ResidencyState state = mirror.residency(node, load.model.value);
      loads += state == ResidencyState::kLoading ? 1 : 0;
    }
    expect(loads == 1, step, "a model has more than one load at a time");
    const auto memory = mirror.options().nodes[load.node.value].memory_bytes;
    expect(!memory || held(load.node.value, mirror) <= *memory, step,
           "a node is made to hold more than its memory");
  }

  void hold(const core::UnloadModel& unload, const Step& step, const Mirror& mirror) {
    const bool again =
        exists(unload.node, unload.model, mirror) &&
        mirror.residency(unload.node.value, unload.model.value) == ResidencyState::kAborting;
    if (again) return;
    hold_order(unload.node, unload.model, ResidencyState::kUnloading, step, mirror);
  }

  template <class Other>
  void hold(const Other&, const Step&, const Mirror&) {}

  // True: the order can be looked at further.
  bool hold_order(core::NodeId node, core::ModelId model, ResidencyState state, const Step& step,
                  const Mirror& mirror) {
    const bool known = exists(node, model, mirror);
    expect(known && mirror.options().nodes[node.value].managed && mirror.node(node.value).ready,
           step, "an order for a node that does not take any");
    if (!known) return false;
    expect(mirror.residency(node.value, model.value) == state, step,
           "an order that no change explains");
    return true;
  }

  static bool exists(core::NodeId node, core::ModelId model, const Mirror& mirror) {
    return node.value < mirror.options().nodes.size() &&
           model.value < mirror.options().models.size() && mirror.hosts(node.value, model.value);
  }

  // Bytes, with what is on its way in or out.
  static std::uint64_t held(std::size_t node, const Mirror& mirror) {
    std::uint64_t sum = 0;
    for (const core::ModelId model : mirror.options().nodes[node].models) {
      const ResidencyState state = mirror.residency(node, model.value);
      const bool holds = state != ResidencyState::kCold && state != ResidencyState::kPlanned;
      if (holds) sum += mirror.options().models[model.value].memory_bytes;
    }
    return sum;
  }
};

}  // namespace

std::unique_ptr<Check> residency_check() {
  return std::make_unique<Resident>();
}

}  // namespace sluice::sim
