// Where something listens or is reached, as it is written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "config/kind.h"

namespace sluice::config {

// A host name or an address literal, without brackets. Port 0: any free one.
struct Address {
  std::string host;
  std::uint16_t port = 0;

  bool operator==(const Address&) const = default;
};

// "HOST:PORT" with a name, an IPv4 address, or an IPv6 address in brackets. Nothing is looked up.
std::optional<Address> parse_address(std::string_view text);
std::string format_address(const Address& address);
Kind<Address> address();

// An endpoint over plain HTTP/1.1 and what stands before the paths that are asked for there.
struct HttpUrl {
  Address address;          // port ≥ 1
  std::string path_prefix;  // empty or "/something", without a slash at its end
};

// "http://HOST:PORT[/PREFIX]", without user, query and fragment.
std::optional<HttpUrl> parse_http_url(std::string_view text);
std::string format_http_url(const HttpUrl& url);
Kind<HttpUrl> http_url();

// The path of a request: "/" and visible characters, without fragment.
Kind<std::string> request_path();

}  // namespace sluice::config
