// Strict parsers of heads. Where two parties read the same bytes differently, a request can be
// smuggled: what the RFC lets a recipient mend is an error here. Let pass are only an empty line
// before a request and a missing reason phrase, which end up the same for everybody.
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
// `head`, which means nothing until kDone. Errors show once their line is whole. A head of more
// than `max_bytes` is kHeadTooLarge. What is read twice is bounded: whole lines only, and only when
// another line has become whole.
ParseResult parse(std::string_view bytes, std::size_t max_bytes, RequestHead& head);

// `to_head`: it answers a HEAD request, so that no body follows whatever the headers say. Interim
// responses (1xx) are heads of their own, without a body; the caller skips them.
ParseResult parse(std::string_view bytes, std::size_t max_bytes, bool to_head, ResponseHead& head);

}  // namespace sluice::http
