#include "http/field.h"

#include <algorithm>
#include <span>

#include "http/host.h"
#include "http/syntax.h"

namespace sluice::http {
namespace {

// Each option is looked for among all headers.
constexpr int kMaxConnectionOptions = 32;
// 18 digits: sums with sizes in memory cannot overflow.
constexpr std::size_t kMaxLengthDigits = 18;

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

// A list ("5, 5"), a sign and leading or trailing anything are wrong, not mended.
Error read_length(std::string_view value, Framing& framing) {
  if (framing.has_length) return Error::kTwoContentLengths;
  if (value.empty() || value.size() > kMaxLengthDigits) return Error::kBadContentLength;
  for (const char c : value) {
    if (!is_digit(c)) return Error::kBadContentLength;
    framing.length = framing.length * 10 + static_cast<unsigned>(c - '0');
  }
  framing.has_length = true;
  return Error::kNone;
}

// Several lines are one list (RFC 9110, 5.3). chunked must come last, and once.
Error read_coding(std::string_view list, Framing& framing) {
  framing.has_coding = true;
  if (list.ends_with(',')) return Error::kBadTransferEncoding;
  do {
    const std::string_view coding = take_element(list);
    if (!all_of(kTokenByte, coding) || framing.chunked) return Error::kBadTransferEncoding;
    (same_word(coding, "chunked") ? framing.chunked : framing.unknown_coding) = true;
  } while (!list.empty());
  return Error::kNone;
}

Error read_connection(std::string_view list, Framing& framing) {
  while (!list.empty()) {
    const std::string_view option = take_element(list);
    if (option.empty()) continue;
    if (!all_of(kTokenByte, option)) return Error::kBadConnection;
    if (same_word(option, "close")) {
      framing.close = true;
    } else if (same_word(option, "keep-alive")) {
      framing.keep_alive = true;
    } else if (++framing.connection_options > kMaxConnectionOptions) {
      return Error::kBadConnection;
    }
  }
  return Error::kNone;
}

Error read_host(std::string_view value, Framing& framing) {
  if (framing.has_host) return Error::kTwoHosts;
  framing.has_host = true;
  return is_host(value) ? Error::kNone : Error::kBadHost;
}

// Only headers without a meaning to us: a peer that names Content-Length there must not make us
// forward a body without its length.
void mark_named(std::string_view list, Head& head) {
  while (!list.empty()) {
    const std::string_view option = take_element(list);
    for (Header& header : std::span(head.headers.data(), head.header_count)) {
      if (header.field == Field::kOther && same_word(header.name, option)) header.hop_by_hop = true;
    }
  }
}

}  // namespace

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

// The length leaves at most two names to compare with.
Field field_of(std::string_view name) {
  const auto either = [name](std::string_view known, Field field) {
    return same_word(name, known) ? field : Field::kOther;
  };
  switch (name.size()) {
    case 2:
      return either("te", Field::kTe);
    case 4:
      return either("host", Field::kHost);
    case 6:
      return either("expect", Field::kExpect);
    case 7:
      return same_word(name, "trailer") ? Field::kTrailer : either("upgrade", Field::kUpgrade);
    case 10:
      return same_word(name, "connection") ? Field::kConnection
                                           : either("keep-alive", Field::kKeepAlive);
    case 14:
      return either("content-length", Field::kContentLength);
    case 16:
      return either("proxy-connection", Field::kProxyConnection);
    case 17:
      return either("transfer-encoding", Field::kTransferEncoding);
    default:
      return Field::kOther;
  }
}

Error read_field(const Header& header, Framing& framing) {
  switch (header.field) {
    case Field::kConnection:
      return read_connection(header.value, framing);
    case Field::kContentLength:
      return read_length(header.value, framing);
    case Field::kTransferEncoding:
      return read_coding(header.value, framing);
    case Field::kHost:
      return read_host(header.value, framing);
    case Field::kExpect:
      // Other expectations may be passed over (RFC 9110, 10.1.1).
      if (same_word(header.value, "100-continue")) framing.expect_continue = true;
      return Error::kNone;
    default:
      return Error::kNone;
  }
}

Error conclude(const Framing& framing, Head& head) {
  if (framing.has_length && framing.has_coding) return Error::kLengthAndChunked;
  if (framing.has_coding && head.minor_version == 0) return Error::kBadTransferEncoding;
  if (framing.unknown_coding) return Error::kUnknownTransferEncoding;
  head.keep_alive = !framing.close && (head.minor_version == 1 || framing.keep_alive);
  if (framing.connection_options == 0) return Error::kNone;
  for (const Header& header : head.all()) {
    if (header.field == Field::kConnection) mark_named(header.value, head);
  }
  return Error::kNone;
}

}  // namespace sluice::http
