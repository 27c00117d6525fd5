// A configuration as it was understood, for a person to read: defaults filled in, names resolved.
#pragma once

#include <string>

#include "config/serve_config.h"

namespace sluice::config {

// Some pages of plain text: the priority table, lanes, models, replicas, tenants, policy, limits.
std::string summarise(const ServeConfig& config);

}  // namespace sluice::config
