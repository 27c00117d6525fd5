#include "cli/check.h"

#include <iostream>
#include <memory>
#include <string>

#include "config/error.h"
#include "config/serve_config.h"
#include "config/serve_docs.h"
#include "config/summary.h"

namespace sluice::cli {
namespace {

constexpr int kNotSound = 2;

void check(const std::string& file) {
  try {
    std::cout << config::summarise(config::load_serve_config(file)) << '\n'
              << file << " is sound.\n";
  } catch (const config::ConfigError& error) {
    std::cerr << error.what() << '\n';
    throw CLI::RuntimeError(kNotSound);
  }
}

}  // namespace

void add_check(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("check", "Explain a configuration of sluice serve");
  verb->description(
      "Says whether a configuration is sound, and how it is understood: priority table, lanes,\n"
      "models, replicas, tenants, policy and limits, with all defaults.\n\n"
      "  sluice check -c sluice.yaml\n"
      "  sluice check --docs\n\n"
      "Exits with 0, or with 2 and one line that names file, line, key and what is allowed.");
  const auto file = std::make_shared<std::string>();
  CLI::Option* config = verb->add_option("-c,--config", *file, "Configuration file (YAML)");
  CLI::Option* docs = verb->add_flag("--docs", "Print all keys as Markdown instead");
  docs->excludes(config);
  verb->callback([file, config, docs] {
    if (docs->count() > 0) {
      std::cout << config::configuration_markdown();
    } else if (config->count() > 0) {
      check(*file);
    } else {
      throw CLI::RequiredError("-c FILE or --docs");
    }
  });
}

}  // namespace sluice::cli
