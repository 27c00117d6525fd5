#include "probe/health_target.h"

#include "base/check.h"

namespace sluice::probe {

std::vector<HealthTarget> health_targets(const config::ServeConfig& config) {
  const auto& nodes = config.core.nodes;
  SLUICE_CHECK(nodes.size() == config.replicas.size(), "nodes and replicas go together");
  std::vector<HealthTarget> targets;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const auto& replica = config.replicas[i];
    targets.push_back({core::NodeId{i}, nodes[i].name, replica.address,
                       replica.path_prefix + config.health.path});
  }
  return targets;
}

}  // namespace sluice::probe
