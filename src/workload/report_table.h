// A report as a table for a person: a block a lane, a line a run, so that runs can be compared.
#pragma once

#include <string>

#include "workload/report.h"

namespace sluice::workload {

// Lines of at most ~120 columns, each ended by a newline. Plain ASCII, no colours.
std::string to_table(const Report& report);

}  // namespace sluice::workload
