// Heads of HTTP/1.1 messages (RFC 9110, 9112), read without a copy or an allocation.
//
// Strict on purpose: between two parties who read the same bytes differently a request can be
// smuggled. What the RFC lets a recipient mend is refused here instead; only the empty line before
// a request line, and an absent reason phrase, are let pass.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "http/error.h"  // IWYU pragma: export
#include "http/write.h"  // IWYU pragma: export

namespace sluice::http {

inline constexpr std::size_t kMaxHeaders = 100;

struct Header {
  std::string_view name;   // as sent: compare without case
  std::string_view value;  // without the white space around it; no control character but tab
};

enum class BodyKind : std::uint8_t {
  kNone,
  kLength,
  kChunked,
  kUntilClose,  // responses only: ends where the connection does
};

struct Body {
  BodyKind kind = BodyKind::kNone;
  std::uint64_t length = 0;  // of kLength, else 0; below 10^18
};

// What requests and responses share. Every view lies in the bytes that were parsed and is good for
// as long as they stay where they are.
struct Head {
  int minor_version = 1;  // HTTP/1.0 or 1.1
  std::array<Header, kMaxHeaders> headers;
  std::size_t count = 0;
  Body body;
  bool keep_alive = false;  // the sender lets the connection live on after this message
  std::size_t size = 0;     // bytes, the empty line (and one before a request) included

  // For parse(): bytes of an unfinished head that hold no news. 0 before and after a head; set it
  // to 0 when an unfinished one is dropped.
  std::size_t seen = 0;

  std::span<const Header> all() const { return {headers.data(), count}; }
  // The value of the first header of this name; without case. O(count).
  std::optional<std::string_view> find(std::string_view lower_name) const;
  // Whether the header concerns this connection only and may not be passed on: those the RFC
  // lists, and those that any Connection header names.
  bool is_hop_by_hop(const Header& header) const;
};

struct RequestHead : Head {
  std::string_view method;  // any token, case kept
  // Path and query, or "*". Of http://host/path the part from the path on ("/" where it has none,
  // the one view that does not lie in the caller's bytes).
  std::string_view target;
  std::string_view host;  // with port; empty where HTTP/1.0 names none
  bool expect_continue = false;
};

struct ResponseHead : Head {
  int status = 0;           // 100 … 599, not 101
  std::string_view reason;  // may be empty
};

struct ParseResult {
  Progress progress = Progress::kNeedMore;
  Error error = Error::kNone;
};

// Reads a head from the start of the bytes; what follows it is ignored. On kNeedMore, call again
// with the same bytes and more (they may have moved). An error shows at the latest when its line
// is whole. Except seen, the head has no meaning until kDone. max_head in bytes: a head of more is
// kHeadTooLarge. O(bytes), however small the pieces they come in.
ParseResult parse(std::string_view bytes, std::size_t max_head, RequestHead& head);

// The same for a response. head_request: it answers a HEAD, which has no body. A 1xx response is
// returned like any other, with no body: the caller skips it and parses what follows.
ParseResult parse(std::string_view bytes, std::size_t max_head, bool head_request,
                  ResponseHead& head);

// Whether a header concerns one connection only: those the RFC lists and those named in the value
// of a Connection header. Head::is_hop_by_hop() is the same for several Connection headers.
bool is_hop_by_hop(std::string_view name, std::string_view connection_value);

}  // namespace sluice::http
