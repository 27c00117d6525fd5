#include "http/parse.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

constexpr std::size_t kMax = 8192;

// The error of a whole request; kNone when it is accepted.
Error error_of(std::string_view bytes, std::size_t max_bytes = kMax) {
  RequestHead head;
  const ParseResult result = parse(bytes, max_bytes, head);
  EXPECT_NE(result.progress, Progress::kNeedMore) << bytes;
  EXPECT_EQ(result.error == Error::kNone, result.progress == Progress::kDone);
  return result.error;
}

// The error of a request with these header lines besides Host.
Error error_with(const std::string& lines) {
  return error_of("POST / HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n");
}

// Accepted heads only.
RequestHead parsed(std::string_view bytes) {
  RequestHead head;
  EXPECT_EQ(parse(bytes, kMax, head).progress, Progress::kDone) << bytes;
  return head;
}

TEST(ParseRequest, ReadsWhatAnInferenceClientSends) {
  const std::string bytes =
      "POST /v2/models/detect/infer?x=1 HTTP/1.1\r\n"
      "Host: gateway.example:8080\r\n"
      "X-Sluice-Priority: 3\r\n"
      "Content-Type: \t application/json \t\r\n"
      "Empty:\r\n"
      "Content-Length: 17\r\n"
      "\r\n"
      "{\"inputs\": [...]}";
  const RequestHead head = parsed(bytes);
  EXPECT_EQ(head.method, "POST");
  EXPECT_EQ(head.target, "/v2/models/detect/infer?x=1");
  EXPECT_EQ(head.minor_version, 1);
  EXPECT_TRUE(head.keep_alive);
  EXPECT_FALSE(head.expect_continue);
  EXPECT_EQ(head.body.kind, BodyKind::kLength);
  EXPECT_EQ(head.body.length, 17u);
  EXPECT_EQ(head.size, bytes.size() - 17);
  ASSERT_EQ(head.all().size(), 5u);
  EXPECT_EQ(head.all()[0].field, Field::kHost);
  EXPECT_EQ(head.all()[1].name, "X-Sluice-Priority");
  EXPECT_EQ(head.all()[1].field, Field::kOther);
  EXPECT_EQ(head.all()[2].value, "application/json");
  EXPECT_EQ(head.all()[3].value, "");
}

TEST(ParseRequest, NoFramingMeansNoBody) {
  EXPECT_EQ(parsed("GET / HTTP/1.1\r\nHost: a\r\n\r\n").body.kind, BodyKind::kNone);
}

TEST(ParseRequest, PassesOverOneEmptyLine) {
  const RequestHead head = parsed("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(head.size, 29u);
  EXPECT_EQ(error_of("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"), Error::kBadRequestLine);
}

TEST(ParseRequest, BadRequestLines) {
  for (const char* line : {"", "GET", "GET /", "GET /  HTTP/1.1", "GET / HTTP/1.1 ",
                           " GET / HTTP/1.1", "GET / http/1.1", "GET / HTTP/1.1x", "GET / HTTP/11",
                           "G(T / HTTP/1.1", "GET / HTTP/1.a", "GET\t/ HTTP/1.1"}) {
    const Error error = error_of(std::string(line) + "\r\nHost: a\r\n\r\n");
    EXPECT_TRUE(error == Error::kBadRequestLine || error == Error::kBadTarget) << line;
  }
}

TEST(ParseRequest, OnlyHttp10And11) {
  for (const char* version : {"HTTP/2.0", "HTTP/0.9", "HTTP/1.2", "HTTP/3.1"}) {
    const std::string line = "GET / " + std::string(version) + "\r\n\r\n";
    EXPECT_EQ(error_of(line), Error::kBadVersion) << version;
  }
  EXPECT_EQ(error_of("PRI * HTTP/2.0\r\n\r\n"), Error::kBadVersion);
}

TEST(ParseRequest, BadTargets) {
  for (const char* target : {"x", "*", "/a#b", "/a\\b", "/a\"b", "/<", "/\xc3\xa4", "/%", "/%4",
                             "/%zz", "example.com:443", "https://a/", "ftp://a/", "http:///x",
                             "http://a?x", "http://u@a/", "http:/a"}) {
    EXPECT_EQ(error_of("GET " + std::string(target) + " HTTP/1.1\r\nHost: a\r\n\r\n"),
              Error::kBadTarget)
        << target;
  }
}

TEST(ParseRequest, TargetsAreReducedToTheirOriginForm) {
  const auto target_of = [](const std::string& line) {
    return std::string(parsed(line + " HTTP/1.1\r\nHost: a\r\n\r\n").target);
  };
  EXPECT_EQ(target_of("GET http://a:1/v2?x=%2f"), "/v2?x=%2f");
  EXPECT_EQ(target_of("GET HTTP://[::1]/v2"), "/v2");
  EXPECT_EQ(target_of("GET http://a"), "/");
  EXPECT_EQ(target_of("OPTIONS *"), "*");
}

TEST(ParseRequest, HostIsNeededOnceInHttp11) {
  EXPECT_EQ(error_of("GET / HTTP/1.1\r\n\r\n"), Error::kMissingHost);
  EXPECT_EQ(error_of("GET / HTTP/1.0\r\n\r\n"), Error::kNone);
  EXPECT_EQ(error_with("host: a\r\n"), Error::kTwoHosts);
  EXPECT_EQ(error_of("GET / HTTP/1.1\r\nHost: a b\r\n\r\n"), Error::kBadHost);
}

TEST(ParseRequest, ExpectContinue) {
  const std::string lines = "Host: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\n";
  EXPECT_TRUE(parsed("POST / HTTP/1.1\r\n" + lines).expect_continue);
  EXPECT_FALSE(parsed("POST / HTTP/1.0\r\n" + lines).expect_continue);
}

TEST(ParseRequest, TransferEncodingExcludesLengthAndHttp10) {
  EXPECT_EQ(error_with("Transfer-Encoding: chunked\r\nContent-Length: 1\r\n"),
            Error::kLengthAndChunked);
  EXPECT_EQ(error_with("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"),
            Error::kLengthAndChunked);
  EXPECT_EQ(error_of("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"),
            Error::kBadTransferEncoding);
  EXPECT_EQ(parsed("POST / HTTP/1.1\r\nHost: a\r\ntransfer-encoding: CHUNKED\r\n\r\n").body.kind,
            BodyKind::kChunked);
}

}  // namespace
}  // namespace sluice::http
