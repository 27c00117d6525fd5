#include "http/parse.h"

#include <string>

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

constexpr std::size_t kMax = 8192;

Error error_of(const std::string& bytes, bool to_head = false) {
  ResponseHead head;
  const ParseResult result = parse(bytes, kMax, to_head, head);
  EXPECT_NE(result.progress, Progress::kNeedMore) << bytes;
  return result.error;
}

ResponseHead parsed(const std::string& bytes, bool to_head = false) {
  ResponseHead head;
  EXPECT_EQ(parse(bytes, kMax, to_head, head).progress, Progress::kDone) << bytes;
  return head;
}

TEST(ParseResponse, ReadsWhatAReplicaSends) {
  static const std::string bytes =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
  const ResponseHead head = parsed(bytes);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.reason, "OK");
  EXPECT_EQ(head.minor_version, 1);
  EXPECT_TRUE(head.keep_alive);
  EXPECT_EQ(head.body.kind, BodyKind::kLength);
  EXPECT_EQ(head.body.length, 2u);
  EXPECT_EQ(head.size, bytes.size() - 2);
  EXPECT_EQ(head.all().size(), 2u);
}

TEST(ParseResponse, ReasonsMayBeAbsent) {
  EXPECT_EQ(parsed("HTTP/1.1 200 \r\n\r\n").reason, "");
  EXPECT_EQ(parsed("HTTP/1.1 200\r\n\r\n").reason, "");
  static const std::string bytes = "HTTP/1.0 404 Not Found\r\n\r\n";
  EXPECT_EQ(parsed(bytes).reason, "Not Found");
}

TEST(ParseResponse, BadStatusLines) {
  for (const char* line :
       {"", "HTTP/1.1", "HTTP/1.1 20", "HTTP/1.1 2000", "HTTP/1.1 099 x", "HTTP/1.1 600 x",
        "HTTP/1.1 101 Switching Protocols", "HTTP/1.1 -10 x", "HTTP/1.1  200 OK", "HTTP/2.0 200 OK",
        "HTTP/1.2 200 OK", "http/1.1 200 OK", "ICY 200 OK", "HTTP/1.1 2xx OK", "HTTP/1.1 200OK"}) {
    EXPECT_EQ(error_of(std::string(line) + "\r\n\r\n"), Error::kBadStatusLine) << line;
  }
  EXPECT_EQ(error_of("HTTP/1.1 200 O\x7fK\r\n\r\n"), Error::kControlCharacter);
  EXPECT_EQ(error_of("HTTP/1.1 200 OK\n\n"), Error::kBareLineFeed);
}

TEST(ParseResponse, FramingIsAsStrictAsThatOfRequests) {
  const std::string start = "HTTP/1.1 200 OK\r\n";
  EXPECT_EQ(error_of(start + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n"),
            Error::kTwoContentLengths);
  EXPECT_EQ(error_of(start + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
            Error::kLengthAndChunked);
  EXPECT_EQ(error_of(start + "Transfer-Encoding: gzip\r\n\r\n"), Error::kUnknownTransferEncoding);
  EXPECT_EQ(error_of(start + "A : b\r\n\r\n"), Error::kSpaceBeforeColon);
  EXPECT_EQ(error_of(start + "A: b\r\n c\r\n\r\n"), Error::kObsFold);
}

TEST(ParseResponse, ChunkedBodies) {
  const ResponseHead head = parsed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
  EXPECT_EQ(head.body.kind, BodyKind::kChunked);
  EXPECT_TRUE(head.keep_alive);
}

TEST(ParseResponse, WithoutFramingTheBodyEndsWithTheConnection) {
  const ResponseHead head = parsed("HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(head.body.kind, BodyKind::kUntilClose);
  EXPECT_FALSE(head.keep_alive);
}

TEST(ParseResponse, SomeHaveNoBodyWhateverTheySay) {
  const std::string lines = "\r\nContent-Length: 5\r\n\r\n";
  for (const char* status : {"100 Continue", "103 Early Hints", "204 No Content", "304 x"}) {
    const ResponseHead head = parsed("HTTP/1.1 " + std::string(status) + lines);
    EXPECT_EQ(head.body.kind, BodyKind::kNone) << status;
    EXPECT_EQ(head.body.length, 0u);
    EXPECT_TRUE(head.keep_alive);
  }
  EXPECT_EQ(parsed("HTTP/1.1 200 OK" + lines, true).body.kind, BodyKind::kNone);
  EXPECT_EQ(parsed("HTTP/1.1 200 OK\r\n\r\n", true).body.kind, BodyKind::kNone);
}

}  // namespace
}  // namespace sluice::http
