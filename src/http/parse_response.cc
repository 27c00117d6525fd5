// Status lines, and how the end of a response is found.
#include "http/lines.h"
#include "http/parse.h"
#include "http/syntax.h"

namespace sluice::http {
namespace {

// "HTTP/1.1 200 OK". The space belongs there even before an empty reason; many leave both out.
Error read_status_line(std::string_view line, ResponseHead& head) {
  constexpr std::string_view kStart = "HTTP/1.1 200";
  if (!is_text(line)) return Error::kControlCharacter;
  if (line.size() < kStart.size() || !line.starts_with("HTTP/1.")) return Error::kBadStatusLine;
  if ((line[7] != '0' && line[7] != '1') || line[8] != ' ') return Error::kBadStatusLine;
  head.minor_version = line[7] - '0';
  head.status = 0;
  for (const char c : line.substr(9, 3)) {
    if (!is_digit(c)) return Error::kBadStatusLine;
    head.status = head.status * 10 + (c - '0');
  }
  if (head.status < 100 || head.status > 599 || head.status == 101) return Error::kBadStatusLine;
  line.remove_prefix(kStart.size());
  if (!line.empty() && line.front() != ' ') return Error::kBadStatusLine;
  head.reason = trimmed(line);
  return Error::kNone;
}

// RFC 9112, 6.3.
Body body_of(const Framing& framing, int status, bool to_head) {
  if (to_head || status < 200 || status == 204 || status == 304) return {};
  if (framing.chunked) return {BodyKind::kChunked, 0};
  if (framing.has_length) return {BodyKind::kLength, framing.length};
  return {BodyKind::kUntilClose, 0};
}

ParseResult read_response(Lines& lines, bool to_head, ResponseHead& head) {
  std::string_view line;
  ParseResult next = lines.next(line);
  if (next.progress != Progress::kDone) return next;
  Error error = read_status_line(line, head);
  if (error != Error::kNone) return failed(error);
  Framing framing;
  next = read_headers(lines, head, framing);
  if (next.progress != Progress::kDone) return next;
  error = conclude(framing, head);
  if (error != Error::kNone) return failed(error);
  head.body = body_of(framing, head.status, to_head);
  if (head.body.kind == BodyKind::kUntilClose) head.keep_alive = false;
  return done();
}

}  // namespace

ParseResult parse(std::string_view bytes, std::size_t max_bytes, bool to_head, ResponseHead& head) {
  return parse_lines(bytes, max_bytes, head,
                     [&](Lines& lines) { return read_response(lines, to_head, head); });
}

}  // namespace sluice::http
