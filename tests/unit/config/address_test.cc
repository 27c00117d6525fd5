#include "config/address.h"

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

TEST(Address, IsAHostAndAPort) {
  for (const char* good : {"127.0.0.1:8080", "0.0.0.0:0", "[::1]:80", "localhost:65535",
                           "replica_1.cluster.local:8000", "xn--bcher-kva.example:1"}) {
    const auto parsed = parse_address(good);
    ASSERT_TRUE(parsed) << good;
    EXPECT_EQ(format_address(*parsed), good);
  }
  EXPECT_EQ(parse_address("[::1]:80").value().host, "::1");
}

TEST(Address, RefusesWhatNobodyCanBindOrReach) {
  for (const char* bad : {"",
                          ":",
                          ":80",
                          "80",
                          "host",
                          "host:",
                          "host:65536",
                          "host:-1",
                          "host:+1",
                          "host: 1",
                          "::1:80",
                          "[::1]",
                          "[::1:80",
                          "[127.0.0.1]:80",
                          "[]:80",
                          "10.0.0.256:80",
                          "1.2.3:80",
                          "-a:80",
                          "a-:80",
                          "a..b:80",
                          ".a:80",
                          "a.:80",
                          "a b:80",
                          "a/b:80",
                          "[::1%lo]:80",
                          "user@host:80"}) {
    EXPECT_EQ(parse_address(bad).has_value(), false) << bad;
  }
  EXPECT_FALSE(parse_address(std::string(64, 'a') + ":80"));
}

TEST(Address, UrlsArePlainHttpWithAPort) {
  const auto url = parse_http_url("http://10.0.0.11:8000/models/a/").value();
  EXPECT_EQ(url.address.host, "10.0.0.11");
  EXPECT_EQ(url.path_prefix, "/models/a");
  EXPECT_EQ(format_http_url(url), "http://10.0.0.11:8000/models/a");
  EXPECT_EQ(parse_http_url("http://[::1]:1/").value().path_prefix, "");
  for (const char* bad : {"", "http://", "https://a:1", "a:1", "http://a", "http://a:0",
                          "http://a:1?x", "http://a:1/b?x", "http://a:1/b#x", "http://a:1/b c",
                          "http://u:p@a:1", "http://a:1/b\r\nx: y", "HTTP://a:1"}) {
    EXPECT_EQ(parse_http_url(bad).has_value(), false) << bad;
  }
}

TEST(Address, PathsBeginWithASlash) {
  EXPECT_EQ(request_path().parse("/v2/health/ready?x=1"), "/v2/health/ready?x=1");
  EXPECT_EQ(request_path().parse("v2"), std::nullopt);
  EXPECT_EQ(request_path().parse("/a b"), std::nullopt);
  EXPECT_EQ(request_path().parse("/a\r\n"), std::nullopt);
}

}  // namespace
}  // namespace sluice::config
