#include "config/units.h"

#include <chrono>
#include <limits>

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

TEST(Units, DurationsNeedAUnit) {
  EXPECT_EQ(parse_duration("100ms"), Duration(100ms));
  EXPECT_EQ(parse_duration("1.5 s"), Duration(1500ms));
  EXPECT_EQ(parse_duration("2min"), Duration(2min));
  EXPECT_EQ(parse_duration("0"), Duration(0));
  for (const char* bad : {"", "100", "ms", "-1s", "1m", "1 s ", " 1s", "1s2", "nan", "infs", "5 ",
                          "1e30h", "0x10s", "1,5s", "+1s", "-0s"}) {
    EXPECT_EQ(parse_duration(bad), std::nullopt) << bad;
  }
}

TEST(Units, RatesArePerSecond) {
  EXPECT_EQ(parse_rate("500/s"), 500.0);
  EXPECT_EQ(parse_rate("30/min"), 0.5);
  EXPECT_EQ(parse_rate("500"), std::nullopt);
}

TEST(Units, SharesAreNumbersOrPercent) {
  EXPECT_DOUBLE_EQ(parse_share("40%").value(), 0.4);
  EXPECT_DOUBLE_EQ(parse_share("0.4").value(), 0.4);
  EXPECT_EQ(parse_share("40 percent"), std::nullopt);
}

TEST(Units, BytesKnowBothFamilies) {
  EXPECT_EQ(parse_bytes("8GiB"), std::uint64_t{8} << 30);
  EXPECT_EQ(parse_bytes("64 KiB"), 65536U);
  EXPECT_EQ(parse_bytes("1.5kB"), 1500U);
  EXPECT_EQ(parse_bytes("12"), 12U);
  EXPECT_EQ(parse_bytes("1.5"), std::nullopt);
  EXPECT_EQ(parse_bytes("8gib"), std::nullopt);
  EXPECT_EQ(parse_bytes("99999999TiB"), std::nullopt);
}

TEST(Units, CountsAreWholeAndExact) {
  EXPECT_EQ(parse_count("3.4M"), 3'400'000U);
  EXPECT_EQ(parse_count("12k"), 12'000U);
  EXPECT_EQ(parse_count("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(parse_count("18446744073709551616"), std::nullopt);
  EXPECT_EQ(parse_count("0.5"), std::nullopt);
  EXPECT_EQ(parse_count("-1"), std::nullopt);
}

TEST(Units, NumbersMayBeNegative) {
  EXPECT_EQ(parse_number("-3"), -3.0);
  EXPECT_EQ(parse_number("1e6"), 1e6);
  EXPECT_EQ(parse_number("3 apples"), std::nullopt);
  EXPECT_EQ(parse_number("1e999"), std::nullopt);
}

TEST(Units, WhatIsWrittenIsReadBackTheSame) {
  for (const Duration d :
       {Duration(0), Duration(1), Duration(1500us), Duration(75s), Duration(1min), Duration(36h)}) {
    EXPECT_EQ(parse_duration(format_duration(d)), d) << format_duration(d);
  }
  for (const std::uint64_t n : {0ULL, 1ULL, 1000ULL, 65536ULL, 12'345'678ULL, 1ULL << 40}) {
    EXPECT_EQ(parse_bytes(format_bytes(n)), n) << format_bytes(n);
    EXPECT_EQ(parse_count(format_count(n)), n) << format_count(n);
  }
  EXPECT_EQ(parse_rate(format_rate(0.1)), 0.1);
  EXPECT_EQ(parse_share(format_share(0.35)), 0.35);
}

TEST(Units, FormatsTakeTheLargestUnitThatFits) {
  EXPECT_EQ(format_duration(75s), "75s");
  EXPECT_EQ(format_duration(60s), "1min");
  EXPECT_EQ(format_bytes(std::uint64_t{1} << 30), "1GiB");
  EXPECT_EQ(format_bytes(1500), "1500B");
  EXPECT_EQ(format_count(3'400'000), "3400k");
}

}  // namespace
}  // namespace sluice::config
