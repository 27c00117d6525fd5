// Which endpoints are checked.
#pragma once

#include <string>
#include <vector>

#include "config/serve_config.h"
#include "core/ids.h"

namespace sluice::probe {

struct HealthTarget {
  core::NodeId node;
  std::string name;  // in logs
  config::Address address;
  std::string path;  // whole: prefix of the replica included
  std::string path_prefix;
  bool models_come_and_go = false;  // it is asked which are loaded, too
};

// One for every replica of the configuration.
std::vector<HealthTarget> health_targets(const config::ServeConfig& config);

}  // namespace sluice::probe
