// The lines that both kinds of heads are made of.
#pragma once

#include <cstddef>
#include <string_view>

#include "http/error.h"
#include "http/field.h"
#include "http/message.h"
#include "http/parse.h"

namespace sluice::http {

constexpr ParseResult failed(Error error) {
  return {Progress::kError, error};
}
constexpr ParseResult done() {
  return {Progress::kDone, Error::kNone};
}

// Goes through the whole lines at the beginning of some bytes.
class Lines {
 public:
  explicit Lines(std::string_view bytes) : bytes_(bytes) {}

  // kDone: `line` is the next one, without its CR LF. kNeedMore: it is not whole.
  ParseResult next(std::string_view& line);
  // Bytes of the lines that were taken.
  std::size_t taken() const { return taken_; }

 private:
  std::string_view bytes_;
  std::size_t taken_ = 0;
};

// Header lines up to and including the empty one.
ParseResult read_headers(Lines& lines, Head& head, Framing& framing);

// Whether a line has become whole since the last call, and reading is worth while: so a head that
// comes byte by byte is not read anew with each of them. Keeps head.scanned.
bool has_new_line(std::string_view bytes, Head& head);

// The frame of both parsers: `read` takes the lines of the head, once there are new ones.
template <class Read>
ParseResult parse_lines(std::string_view bytes, std::size_t max_bytes, Head& head, Read read) {
  const std::string_view allowed = bytes.substr(0, max_bytes);
  Lines lines(allowed);
  ParseResult result;
  if (has_new_line(allowed, head)) result = read(lines);
  if (result.progress == Progress::kNeedMore) {
    if (allowed.size() < max_bytes) return result;
    result = failed(Error::kHeadTooLarge);
  }
  head.scanned = 0;
  head.size = lines.taken();
  return result;
}

}  // namespace sluice::http
