// Request lines, and what a request must have.
#include "http/host.h"
#include "http/lines.h"
#include "http/parse.h"
#include "http/syntax.h"

namespace sluice::http {
namespace {

// Takes a word and the one space behind it off the line; empty when there is none.
std::string_view take_word(std::string_view& line, ByteClass bytes) {
  const std::size_t length = run_of(bytes, line);
  if (length == line.size() || line[length] != ' ') return {};
  const std::string_view word = line.substr(0, length);
  line.remove_prefix(length + 1);
  return word;
}

bool percent_signs_are_right(std::string_view target) {
  for (std::size_t i = target.find('%'); i != target.npos; i = target.find('%', i + 1)) {
    if (i + 2 >= target.size()) return false;
    if (hex_digit(target[i + 1]) < 0 || hex_digit(target[i + 2]) < 0) return false;
  }
  return true;
}

// http://host/path becomes /path: whoever proxies must take it (RFC 9112, 3.2.2).
bool to_origin_form(std::string_view& target) {
  constexpr std::string_view kScheme = "http://";
  if (!same_word(target.substr(0, kScheme.size()), kScheme)) return false;
  target.remove_prefix(kScheme.size());
  const std::size_t end = target.find_first_of("/?");
  if (!is_host(target.substr(0, end))) return false;
  if (end == target.npos) {
    target = "/";
    return true;
  }
  target.remove_prefix(end);
  return target.front() == '/';
}

Error check_target(RequestHead& head) {
  if (!percent_signs_are_right(head.target)) return Error::kBadTarget;
  if (head.target.front() == '/') return Error::kNone;
  if (head.target == "*" && head.method == "OPTIONS") return Error::kNone;
  return to_origin_form(head.target) ? Error::kNone : Error::kBadTarget;
}

Error read_version(std::string_view text, RequestHead& head) {
  constexpr std::string_view kName = "HTTP/";
  const bool version = text.size() == kName.size() + 3 && text.starts_with(kName) &&
                       is_digit(text[5]) && text[6] == '.' && is_digit(text[7]);
  if (!version) return Error::kBadRequestLine;
  if (text[5] != '1' || text[7] > '1') return Error::kBadVersion;
  head.minor_version = text[7] - '0';
  return Error::kNone;
}

Error read_request_line(std::string_view line, RequestHead& head) {
  head.method = take_word(line, kTokenByte);
  if (head.method.empty()) return Error::kBadRequestLine;
  head.target = take_word(line, kTargetByte);
  if (head.target.empty()) return Error::kBadTarget;
  // The version first: another one may have other targets ("PRI * HTTP/2.0").
  const Error error = read_version(line, head);
  return error == Error::kNone ? check_target(head) : error;
}

Error conclude_request(const Framing& framing, RequestHead& head) {
  if (!framing.has_host && head.minor_version == 1) return Error::kMissingHost;
  head.body = Body{};
  if (framing.has_length) head.body = {BodyKind::kLength, framing.length};
  if (framing.chunked) head.body = {BodyKind::kChunked, 0};
  // HTTP/1.0 knows no interim response: such a caller would take it for the response.
  head.expect_continue = framing.expect_continue && head.minor_version == 1;
  return conclude(framing, head);
}

ParseResult read_request(Lines& lines, RequestHead& head) {
  std::string_view line;
  ParseResult next = lines.next(line);
  // One empty line is passed over (RFC 9112, 2.2): old clients send it after a body.
  if (next.progress == Progress::kDone && line.empty()) next = lines.next(line);
  if (next.progress != Progress::kDone) return next;
  Error error = read_request_line(line, head);
  if (error != Error::kNone) return failed(is_text(line) ? error : Error::kControlCharacter);
  Framing framing;
  next = read_headers(lines, head, framing);
  if (next.progress != Progress::kDone) return next;
  error = conclude_request(framing, head);
  return error == Error::kNone ? done() : failed(error);
}

}  // namespace

ParseResult parse(std::string_view bytes, std::size_t max_bytes, RequestHead& head) {
  return parse_lines(bytes, max_bytes, head,
                     [&head](Lines& lines) { return read_request(lines, head); });
}

}  // namespace sluice::http
