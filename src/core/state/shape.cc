#include "core/state/shape.h"

#include <vector>

#include "core/state/writer.h"

namespace sluice::core::state {

std::uint64_t checksum(std::span<const std::byte> bytes) {
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (const std::byte each : bytes) {
    sum = (sum ^ static_cast<std::uint64_t>(each)) * 0x100000001b3u;
  }
  return sum;
}

std::uint64_t shape_of(const Options& options) {
  std::vector<std::byte> bytes;
  Writer write(bytes);
  const Policy& p = options.policy;
  write(p.ordering, p.lane_service, p.fairness, p.binding, p.placement, p.admission, p.reclaim,
        p.control);
  write(options.task_types, options.paths, options.rule_limits.rules);
  write.length(options.models.size());
  for (const ModelOptions& model : options.models) {
    write(model.name, model.task_type, model.memory_bytes, model.reserved_bytes);
  }
  write.length(options.tenants.size());
  for (const TenantOptions& tenant : options.tenants) write(tenant.name);
  write.length(options.nodes.size());
  for (const NodeOptions& node : options.nodes) {
    const PriorityRange accepted = node.accepted();
    write(node.name, node.kind, node.models, node.slots, node.credits, node.cancel, node.path);
    write(node.standby, node.managed, node.pinned, node.memory_bytes, accepted.from, accepted.to);
  }
  for (const LaneOptions& lane : options.lanes) write(lane.capacity, lane.saturation);
  return checksum(bytes);
}

}  // namespace sluice::core::state
