// docs/scenarios.md, made from the code that reads scenarios.
#pragma once

#include <string>

namespace sluice::sim {

std::string scenario_markdown();

}  // namespace sluice::sim
