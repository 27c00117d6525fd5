// How replicas are checked, and which.
#pragma once

#include <cstdint>
#include <string>

#include "base/time.h"
#include "core/ids.h"

namespace sluice::probe {

struct HealthCheckOptions {
  // GET this; any 2xx passes. The default is the Open Inference Protocol's.
  std::string path = "/v2/health/ready";
  // From the start of one check to that of the next, ± 10 %; > 0.
  Duration interval = std::chrono::seconds(1);
  // For a whole check, connecting included; > 0.
  Duration timeout = std::chrono::seconds(1);
  // Checks in a row that bring a node back, or take it out; ≥ 1.
  std::uint32_t healthy_after = 2;
  std::uint32_t unhealthy_after = 3;
};

struct HealthTarget {
  core::NodeId node;
  std::string name;  // in logs
  std::string host;  // name or address, without brackets
  std::uint16_t port = 0;
};

}  // namespace sluice::probe
