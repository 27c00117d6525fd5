#include "probe/health_target.h"

#include "base/check.h"

namespace sluice::probe {

std::vector<HealthTarget> health_targets(const config::ServeConfig& config) {
  const auto& nodes = config.core.nodes;
  SLUICE_CHECK(nodes.size() == config.replicas.size(), "nodes and replicas go together");
  std::vector<HealthTarget> targets;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const auto& replica = config.replicas[i];
    targets.push_back({.node = core::NodeId{i},
                       .name = nodes[i].name,
                       .address = replica.address,
                       .path = replica.path_prefix + config.health.path,
                       .path_prefix = replica.path_prefix,
                       .models_come_and_go = nodes[i].managed});
  }
  return targets;
}

}  // namespace sluice::probe
