// docs/configuration.md, made from the code that reads the configuration.
#pragma once

#include <string>

namespace sluice::config {

std::string configuration_markdown();

}  // namespace sluice::config
