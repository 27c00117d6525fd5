#include "http/write.h"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

TEST(Write, StatusLines) {
  std::string out = "x";
  append_status_line(out, 200);
  append_status_line(out, 404);
  // The space stays where there is no phrase.
  append_status_line(out, 299);
  EXPECT_EQ(out, "xHTTP/1.1 200 OK\r\nHTTP/1.1 404 Not Found\r\nHTTP/1.1 299 \r\n");
}

TEST(Write, Headers) {
  std::string out;
  append_header(out, "content-type", "text/plain");
  append_header(out, "empty", "");
  EXPECT_EQ(out, "content-type: text/plain\r\nempty: \r\n");
}

TEST(Write, EveryStatusOfOursHasAPhrase) {
  for (const int status : {200, 400, 404, 405, 408, 413, 429, 431, 500, 501, 502, 503, 504, 505}) {
    EXPECT_FALSE(reason_phrase(status).empty()) << status;
  }
  EXPECT_TRUE(reason_phrase(299).empty());
}

}  // namespace
}  // namespace sluice::http
