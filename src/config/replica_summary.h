// The part of the summary (summary.h) that is about replicas: who they are, what they take, and how
// they are entered and left.
#pragma once

#include <string>

#include "config/serve_config.h"

namespace sluice::config {

std::string summarise_replicas(const ServeConfig& config);

}  // namespace sluice::config
