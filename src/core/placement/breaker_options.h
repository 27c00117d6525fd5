// When a breaker opens, and for how long.
#pragma once

#include <cstdint>

#include "base/time.h"

namespace sluice::core {

struct BreakerOptions {
  // Failures without a success between them; 0: not a cause.
  std::uint32_t consecutive_failures = 5;
  // Share of failures (0 < x ≤ 1; above 1: not a cause) among recent verdicts, where there are at
  // least this many. Recent: weighted by e^(−age ÷ window), window > 0. Below min_volume ÷ window
  // attempts a second, only the other causes act.
  double failure_share = 0.5;
  double min_volume = 20;
  Duration window = std::chrono::seconds(10);
  // Successes in a row that took this many times longer than predicted (> 1); 0 in a row: not a
  // cause.
  double slow_ratio = 4;
  std::uint32_t slow_in_a_row = 10;
  // How long it stays open at first, > 0; doubles with each time it opens again, up to the longest.
  Duration open_for = std::chrono::seconds(2);
  Duration longest_open = std::chrono::seconds(60);
  // Closed for this long: the next opening is a first one.
  Duration healthy_after = std::chrono::seconds(60);
  // Half-open: attempts let through at a time, ≥ 1, and successes in a row that close it, ≥ 1.
  std::uint16_t probes = 1;
  std::uint16_t successes_to_close = 3;
};

}  // namespace sluice::core
