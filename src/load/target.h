// Where the load goes.
#pragma once

#include <string>
#include <string_view>

namespace sluice::load {

struct Target {
  std::string host;  // a v6 address without its brackets
  std::string port = "80";
  std::string prefix;  // of every path: empty, or "/…" without a slash at the end

  // As it stands in the Host header.
  std::string authority() const;

  // Reads http://host[:port][/prefix]; [v6] addresses in brackets. Throws std::invalid_argument
  // with what is wrong.
  static Target parse(std::string_view url);
};

}  // namespace sluice::load
