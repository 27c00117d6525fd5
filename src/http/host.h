// What a Host header and the authority of a URL may be.
#pragma once

#include <string_view>

namespace sluice::http {

// A name, an IPv4 address or an IPv6 address in brackets, and a port of at most 65535 if there is
// a colon. Narrower than RFC 3986: percent-encodings and punctuation are in no DNS name. O(length).
bool is_host(std::string_view text);

}  // namespace sluice::http
