// sluice model-server: the reference replica.
#pragma once

#include <CLI/App.hpp>

namespace sluice::cli {

// Adds the verb. It runs when the command line is parsed, and throws what the server throws.
void add_model_server(CLI::App& app);

}  // namespace sluice::cli
