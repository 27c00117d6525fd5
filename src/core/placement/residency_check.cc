// Everything counted again.
#include <algorithm>

#include "base/check.h"
#include "core/placement/residency.h"

namespace sluice::core {

void Residency::check() const {
  if (!enabled_) return;
  std::vector<std::uint32_t> loads(models_.size());
  std::vector<std::size_t> usable(models_.size());
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) check_node({n});
  for (std::uint32_t id = 0; id < replicas_.size(); ++id) {
    const Replica& replica = replicas_[id];
    const Model& model = models_[replica.model.value];
    const bool loads_now =
        replica.state == ResidencyState::kPlanned || replica.state == ResidencyState::kLoading;
    loads[replica.model.value] += loads_now;
    SLUICE_CHECK(!loads_now || model.loading == id, "a model knows its load");
    const bool is_usable =
        replica.state == ResidencyState::kLoaded && nodes_[replica.node.value].ready;
    usable[replica.model.value] += is_usable;
    SLUICE_CHECK(is_usable == (replica.usable_at != kNone), "what is loaded and ready is usable");
    SLUICE_CHECK(!is_usable || model.usable[replica.usable_at] == id, "usable ones are listed");
  }
  for (std::size_t m = 0; m < models_.size(); ++m) {
    SLUICE_CHECK(loads[m] == (models_[m].loading == kNone ? 0 : 1), "one load a model");
    SLUICE_CHECK(usable[m] == models_[m].usable.size(), "only usable ones are listed");
  }
}

void Residency::check_node(NodeId at) const {
  const Node& node = nodes_[at.value];
  std::uint64_t used = 0;
  std::uint64_t claimed = 0;
  std::size_t idle = 0;
  for (const ModelId model : options_.nodes[at.value].models) {
    const Replica& replica = replicas_[replica_of(at, model)];
    if (!node.managed) continue;
    const Footprint& size = models_[model.value].size;
    if (!replica.managed) {
      used += size.memory;
      claimed += size.held(true);
      continue;
    }
    const bool cold = replica.state == ResidencyState::kCold;
    const bool leaves =
        replica.state == ResidencyState::kDraining || replica.state == ResidencyState::kUnloading;
    SLUICE_CHECK(cold || node.ready, "a node that is down holds nothing that is known");
    used += cold || replica.state == ResidencyState::kPlanned ? 0 : size.memory;
    claimed += size.held(!cold && !leaves);
    idle += replica.state == ResidencyState::kLoaded && replica.in_flight == 0;
  }
  SLUICE_CHECK(used == node.memory.used(), "memory in use is that of the models there");
  SLUICE_CHECK(claimed == node.memory.claimed(), "memory is claimed for the models that stay");
  for (std::uint32_t id = node.idle.first; id != kNone; id = threads_.next(id)) --idle;
  SLUICE_CHECK(idle == 0, "idle models are listed");
}

}  // namespace sluice::core
