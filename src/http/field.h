// What header lines mean to a proxy.
#pragma once

#include <cstdint>
#include <string_view>

#include "http/error.h"
#include "http/message.h"

namespace sluice::http {

// kOther for every name without a meaning of its own. O(length).
Field field_of(std::string_view name);

// Whether a header of this meaning is for the next hop only, whatever Connection says.
constexpr bool is_hop_by_hop(Field field) {
  return field != Field::kOther && field != Field::kContentLength && field != Field::kExpect &&
         field != Field::kHost;
}

// What the headers say about the connection, the body and the host, gathered line by line.
struct Framing {
  bool has_length = false;
  std::uint64_t length = 0;
  bool has_coding = false;
  bool chunked = false;
  bool unknown_coding = false;
  bool close = false;          // Connection: close
  bool keep_alive = false;     // Connection: keep-alive
  int connection_options = 0;  // names of headers that Connection gives
  bool has_host = false;
  bool expect_continue = false;
};

// Adds one header.
Error read_field(const Header& header, Framing& framing);

// After the last header: what none of them shows alone. Sets head.keep_alive, and marks as
// hop-by-hop what Connection names.
Error conclude(const Framing& framing, Head& head);

}  // namespace sluice::http
