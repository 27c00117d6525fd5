// Header lines, and how they add up to a head: seen through the parser of requests.
#include "http/lines.h"

#include <string>

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

Error error_of(const std::string& bytes, std::size_t max_bytes = 8192) {
  RequestHead head;
  return parse(bytes, max_bytes, head).error;
}

Error error_with(const std::string& lines) {
  return error_of("GET / HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n");
}

TEST(Lines, EndInCarriageReturnAndLineFeed) {
  EXPECT_EQ(error_of("GET / HTTP/1.1\nHost: a\n\n"), Error::kBareLineFeed);
  EXPECT_EQ(error_with("A: b\n"), Error::kBareLineFeed);
  EXPECT_EQ(error_with("A: b\n\r\n"), Error::kBareLineFeed);
  EXPECT_EQ(error_of("\nGET / HTTP/1.1\r\n"), Error::kBareLineFeed);
  EXPECT_EQ(error_of("GET / HTTP/1.1\r\nHost: a\r\n\n"), Error::kBareLineFeed);
}

TEST(Lines, HaveNoControlCharactersButTab) {
  for (int c = 0; c < 0x100; ++c) {
    const bool wrong = (c < 0x20 && c != '\t' && c != '\n') || c == 0x7f;
    const char byte = static_cast<char>(c);
    if (c == '\n') continue;
    // At every place of the words that is_text() takes at a time.
    for (std::size_t at = 0; at < 9; ++at) {
      std::string value = "0123456789abcdef";
      value[at] = byte;
      EXPECT_EQ(error_with("A: " + value + "\r\n") == Error::kControlCharacter, wrong) << c;
    }
  }
  EXPECT_EQ(error_of("GET /\r HTTP/1.1\r\n\r\n"), Error::kControlCharacter);
  EXPECT_EQ(error_with("A\x01: b\r\n"), Error::kControlCharacter);
  EXPECT_EQ(error_with("A: b\r\r\n"), Error::kControlCharacter);
}

TEST(Lines, AreNotFolded) {
  EXPECT_EQ(error_with("A: b\r\n c\r\n"), Error::kObsFold);
  EXPECT_EQ(error_with("A: b\r\n\tc: d\r\n"), Error::kObsFold);
  EXPECT_EQ(error_of("GET / HTTP/1.1\r\n Host: a\r\n\r\n"), Error::kObsFold);
}

TEST(Lines, HeaderNamesAreTokens) {
  EXPECT_EQ(error_with(": b\r\n"), Error::kBadHeaderName);
  EXPECT_EQ(error_with("no-colon\r\n"), Error::kBadHeaderName);
  EXPECT_EQ(error_with("a b: c\r\n"), Error::kBadHeaderName);
  EXPECT_EQ(error_with("a\xc3: c\r\n"), Error::kBadHeaderName);
  EXPECT_EQ(error_with("!#$%&'*+-.^_`|~09azAZ: c\r\n"), Error::kNone);
  EXPECT_EQ(error_with("a : b\r\n"), Error::kSpaceBeforeColon);
  EXPECT_EQ(error_with("Content-Length\t: 1\r\n"), Error::kSpaceBeforeColon);
}

TEST(Lines, HeadersAreCounted) {
  std::string lines;
  for (std::size_t i = 1; i < kMaxHeaders; ++i) lines += "a: b\r\n";
  EXPECT_EQ(error_with(lines), Error::kNone);
  EXPECT_EQ(error_with(lines + "a: b\r\n"), Error::kTooManyHeaders);
}

TEST(Lines, HeadsAreMeasured) {
  const std::string bytes = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  EXPECT_EQ(error_of(bytes, bytes.size()), Error::kNone);
  EXPECT_EQ(error_of(bytes, bytes.size() - 1), Error::kHeadTooLarge);
  EXPECT_EQ(error_of(std::string(100, 'x'), 100), Error::kHeadTooLarge);
  // What lies behind the limit was not looked at.
  EXPECT_EQ(error_of("GET / HTTP/1.1\r\nno header\r\n\r\n", 20), Error::kHeadTooLarge);
}

TEST(Lines, NothingIsReadTwiceUntilALineIsWhole) {
  RequestHead head;
  EXPECT_TRUE(has_new_line("a\r\nb", head));
  EXPECT_FALSE(has_new_line("a\r\nbc", head));
  EXPECT_TRUE(has_new_line("a\r\nbc\r\n", head));
  EXPECT_FALSE(has_new_line("a\r\nbc\r\n", head));
  // Fewer bytes than before can only be a new head.
  EXPECT_TRUE(has_new_line("d\r\n", head));
}

TEST(Lines, AHeadMayMoveBetweenTwoCalls) {
  const std::string bytes = "GET /x HTTP/1.1\r\nHost: abc\r\n\r\n";
  RequestHead head;
  {
    const std::string moved_away = bytes.substr(0, 20);
    ASSERT_EQ(parse(moved_away, 8192, head).progress, Progress::kNeedMore);
  }
  ASSERT_EQ(parse(bytes, 8192, head).progress, Progress::kDone);
  EXPECT_EQ(head.target.data(), bytes.data() + 4);
  EXPECT_EQ(head.all()[0].value.data(), bytes.data() + 23);
  EXPECT_EQ(head.scanned, 0u);
}

}  // namespace
}  // namespace sluice::http
