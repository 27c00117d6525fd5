// sluice sim: the simulator.
#pragma once

#include <CLI/App.hpp>

namespace sluice::cli {

// Adds the verb. It runs when the command line is parsed, and throws when the scenario or a policy
// is no good, or when an invariant was violated.
void add_sim(CLI::App& app);

}  // namespace sluice::cli
