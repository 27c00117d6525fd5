// One binary, a verb each: sluice VERB --help tells the rest.
#include <exception>
#include <iostream>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/check.h"
#include "cli/load.h"
#include "cli/model_server.h"
#include "cli/serve.h"
#include "cli/sim.h"
#include "telemetry/version.h"

int main(int argc, char** argv) {
  CLI::App app(
      "Sluice schedules inference requests onto replicas by their service-level objectives",
      "sluice");
  app.set_version_flag("--version", "sluice " + std::string(sluice::telemetry::version()));
  app.require_subcommand(1);
  sluice::cli::add_serve(app);
  sluice::cli::add_check(app);
  sluice::cli::add_load(app);
  sluice::cli::add_model_server(app);
  sluice::cli::add_sim(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Error& error) {
    return app.exit(error);  // --help and --version come this way too
  } catch (const std::exception& error) {
    std::cerr << "sluice: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
