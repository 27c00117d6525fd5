#include <algorithm>
#include <string>
#include <vector>

#include "base/check.h"
#include "fuzz/http_checks.h"
#include "http/parse.h"
#include "http/syntax.h"

namespace sluice::fuzz {
namespace {

using http::ParseResult;
using http::Progress;
using http::RequestHead;
using http::ResponseHead;

constexpr std::size_t kMaxHead = 2048;

ParseResult parse(std::string_view bytes, RequestHead& head) {
  return http::parse(bytes, kMaxHead, head);
}
ParseResult parse(std::string_view bytes, ResponseHead& head) {
  return http::parse(bytes, kMaxHead, false, head);
}

std::string first_line(const RequestHead& head) {
  const char minor = static_cast<char>('0' + head.minor_version);
  return std::string(head.method).append(" ").append(head.target).append(" HTTP/1.") + minor;
}
std::string first_line(const ResponseHead& head) {
  const char minor = static_cast<char>('0' + head.minor_version);
  return std::string("HTTP/1.") + minor + ' ' + std::to_string(head.status) + ' ' +
         std::string(head.reason);
}

// The head as a strict sender would have written it.
template <class Head>
std::string written(const Head& head) {
  std::string out = first_line(head) + "\r\n";
  for (const http::Header& header : head.all()) {
    out.append(header.name).append(": ").append(header.value).append("\r\n");
  }
  return out + "\r\n";
}

// Everything a reader acts upon.
template <class Head>
bool same(const Head& a, const Head& b) {
  bool equal = written(a) == written(b) && a.keep_alive == b.keep_alive &&
               a.body.kind == b.body.kind && a.body.length == b.body.length;
  for (std::size_t i = 0; equal && i < a.header_count; ++i) {
    equal = a.headers[i].field == b.headers[i].field &&
            a.headers[i].hop_by_hop == b.headers[i].hop_by_hop;
  }
  return equal;
}

void check_views(std::string_view bytes, const http::Head& head) {
  SLUICE_CHECK(head.size <= bytes.size() && head.size <= kMaxHead, "a head within its bytes");
  SLUICE_CHECK(bytes.substr(0, head.size).ends_with("\r\n\r\n"), "an empty line ends the head");
  const std::string_view own = bytes.substr(0, head.size);
  for (const http::Header& header : head.all()) {
    SLUICE_CHECK(inside(header.name, own) && inside(header.value, own), "views within the head");
    SLUICE_CHECK(http::all_of(http::kTokenByte, header.name), "names are tokens");
    SLUICE_CHECK(header.value == http::trimmed(header.value), "values are trimmed");
    for (const char c : header.value) SLUICE_CHECK(http::is(http::kTextByte, c), "values are text");
  }
  const bool framed_late = head.body.kind == http::BodyKind::kChunked && head.minor_version == 0;
  SLUICE_CHECK(!framed_late, "HTTP/1.0 knows no chunks");
}

void check_first_line(std::string_view bytes, const RequestHead& head) {
  SLUICE_CHECK(inside(head.method, bytes), "the method within the head");
  SLUICE_CHECK(inside(head.target, bytes) || head.target == "/", "the target within the head");
  SLUICE_CHECK(head.body.kind != http::BodyKind::kUntilClose, "requests have an end");
}
void check_first_line(std::string_view bytes, const ResponseHead& head) {
  SLUICE_CHECK(inside(head.reason, bytes), "the reason within the head");
  SLUICE_CHECK(head.status >= 100 && head.status <= 599 && head.status != 101, "a status we know");
}

// The same bytes in pieces, each time in memory of its own that ends where they end.
template <class Head>
ParseResult parse_in_pieces(std::string_view bytes, std::size_t piece, std::vector<char>& copy,
                            Head& head) {
  ParseResult result;
  for (std::size_t given = 0; given < bytes.size() && result.progress == Progress::kNeedMore;) {
    given = std::min(given + piece, bytes.size());
    copy = std::vector<char>(bytes.data(), bytes.data() + given);
    result = parse({copy.data(), copy.size()}, head);
  }
  return result;
}

template <class Head>
void check_head(std::string_view bytes) {
  Head whole;
  const ParseResult result = parse(bytes, whole);
  const bool waits = result.progress == Progress::kNeedMore;
  SLUICE_CHECK((result.progress == Progress::kError) == (result.error != http::Error::kNone),
               "an error has a name");
  SLUICE_CHECK(!waits || bytes.size() < kMaxHead, "waiting is bounded");
  const bool done = result.progress == Progress::kDone;
  if (done) check_views(bytes, whole);
  if (done) check_first_line(bytes, whole);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{13}}) {
    Head pieced;
    std::vector<char> copy;
    const ParseResult again = parse_in_pieces(bytes, piece, copy, pieced);
    SLUICE_CHECK(again.progress == result.progress && again.error == result.error,
                 "however the bytes come");
    SLUICE_CHECK(!done || (same(whole, pieced) && whole.size == pieced.size),
                 "however the bytes come");
  }
  if (!done) return;
  const std::string anew = written(whole);
  Head read;
  // A space after every colon can make it longer than allowed.
  const bool reread = parse(anew, read).progress == Progress::kDone;
  SLUICE_CHECK(anew.size() > kMaxHead || (reread && same(whole, read)), "written and read again");
}

}  // namespace

void check_request_head(std::string_view bytes) {
  check_head<RequestHead>(bytes);
}
void check_response_head(std::string_view bytes) {
  check_head<ResponseHead>(bytes);
}

}  // namespace sluice::fuzz
