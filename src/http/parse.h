// Strict parsers of heads. What two implementations could read differently is an error here, so
// that nobody smuggles a request past us: no bare line feeds, no control bytes, no folded lines, no
// doubtful lengths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/error.h"
#include "http/message.h"

namespace sluice::http {

enum class Progress : std::uint8_t { kNeedMore, kDone, kError };

struct ParseResult {
  Progress progress = Progress::kNeedMore;
  Error error = Error::kNone;
};

// Reads the head at the beginning of `bytes`; what follows it is not looked at. On kNeedMore call
// again with the same bytes and more behind them, at the same place or another, and the same
// `head`, whose contents mean nothing until kDone. A head longer than `max_bytes` is
// kHeadTooLarge. O(bytes) in all, however small the pieces.
ParseResult parse(std::string_view bytes, std::size_t max_bytes, RequestHead& head);

// `to_head`: it answers a HEAD request, so that no body follows whatever the headers say. Interim
// answers (1xx) are heads of their own, without a body; the caller skips them.
ParseResult parse(std::string_view bytes, std::size_t max_bytes, bool to_head, ResponseHead& head);

}  // namespace sluice::http
