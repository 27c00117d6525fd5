// Scenarios of the simulator as files.
#pragma once

#include <string>

#include "config/docs.h"
#include "sim/scenario.h"

namespace sluice::sim {

// Files may stand on others (`base:`), at most so many.
inline constexpr int kBaseLimit = 8;

// Both throw config::ConfigError, which names file, line, key and what is allowed; where a base is
// at fault, the base.
Scenario load_scenario(const std::string& path);
// `file` is the name that errors call it by, and what the path of a base is relative to.
Scenario parse_scenario(const std::string& yaml, const std::string& file);

// What a scenario may contain.
config::Docs describe_scenario();

}  // namespace sluice::sim
