// How callers differ in what they say of their requests, beyond model, tenant and priority.
#pragma once

#include <cstdint>

#include "core/labels.h"

namespace sluice::sim {

// Shares of requests, 0..1; which of them it is, is drawn for each by itself.
struct Habits {
  double run_now = 0;     // run now or not at all
  double once = 0;        // may not be run twice
  double impatient = 0;   // have a budget of zero to a fifth of their lane's
  double hinted = 0;      // guess how long they will take, 10 times too short to 10 times too long
  double untaught = 0;    // say nothing about their model: no inference
  double mean_bytes = 0;  // size: exponential
};

// Labels of the request as its caller has them. Depends on the seed, the request's number and
// what is given.
core::Labels with_habits(core::Labels labels, const Habits& habits, std::uint64_t seed,
                         std::uint64_t number);

}  // namespace sluice::sim
