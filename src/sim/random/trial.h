// A random world, run once under all checks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/coverage.h"
#include "sim/random/random_world.h"
#include "sim/simulation.h"

namespace sluice::sim {

struct TrialOptions {
  std::uint64_t seed = 1;
  std::uint64_t tasks = 1500;
  bool check = true;
  bool noise = true;  // false: without the events that make no sense, all else the same
  // In place of how often the world would have its scheduler restored.
  std::optional<std::uint32_t> restores;
};

struct Trial {
  Result result;
  Coverage coverage;
  std::uint64_t digest = 0;   // of all actions
  std::uint64_t actions = 0;  // how many
  double load = 0;            // that was meant
  std::string policy;
};

// The same options give the same trial, byte for byte. Should the process end meanwhile because an
// invariant is broken, it says how to get there again.
Trial try_world(const TrialOptions& options);

// What to type to see it again.
std::string replay_line(const TrialOptions& options);

}  // namespace sluice::sim
