// Heads of HTTP/1.1 messages (RFC 9112) as slices of the bytes they came in: nothing is copied, and
// nothing is allocated.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace sluice::http {

// More than this many header lines are a flood: kTooManyHeaders.
inline constexpr std::size_t kMaxHeaders = 100;

// The headers that say something to a proxy itself, told apart once, while parsing.
enum class Field : std::uint8_t {
  kOther,
  kConnection,
  kContentLength,
  kExpect,
  kHost,
  kKeepAlive,
  kProxyConnection,
  kTe,
  kTrailer,
  kTransferEncoding,
  kUpgrade,
};

struct Header {
  std::string_view name;   // as it was written; compare without regard to case
  std::string_view value;  // without the white space around it; may be empty
  Field field = Field::kOther;
  // Meant for the next hop only (RFC 9110, 7.6.1), by itself or because Connection names it.
  bool hop_by_hop = false;
};

enum class BodyKind : std::uint8_t {
  kNone,
  kLength,      // Body::length bytes
  kChunked,     // see ChunkDecoder
  kUntilClose,  // answers only: all that comes until the sender closes
};

struct Body {
  BodyKind kind = BodyKind::kNone;
  std::uint64_t length = 0;  // of kLength; 0 otherwise
};

// What requests and answers have in common. The views point into the bytes that were parsed, and
// are good for as long as those stay where they are.
struct Head {
  std::size_t size = 0;   // bytes, the empty line included: the body begins here
  int minor_version = 1;  // HTTP/1.0 or HTTP/1.1
  // Whether the connection may be used again, as far as this message says.
  bool keep_alive = true;
  Body body;
  std::array<Header, kMaxHeaders> headers;
  std::size_t header_count = 0;
  // The parser's own: bytes of an unfinished head that it has seen already.
  std::size_t scanned = 0;

  std::span<const Header> all() const { return {headers.data(), header_count}; }
};

struct RequestHead : Head {
  std::string_view method;
  // In origin form ("/path?query"), or "*" for OPTIONS; an absolute form is reduced to this.
  std::string_view target;
  bool expect_continue = false;
};

struct ResponseHead : Head {
  int status = 0;           // 100..599
  std::string_view reason;  // may be empty
};

// Without regard to case, as names and tokens are compared; ASCII.
bool same_word(std::string_view a, std::string_view b);

}  // namespace sluice::http
