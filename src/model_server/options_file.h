// The configuration file of a model server.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/docs.h"
#include "model_server/options.h"

namespace sluice::model_server {

// Throws config::ConfigError that names file, line and key.
Options read_options(const std::string& path);
Options parse_options(const std::string& text, std::string file);

// What such a file may contain.
config::Docs describe_options();

// "127.0.0.1:8000", "[::1]:8000"; nullopt for anything else. The address is not looked at.
std::optional<Endpoint> parse_endpoint(std::string_view text);
std::string to_string(const Endpoint& endpoint);

}  // namespace sluice::model_server
