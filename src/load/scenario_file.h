// Scenarios as files.
#pragma once

#include <string>

#include "load/scenario.h"

namespace sluice::load {

// Throws config::ConfigError, which names file, line, key and what is allowed.
Scenario load_scenario(const std::string& path);
// `file` is the name that errors call it by.
Scenario parse_scenario(const std::string& yaml, std::string file);

// Every key, its default and its bounds, in Markdown.
std::string scenario_reference();

}  // namespace sluice::load
