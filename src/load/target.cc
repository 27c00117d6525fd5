#include "load/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace sluice::load {
namespace {

[[noreturn]] void reject(std::string_view url, std::string_view why) {
  throw std::invalid_argument(fmt::format("target \"{}\": {}; write http://host:port", url, why));
}

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string Target::authority() const {
  const bool v6 = host.find(':') != std::string::npos;
  return v6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

Target Target::parse(std::string_view url) {
  constexpr std::string_view kScheme = "http://";
  if (!url.starts_with(kScheme)) reject(url, "only http:// is spoken");
  const std::string_view rest = url.substr(kScheme.size());
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const std::string_view authority = rest.substr(0, slash);
  if (authority.find_first_of(" \t\r\n@?#") != std::string_view::npos) {
    reject(url, "the host has characters that no host has");
  }
  Target target;
  // The colons of a v6 address are inside its brackets.
  const std::size_t bracket = authority.rfind(']');
  const std::size_t colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  std::string_view host = authority.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host.empty()) reject(url, "the host is missing");
  target.host = host;
  if (colon != std::string_view::npos) {
    target.port = authority.substr(colon + 1);
    if (!is_port(target.port)) reject(url, "the port is no number");
  }
  std::string_view prefix = rest.substr(slash);
  while (prefix.ends_with('/')) prefix.remove_suffix(1);
  target.prefix = prefix;
  return target;
}

}  // namespace sluice::load
