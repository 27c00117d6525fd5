// sluice check: what a configuration means, without serving it.
#pragma once

#include <CLI/App.hpp>

namespace sluice::cli {

// Adds the verb. It runs when the command line is parsed, and throws CLI::RuntimeError with 2 when
// the file is not sound.
void add_check(CLI::App& app);

}  // namespace sluice::cli
