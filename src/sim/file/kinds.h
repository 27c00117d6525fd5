// Quantities whose unit is part of the key: `budget_ms: 80`, `at_s: 60`, `memory_gb: 8`.
#pragma once

#include "base/time.h"
#include "config/kind.h"

namespace sluice::sim {

// Plain numbers of seconds and milliseconds; bounds are inclusive and not negative.
config::Kind<Duration> seconds_number(Duration least, Duration most);
config::Kind<Duration> milliseconds_number(Duration least, Duration most);
// Thousand millions of bytes; the value is in bytes.
config::Kind<double> gigabytes(double least_gb, double most_gb);

}  // namespace sluice::sim
