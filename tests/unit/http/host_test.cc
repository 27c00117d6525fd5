#include "http/host.h"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

TEST(Host, NamesAndAddresses) {
  for (const char* host : {"a", "a.example", "a.example.", "127.0.0.1:80", "a_b-c~d:65535",
                           "a:", "[::1]", "[::ffff:1.2.3.4]:8080", "[fe80::1]:"}) {
    EXPECT_TRUE(is_host(host)) << host;
  }
}

TEST(Host, NothingElse) {
  for (const char* host :
       {"",         ":80",     "a b",         "a,b",    "a/b",       "u@a", "a:b", "a:65536",
        "a:000080", "a:-1",    "a:80:80",     "::1",    "[",         "[]",  "[:]", "[::1",
        "[::1]x",   "[::1]80", "[::1]:65536", "[g::1]", "a\xc3\xa4", "a%20"}) {
    EXPECT_FALSE(is_host(host)) << host;
  }
}

}  // namespace
}  // namespace sluice::http
