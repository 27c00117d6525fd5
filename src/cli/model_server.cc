#include "cli/model_server.h"

#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "model_server/options_file.h"
#include "model_server/server.h"

namespace sluice::cli {
namespace {

constexpr const char* kFooter = R"(
A configuration, say replica.yaml:

  listen: 127.0.0.1:8000
  slots: 2                # inferences at a time
  queue: 64               # waiting ones; beyond them the answer is 503
  models:
    - name: orientation
      onnx: .deps/models/orientation.onnx
    - name: embed         # takes a drawn time, burns no CPU
      timed: {mean: 5ms, cv: 0.3, memory: 500MB, failure_rate: 0.1%}

Then:

  sluice model-server -c replica.yaml &
  curl localhost:8000/v2/models/embed
  curl -d '{"id":"1"}' localhost:8000/v2/models/embed/infer
)";

struct Arguments {
  std::string file;
  std::string listen;
  std::optional<std::uint16_t> port;
};

model_server::Options options_of(const Arguments& arguments) {
  model_server::Options options = model_server::read_options(arguments.file);
  if (!arguments.listen.empty()) {
    options.listen = *model_server::parse_endpoint(arguments.listen);
  }
  if (arguments.port) options.listen.port = *arguments.port;
  return options;
}

void run(const Arguments& arguments) {
  model_server::Server server(options_of(arguments));
  server.stop_on_signals();
  // Flushed: scripts wait for this line.
  std::cout << "listening on " << server.bound_address() << std::endl;
  server.run();
}

std::string check_endpoint(const std::string& text) {
  return model_server::parse_endpoint(text) ? "" : "write ADDRESS:PORT, such as 127.0.0.1:8000";
}

}  // namespace

void add_model_server(CLI::App& app) {
  CLI::App* verb =
      app.add_subcommand("model-server", "Serve models: a replica to put behind Sluice");
  verb->footer(kFooter);
  const auto arguments = std::make_shared<Arguments>();
  verb->add_option("-c,--config", arguments->file, "Configuration (YAML)")
      ->required()
      ->check(CLI::ExistingFile);
  verb->add_option("--listen", arguments->listen, "Listen here, whatever the configuration says")
      ->check(check_endpoint)
      ->type_name("ADDRESS:PORT");
  verb->add_option("--port", arguments->port, "Listen on this port, 0 for any free one");
  verb->callback([arguments] { run(*arguments); });
}

}  // namespace sluice::cli
