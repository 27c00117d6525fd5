// A whole configuration around the lines that a test is about.
#pragma once

#include <string>

#include "config/error.h"
#include "config/serve_config.h"

namespace sluice::config {

// Three lines: what a test appends begins on line 4.
inline constexpr const char* kShortest =
    "models: [{name: detect}]\n"
    "replicas:\n"
    "- {url: 'http://127.0.0.1:8000', models: [detect]}\n";

inline ServeConfig read_with(const std::string& lines) {
  return parse_serve_config(kShortest + lines, "sluice.yaml");
}

// Empty: none.
inline std::string error_of(const std::string& text) {
  try {
    parse_serve_config(text, "sluice.yaml");
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "";
}

inline std::string error_with(const std::string& lines) {
  return error_of(kShortest + lines);
}

}  // namespace sluice::config
