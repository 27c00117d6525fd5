// A change that the control loop or a breaker made, as a line for people (R9, R30).
#pragma once

#include <string>

#include "core/action.h"
#include "core/options.h"

namespace sluice::telemetry {

// "breaker of detect on npu-1: closed to open, consecutive_failures (5 in a row), for 2000 ms".
// Names come from the options the scheduler runs with.
std::string describe(const core::Adjusted& adjusted, const core::Options& options);

}  // namespace sluice::telemetry
