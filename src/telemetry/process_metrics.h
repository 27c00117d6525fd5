// The process as its operating system sees it.
#pragma once

#include "telemetry/family.h"

namespace sluice::telemetry {

// Appends build information and the families of kProcessCpuSeconds .. kProcessOpenFds. What the
// system does not tell (another kernel, no /proc) is left out. A few system calls, ~20 µs.
void collect_process(Families& families);

}  // namespace sluice::telemetry
