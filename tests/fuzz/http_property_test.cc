// The promises of http_checks.h over messages put together from their parts, right ones and wrong
// ones: fuzzers need long to get there from nothing.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "fuzz/http_checks.h"

namespace sluice::fuzz {
namespace {

using namespace std::string_literals;

rc::Gen<std::string> any_of(const std::vector<std::string>& parts) {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(parts)),
                      [](const std::vector<std::string>& chosen) {
                        std::string all;
                        for (const std::string& part : chosen) all += part;
                        return all;
                      });
}

const std::vector<std::string>& header_parts() {
  static const std::vector<std::string> parts{"Host: a\r\n",
                                              "Content-Length: 5\r\n",
                                              "content-length: 0\r\n",
                                              "Transfer-Encoding: chunked\r\n",
                                              "Transfer-Encoding: gzip\r\n",
                                              "Connection: close\r\n",
                                              "Connection: x-a, keep-alive\r\n",
                                              "Expect: 100-continue\r\n",
                                              "X-A: b\r\n",
                                              "X-A:\t\xc3\xa4 \r\n",
                                              "A : b\r\n",
                                              " folded\r\n",
                                              "A: \0\r\n"s,
                                              "\r\n",
                                              "\n",
                                              "\r",
                                              "A: b",
                                              "TE: trailers\r\n"};
  return parts;
}

// The start, then header lines (most often nothing else is wrong), then the end.
void check_heads(const std::vector<std::string>& starts, void (*check)(std::string_view)) {
  const std::string start = *rc::gen::elementOf(starts);
  const std::string headers = *any_of(header_parts());
  const std::string end = *rc::gen::elementOf(std::vector<std::string>{"\r\n", "\r\nbody", ""});
  check(start + headers + end);
}

TEST(HttpProperty, RequestHeads) {
  const std::vector<std::string> starts{"GET / HTTP/1.1\r\nHost: a\r\n",
                                        "GET / HTTP/1.1\r\n",
                                        "POST /v2?a=%20 HTTP/1.1\r\nHost: b\r\n",
                                        "POST http://a/b HTTP/1.0\r\n",
                                        "OPTIONS * HTTP/1.1\r\nHost: [::1]\r\n",
                                        "\r\nGET / HTTP/1.0\r\n",
                                        "GET http://a HTTP/1.1\r\nHost: a\r\n",
                                        "GET / HTTP/2.0\r\n",
                                        ""};
  EXPECT_TRUE(rc::check("whatever the request", [&] { check_heads(starts, check_request_head); }));
}

TEST(HttpProperty, ResponseHeads) {
  const std::vector<std::string> starts{"HTTP/1.1 200 OK\r\n", "HTTP/1.0 200\r\n",
                                        "HTTP/1.1 204 \r\n",   "HTTP/1.1 304 Not  Modified \r\n",
                                        "HTTP/1.1 100 x\r\n",  "HTTP/1.1 999 x\r\n"};
  EXPECT_TRUE(
      rc::check("whatever the response", [&] { check_heads(starts, check_response_head); }));
}

TEST(HttpProperty, Chunks) {
  const std::vector<std::string> parts{"5\r\nhello\r\n",
                                       "1;a=b\r\nx\r\n",
                                       "3\r\n",
                                       "abc",
                                       "\r\n",
                                       "0\r\n",
                                       "0\r\n\r\n",
                                       "a: b\r\n",
                                       ";",
                                       "\n",
                                       "\r",
                                       "fF",
                                       " "};
  EXPECT_TRUE(rc::check("whatever the chunks", [&] { check_chunks(*any_of(parts)); }));
  EXPECT_TRUE(rc::check("whatever the data", [](const std::string& data) { check_chunks(data); }));
}

}  // namespace
}  // namespace sluice::fuzz
