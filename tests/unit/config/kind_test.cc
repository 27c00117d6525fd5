#include "config/kind.h"

#include <array>
#include <chrono>

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

enum class Size : std::uint8_t { kSmall, kLarge };
constexpr std::array<std::string_view, 2> kSizeNames{"small", "large"};

TEST(Kind, BoundsAreInclusive) {
  const Kind<Duration> kind = duration(1ms, 1h);
  EXPECT_TRUE(kind.within(1ms));
  EXPECT_TRUE(kind.within(1h));
  EXPECT_FALSE(kind.within(Duration(1ms) - Duration(1)));
  EXPECT_FALSE(kind.within(Duration(1h) + Duration(1)));
  EXPECT_EQ(kind.bounds, "1ms to 1h");
}

TEST(Kind, TextsAreShortAndPrintable) {
  const Kind<std::string> kind = text();
  EXPECT_EQ(kind.parse("Straße 1"), "Straße 1");
  EXPECT_EQ(kind.parse(""), std::nullopt);
  EXPECT_EQ(kind.parse("a\nb"), std::nullopt);
  EXPECT_EQ(kind.parse(std::string("a\0b", 3)), std::nullopt);
  EXPECT_EQ(kind.parse(std::string(257, 'a')), std::nullopt);
}

TEST(Kind, FlagsAreWords) {
  EXPECT_EQ(flag().parse("yes"), true);
  EXPECT_EQ(flag().parse("false"), false);
  EXPECT_EQ(flag().parse("1"), std::nullopt);
}

TEST(Kind, NamesStandForTheirPositions) {
  const Kind<Size> kind = one_of<Size>(kSizeNames);
  EXPECT_EQ(kind.parse("large"), Size::kLarge);
  EXPECT_EQ(kind.parse("Large"), std::nullopt);
  EXPECT_EQ(kind.format(Size::kSmall), "small");
  EXPECT_EQ(kind.name, "one of small, large");
}

TEST(Kind, NamesAreFitForHeadersAndPaths) {
  const Kind<std::string> kind = name();
  EXPECT_EQ(kind.parse("resnet-50_v1.5:int8@2+x"), "resnet-50_v1.5:int8@2+x");
  for (const char* bad : {"", "a b", "a/b", "a,b", "\"a\"", "Straße"}) {
    EXPECT_EQ(kind.parse(bad), std::nullopt) << bad;
  }
  EXPECT_EQ(kind.parse(std::string(129, 'a')), std::nullopt);
}

TEST(Kind, AWordStandsForNoValue) {
  const auto kind = or_word(one_of<Size>(kSizeNames), "*");
  ASSERT_TRUE(kind.parse("*").has_value());
  EXPECT_EQ(kind.parse("*").value(), std::nullopt);
  EXPECT_EQ(kind.parse("small").value(), Size::kSmall);
  EXPECT_EQ(kind.parse("any"), std::nullopt);
  EXPECT_EQ(kind.format(std::nullopt), "*");
  EXPECT_FALSE(or_word(duration(1ms, 1s), "none").within(Duration(2s)));
}

}  // namespace
}  // namespace sluice::config
