// sluice load: the load generator.
#pragma once

#include <CLI/App.hpp>

namespace sluice::cli {

// Adds the verb. It runs when the command line is parsed, and throws when the scenario or the
// target is no good, or when not one request succeeded.
void add_load(CLI::App& app);

}  // namespace sluice::cli
