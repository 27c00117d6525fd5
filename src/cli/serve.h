// sluice serve.
#pragma once

#include <CLI/App.hpp>

namespace sluice::cli {

void add_serve(CLI::App& app);

}  // namespace sluice::cli
