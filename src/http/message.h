// Heads of HTTP/1.1 messages (RFC 9110, 9112) as views of the bytes they came in: nothing is
// copied, and nothing is allocated.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace sluice::http {

// More header lines than this are a flood: kTooManyHeaders.
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
  std::string_view name;   // as it was written: compare with same_word()
  std::string_view value;  // without the white space around it; no control character but tab
  Field field = Field::kOther;
  // Meant for the next hop only, and not to be passed on (RFC 9110, 7.6.1): by itself, or because
  // a Connection header names it.
  bool hop_by_hop = false;
};

enum class BodyKind : std::uint8_t {
  kNone,
  kLength,      // Body::length bytes, which may be 0
  kChunked,     // see ChunkDecoder
  kUntilClose,  // responses only: all that comes until the sender closes
};

struct Body {
  BodyKind kind = BodyKind::kNone;
  std::uint64_t length = 0;  // of kLength, else 0; below 10^18
};

// What requests and responses share. Every view is good for as long as the bytes that were parsed
// stay where they are.
struct Head {
  std::size_t size = 0;     // bytes, the empty line included: what follows begins here
  int minor_version = 1;    // HTTP/1.0 or HTTP/1.1
  bool keep_alive = false;  // as far as this message says, the connection may be used again
  Body body;
  std::array<Header, kMaxHeaders> headers;
  std::size_t header_count = 0;

  // Kept by parse(): bytes of an unfinished head that hold no news. Set it to 0 when an unfinished
  // head is dropped and another one begins.
  std::size_t scanned = 0;

  std::span<const Header> all() const { return {headers.data(), header_count}; }
};

struct RequestHead : Head {
  std::string_view method;  // any token; case matters
  // Path and query, or "*" of OPTIONS. Of http://host/path it is the part from the path on.
  std::string_view target;
  bool expect_continue = false;  // a "100 Continue" is waited for; never in HTTP/1.0
};

struct ResponseHead : Head {
  int status = 0;           // 100 … 599, and not 101: nobody asks for another protocol
  std::string_view reason;  // may be empty
};

// Without regard to case, as names and tokens are compared; ASCII.
bool same_word(std::string_view a, std::string_view b);

}  // namespace sluice::http
