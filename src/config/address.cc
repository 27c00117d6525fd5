#include "config/address.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <arpa/inet.h>

namespace sluice::config {
namespace {

constexpr std::size_t kHostLimitBytes = 253;
constexpr std::size_t kLabelLimitBytes = 63;
constexpr std::size_t kPathLimitBytes = 256;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_alphanumeric(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_literal(int family, std::string_view host) {
  std::array<unsigned char, sizeof(in6_addr)> ignored;
  return inet_pton(family, std::string(host).c_str(), ignored.data()) == 1;
}

// Underscores are no part of host names, yet compose files and clusters are full of them.
bool is_label(std::string_view label) {
  const auto allowed = [](char c) { return is_alphanumeric(c) || c == '-' || c == '_'; };
  return !label.empty() && label.size() <= kLabelLimitBytes && label.front() != '-' &&
         label.back() != '-' && std::all_of(label.begin(), label.end(), allowed);
}

bool is_host_name(std::string_view host) {
  if (host.size() > kHostLimitBytes) return false;
  std::string_view label;
  for (std::size_t begin = 0; begin <= host.size(); begin += label.size() + 1) {
    label = host.substr(begin, host.find('.', begin) - begin);
    if (!is_label(label)) return false;
  }
  // A name whose last label is a number would be read as an address: "10.0.0.256".
  return !std::all_of(label.begin(), label.end(), is_digit);
}

std::optional<std::string> parse_host(std::string_view text) {
  if (text.size() > 2 && text.front() == '[' && text.back() == ']') {
    text = text.substr(1, text.size() - 2);
    return is_literal(AF_INET6, text) ? std::optional(std::string(text)) : std::nullopt;
  }
  if (!is_literal(AF_INET, text) && !is_host_name(text)) return std::nullopt;
  return std::string(text);
}

bool is_path(std::string_view path) {
  const auto visible = [](char c) { return c > ' ' && c < 0x7f && c != '#'; };
  return path.size() <= kPathLimitBytes && path.starts_with('/') &&
         std::all_of(path.begin(), path.end(), visible);
}

bool anything(const auto&) {
  return true;
}

}  // namespace

std::optional<Address> parse_address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos) return std::nullopt;
  auto host = parse_host(text.substr(0, colon));
  const std::string_view digits = text.substr(colon + 1);
  std::uint16_t port = 0;
  const char* const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, port);
  if (!host || error != std::errc() || rest != end) return std::nullopt;
  return Address{std::move(*host), port};
}

std::string format_address(const Address& address) {
  const bool is_ipv6 = address.host.find(':') != std::string::npos;
  const std::string host = is_ipv6 ? "[" + address.host + "]" : address.host;
  return host + ":" + std::to_string(address.port);
}

Kind<Address> address() {
  return {.name = "an address",
          .example = "HOST:PORT, like 127.0.0.1:8080, [::1]:8080 or localhost:8080",
          .bounds = "",
          .parse = parse_address,
          .within = anything<Address>,
          .format = format_address};
}

std::optional<HttpUrl> parse_http_url(std::string_view text) {
  constexpr std::string_view kScheme = "http://";
  if (!text.starts_with(kScheme)) return std::nullopt;
  text.remove_prefix(kScheme.size());
  const std::size_t slash = std::min(text.find('/'), text.size());
  auto address = parse_address(text.substr(0, slash));
  std::string_view prefix = text.substr(slash);
  while (prefix.ends_with('/')) prefix.remove_suffix(1);
  if (!address || address->port == 0) return std::nullopt;
  if (!prefix.empty() && (!is_path(prefix) || prefix.find('?') != prefix.npos)) return std::nullopt;
  return HttpUrl{std::move(*address), std::string(prefix)};
}

std::string format_http_url(const HttpUrl& url) {
  return "http://" + format_address(url.address) + url.path_prefix;
}

Kind<HttpUrl> http_url() {
  return {.name = "a URL",
          .example = "http://HOST:PORT or http://HOST:PORT/PREFIX; https is not supported",
          .bounds = "",
          .parse = parse_http_url,
          .within = anything<HttpUrl>,
          .format = format_http_url};
}

Kind<std::string> request_path() {
  return {.name = "a path",
          .example = "/ and visible characters, like /v2/health/ready",
          .bounds = "",
          .parse = [](std::string_view text) -> std::optional<std::string> {
            return is_path(text) ? std::optional(std::string(text)) : std::nullopt;
          },
          .within = anything<std::string>,
          .format = [](const std::string& path) { return path; }};
}

}  // namespace sluice::config
