// The part of the summary (summary.h) that is about memory: which models come and go where, what is
// set aside for them, and when they are loaded and unloaded.
#pragma once

#include <string>

#include "config/serve_config.h"

namespace sluice::config {

std::string summarise_residency(const core::Options& core);

}  // namespace sluice::config
