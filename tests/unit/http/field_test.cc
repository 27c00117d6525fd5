#include "http/field.h"

#include <string>

#include <gtest/gtest.h>

#include "http/parse.h"

namespace sluice::http {
namespace {

ParseResult parse_with(const std::string& lines, RequestHead& head, char minor = '1') {
  static std::string bytes;
  bytes = "POST / HTTP/1." + std::string(1, minor) + "\r\nHost: a\r\n" + lines + "\r\n";
  return parse(bytes, 1 << 16, head);
}

Error error_with(const std::string& lines) {
  RequestHead head;
  return parse_with(lines, head).error;
}

bool keep_alive_with(const std::string& lines, char minor) {
  RequestHead head;
  EXPECT_EQ(parse_with(lines, head, minor).progress, Progress::kDone);
  return head.keep_alive;
}

TEST(Field, KnowsTheNamesInAnyCase) {
  EXPECT_EQ(field_of("Transfer-Encoding"), Field::kTransferEncoding);
  EXPECT_EQ(field_of("CONTENT-LENGTH"), Field::kContentLength);
  EXPECT_EQ(field_of("hOST"), Field::kHost);
  EXPECT_EQ(field_of("te"), Field::kTe);
  EXPECT_EQ(field_of("Expect"), Field::kExpect);
  EXPECT_EQ(field_of("trailer"), Field::kTrailer);
  EXPECT_EQ(field_of("upgrade"), Field::kUpgrade);
  EXPECT_EQ(field_of("connection"), Field::kConnection);
  EXPECT_EQ(field_of("keep-alive"), Field::kKeepAlive);
  EXPECT_EQ(field_of("proxy-connection"), Field::kProxyConnection);
  EXPECT_EQ(field_of("content-lengt_"), Field::kOther);
  EXPECT_EQ(field_of("user-agent"), Field::kOther);
}

TEST(Field, ContentLengthIsOneNumber) {
  for (const char* value : {"", "-1", "+1", "0x1", "1 2", "1,1", "1, 1", "1.0", "1e3", "a",
                            "1000000000000000000", "18446744073709551616"}) {
    EXPECT_EQ(error_with("Content-Length: " + std::string(value) + "\r\n"),
              Error::kBadContentLength)
        << value;
  }
  RequestHead head;
  ASSERT_EQ(parse_with("content-length: 999999999999999999\r\n", head).error, Error::kNone);
  EXPECT_EQ(head.body.length, 999'999'999'999'999'999u);
  EXPECT_EQ(error_with("Content-Length: 1\r\nContent-Length: 1\r\n"), Error::kTwoContentLengths);
}

TEST(Field, TransferEncodingIsChunkedAlone) {
  for (const char* value : {"", "chunked, chunked", "chunked,gzip", "chunked;q=1", ",chunked",
                            "chunked,", "chunked chunked"}) {
    EXPECT_EQ(error_with("Transfer-Encoding: " + std::string(value) + "\r\n"),
              Error::kBadTransferEncoding)
        << value;
  }
  for (const char* value : {"gzip", "gzip, chunked", "identity", "xchunked", "chunkedx"}) {
    EXPECT_EQ(error_with("Transfer-Encoding: " + std::string(value) + "\r\n"),
              Error::kUnknownTransferEncoding)
        << value;
  }
  EXPECT_EQ(error_with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"),
            Error::kBadTransferEncoding);
  EXPECT_EQ(error_with("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"),
            Error::kUnknownTransferEncoding);
}

TEST(Field, ConnectionsLiveOnAsTheVersionAndTheSenderSay) {
  EXPECT_TRUE(keep_alive_with("", '1'));
  EXPECT_FALSE(keep_alive_with("Connection: close\r\n", '1'));
  EXPECT_FALSE(keep_alive_with("Connection: a, ,Close\r\n", '1'));
  EXPECT_FALSE(keep_alive_with("Connection: keep-alive\r\nConnection: close\r\n", '1'));
  EXPECT_FALSE(keep_alive_with("", '0'));
  EXPECT_TRUE(keep_alive_with("Connection: Keep-Alive\r\n", '0'));
}

TEST(Field, ConnectionNamesHopByHopHeaders) {
  RequestHead head;
  ASSERT_EQ(parse_with("X-One: 1\r\nConnection: x-one, keep-alive\r\nX-Two: 2\r\n"
                       "Connection: X-TWO, Content-Length, host\r\nX-Three: 3\r\n"
                       "Content-Length: 4\r\nTE: trailers\r\nKeep-Alive: timeout=5\r\n",
                       head)
                .error,
            Error::kNone);
  for (const Header& header : head.all()) {
    // Never the framing, whatever Connection names.
    const bool stays = header.name == "X-Three" || header.field == Field::kContentLength ||
                       header.field == Field::kHost;
    EXPECT_EQ(header.hop_by_hop, !stays) << header.name;
  }
}

TEST(Field, ConnectionIsAShortListOfWords) {
  EXPECT_EQ(error_with("Connection: a b\r\n"), Error::kBadConnection);
  EXPECT_EQ(error_with("Connection: \"a\"\r\n"), Error::kBadConnection);
  std::string options = "x";
  for (int i = 1; i < 32; ++i) options += ",x";
  EXPECT_EQ(error_with("Connection: " + options + "\r\n"), Error::kNone);
  EXPECT_EQ(error_with("Connection: " + options + ",x\r\n"), Error::kBadConnection);
}

}  // namespace
}  // namespace sluice::http
