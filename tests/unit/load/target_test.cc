#include "load/target.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace sluice::load {
namespace {

TEST(Target, ReadsHostAndPort) {
  const Target target = Target::parse("http://127.0.0.1:8080");
  EXPECT_EQ(target.host, "127.0.0.1");
  EXPECT_EQ(target.port, "8080");
  EXPECT_EQ(target.prefix, "");
  EXPECT_EQ(target.authority(), "127.0.0.1:8080");
}

TEST(Target, HasDefaultsForWhatIsLeftOut) {
  const Target target = Target::parse("http://replica/");
  EXPECT_EQ(target.host, "replica");
  EXPECT_EQ(target.port, "80");
  EXPECT_EQ(target.prefix, "");
}

TEST(Target, KeepsAPrefixWithoutItsLastSlash) {
  EXPECT_EQ(Target::parse("http://h:1/a/b/").prefix, "/a/b");
}

TEST(Target, KnowsV6Addresses) {
  const Target target = Target::parse("http://[::1]:8080/x");
  EXPECT_EQ(target.host, "::1");
  EXPECT_EQ(target.port, "8080");
  EXPECT_EQ(target.authority(), "[::1]:8080");
  EXPECT_EQ(Target::parse("http://[::1]").port, "80");
}

TEST(Target, RejectsWhatItCannotReach) {
  for (const char* url :
       {"", "127.0.0.1:80", "https://h", "http://", "http://:80", "http://h:", "http://h:8o",
        "http://h:123456", "http://a b", "http://u@h", "http://h\r\nx: y"}) {
    EXPECT_THROW(Target::parse(url), std::invalid_argument) << url;
  }
}

}  // namespace
}  // namespace sluice::load
