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

using namespace std::string_literals;

constexpr int kNotSound = 2;

struct Arguments {
  std::string file;
  bool docs = false;
};

void check(const std::string& file) {
  try {
    std::cout << config::summarise(config::load_serve_config(file)) << '\n'
              << file << " is sound.\n";
  } catch (const config::ConfigError& error) {
    std::cerr << error.what() << '\n';
    throw CLI::RuntimeError(kNotSound);
  }
}

void run(const Arguments& arguments) {
  if (arguments.docs) {
    std::cout << config::configuration_markdown();
  } else if (!arguments.file.empty()) {
    check(arguments.file);
  } else {
    throw CLI::RequiredError("-c FILE or --docs");
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
  const auto arguments = std::make_shared<Arguments>();
  CLI::Option* file = verb->add_option("-c,--config", arguments->file, "Configuration file (YAML)");
  verb->add_flag("--docs", arguments->docs, "Print all keys as Markdown instead")->excludes(file);
  verb->callback([arguments] { run(*arguments); });
}

}  // namespace sluice::cli
