#include "cli/serve.h"

#include <exception>
#include <memory>
#include <sstream>
#include <string>

#include <spdlog/spdlog.h>

#include "config/serve_config.h"
#include "gateway/gateway.h"

namespace sluice::cli {
namespace {

std::string to_text(const boost::asio::ip::tcp::endpoint& endpoint) {
  std::ostringstream out;
  out << endpoint;
  return out.str();
}

int serve(const std::string& file) {
  try {
    config::ServeConfig config = config::load_serve_config(file);
    spdlog::info("policy {}, {} models, {} replicas", config.core.policy.name,
                 config.core.models.size(), config.core.nodes.size());
    gateway::Gateway gateway(std::move(config));
    // Tests and scripts read these two lines: the ports may have been chosen by the system.
    spdlog::info("listening on {}", to_text(gateway.http_endpoint()));
    spdlog::info("admin on {}", to_text(gateway.admin_endpoint()));
    return gateway.run() ? 0 : 1;
  } catch (const std::exception& error) {
    spdlog::error("{}", error.what());
    return 2;
  }
}

}  // namespace

void add_serve(CLI::App& app) {
  auto* verb = app.add_subcommand("serve", "Schedule requests over replicas");
  verb->description(
      "Takes inference requests (Open Inference Protocol v2) and decides which runs next, on "
      "which\n"
      "replica, or not at all.\n\n"
      "  sluice serve -c sluice.yaml\n\n"
      "SIGTERM drains: accepted requests are finished, then it exits with 0 (1: the drain timeout\n"
      "cut some; 2: the configuration or an address is wrong). `sluice check -c FILE` explains a\n"
      "configuration without serving it.");
  auto file = std::make_shared<std::string>();
  verb->add_option("-c,--config", *file, "Configuration file (YAML)")->required();
  verb->callback([file] { throw CLI::RuntimeError(serve(*file)); });
}

}  // namespace sluice::cli
