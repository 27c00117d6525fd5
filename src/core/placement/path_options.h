// When a path is left and entered (R28).
#pragma once

#include <cstdint>

#include "base/time.h"

namespace sluice::core {

// Most of each figure.
struct PathThresholds {
  double utilisation = 1;
  double queue = 1;
};

struct PathOptions {
  // A better path may be entered below these, and is left above those: the gap between them is what
  // keeps a path that has just taken its load from being left again. Failures and latency of a path
  // that is not in use are old; its probes say whether they still hold.
  PathThresholds enter{.utilisation = 0.7, .queue = 0.5};
  PathThresholds leave{.utilisation = 0.95, .queue = 0.9};
  double leave_slowness = 1.3;
  std::uint32_t failures_in_a_row = 3;  // ≥ 1
  // After a switch, before a better path is probed; > 0. Doubles, up to the longest, each time a
  // path had to be left again within `settle` of going back to it.
  Duration hold = std::chrono::seconds(10);
  Duration longest_hold = std::chrono::minutes(2);
  Duration settle = std::chrono::minutes(1);
  // Successful probes in a row that bring a better path back; ≥ 1.
  std::uint32_t probes = 3;
  // The least time between a switch and one away from a path that is down itself, when that goes up
  // without probes or to a path that failed earlier; 0 < x ≤ hold.
  Duration least_stay = std::chrono::seconds(1);
};

}  // namespace sluice::core
