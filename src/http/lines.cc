#include "http/lines.h"

#include "http/syntax.h"

namespace sluice::http {
namespace {

// Why a line whose first `length` bytes could be a name is no header.
Error wrong_name(std::string_view line, std::size_t length) {
  if (is_space(line.front())) return Error::kObsFold;
  const std::string_view rest = trimmed(line.substr(length));
  if (!is_text(line)) return Error::kControlCharacter;
  const bool spaced = length > 0 && is_space(line[length]) && rest.starts_with(':');
  return spaced ? Error::kSpaceBeforeColon : Error::kBadHeaderName;
}

Error read_header(std::string_view line, Head& head, Framing& framing) {
  const std::size_t length = run_of(kTokenByte, line);
  if (length == 0 || length == line.size() || line[length] != ':') return wrong_name(line, length);
  if (head.header_count == kMaxHeaders) return Error::kTooManyHeaders;
  const std::string_view name = line.substr(0, length);
  const std::string_view value = line.substr(length + 1);
  if (!is_text(value)) return Error::kControlCharacter;
  const Field field = field_of(name);
  Header& header = head.headers[head.header_count++];
  header = {name, trimmed(value), field, is_hop_by_hop(field)};
  return field == Field::kOther ? Error::kNone : read_field(header, framing);
}

}  // namespace

ParseResult Lines::next(std::string_view& line) {
  const std::string_view rest = bytes_.substr(taken_);
  const std::size_t feed = rest.find('\n');
  if (feed == rest.npos) return {};
  if (feed == 0 || rest[feed - 1] != '\r') return failed(Error::kBareLineFeed);
  line = rest.substr(0, feed - 1);
  taken_ += feed + 1;
  return done();
}

ParseResult read_headers(Lines& lines, Head& head, Framing& framing) {
  head.header_count = 0;
  for (;;) {
    std::string_view line;
    const ParseResult next = lines.next(line);
    if (next.progress != Progress::kDone || line.empty()) return next;
    const Error error = read_header(line, head, framing);
    if (error != Error::kNone) return failed(error);
  }
}

bool has_new_line(std::string_view bytes, Head& head) {
  const std::size_t scanned = head.scanned <= bytes.size() ? head.scanned : 0;
  head.scanned = bytes.size();
  return bytes.find('\n', scanned) != bytes.npos;
}

}  // namespace sluice::http
