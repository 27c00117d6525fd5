#include "core/placement/strategy.h"

namespace sluice::core {

double outstanding(const Node& node) {
  return static_cast<double>(node.in_flight()) / node.slots();
}

double expected_queue_ns(const Node& node, Duration service) {
  const auto own_ns = static_cast<double>(service.count());
  const double mean_ns = node.mean_service_ns() > 0 ? node.mean_service_ns() : own_ns;
  return outstanding(node) * mean_ns + own_ns;
}

}  // namespace sluice::core
