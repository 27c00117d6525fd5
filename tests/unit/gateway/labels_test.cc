#include "gateway/labels.h"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::gateway {
namespace {

using namespace std::chrono_literals;
using std::chrono::sys_days;
using std::chrono::system_clock;
using ::testing::HasSubstr;

constexpr system_clock::time_point kNow = sys_days(std::chrono::year(2026) / 1 / 31) + 12h;

// What parse_rfc3339() should say, for dates that the calendar of <chrono> knows.
constexpr system_clock::time_point on(int y, unsigned m, unsigned d) {
  return sys_days(std::chrono::year(y) / m / d);
}

class LabelsTest : public ::testing::Test {
 protected:
  LabelsTest() {
    options_.task_types = {"image", "speech"};
    options_.tenants = {{.name = "default"}, {.name = "acme"}};
    directory_.emplace(options_);
    reader_.emplace(*directory_, labels_);
  }
  bool read(std::string_view name, std::string_view value) {
    return reader_->read(name, value, kNow);
  }
  // Malformed, and said so with the label's name and what would be right.
  void expect_malformed(std::string_view name, const std::vector<std::string>& values,
                        const std::string& allowed) {
    for (const std::string& value : values) {
      EXPECT_FALSE(read(name, value)) << name << ": " << value;
      EXPECT_THAT(reader_->error(), HasSubstr(std::string(name) + ": \"" + value + "\" is not "));
      EXPECT_THAT(reader_->error(), HasSubstr(allowed));
    }
  }

  core::Options options_;
  std::optional<Directory> directory_;
  core::Labels labels_;
  std::optional<LabelReader> reader_;
};

TEST_F(LabelsTest, HeadersOfOthersArePassedOver) {
  for (const std::string_view name : {"", "x", "content-type", "x-sluice-", "x-sluicepriority",
                                      "y-sluice-priority", "x-request-id", "x-sluicf-priority"}) {
    EXPECT_TRUE(read(name, "nonsense")) << name;
  }
  EXPECT_FALSE(labels_.priority);
}

TEST_F(LabelsTest, AnswersSentBackDoNoHarm) {
  EXPECT_TRUE(read("x-sluice-task-id", "0000000100000000"));
  EXPECT_TRUE(read("x-sluice-replica", "a"));
}

TEST_F(LabelsTest, NamesAreReadInAnyCase) {
  EXPECT_TRUE(read("X-Sluice-Priority", "3"));
  EXPECT_EQ(labels_.priority, 3);
  EXPECT_FALSE(read("X-SLUICE-PRIORITY", "10"));
}

TEST_F(LabelsTest, Priority) {
  for (char c = '0'; c <= '9'; ++c) {
    EXPECT_TRUE(read("x-sluice-priority", std::string_view(&c, 1)));
    EXPECT_EQ(labels_.priority, c - '0');
  }
  expect_malformed("x-sluice-priority",
                   {"", "-1", "10", "+1", "1.0", "01", "a", " 1", "0x1", "\xc2\xb2"}, "from 0");
}

TEST_F(LabelsTest, Realtime) {
  EXPECT_TRUE(read("x-sluice-realtime", "high"));
  EXPECT_EQ(labels_.realtime, core::Realtime::kHigh);
  EXPECT_TRUE(read("x-sluice-realtime", "medium"));
  EXPECT_EQ(labels_.realtime, core::Realtime::kMedium);
  EXPECT_TRUE(read("x-sluice-realtime", "low"));
  EXPECT_EQ(labels_.realtime, core::Realtime::kLow);
  expect_malformed("x-sluice-realtime", {"", "High", "highest", "hig", "0", "high,low"},
                   "high, medium or low");
}

TEST_F(LabelsTest, Weight) {
  EXPECT_TRUE(read("x-sluice-weight", "light"));
  EXPECT_EQ(labels_.weight, core::WeightClass::kLight);
  EXPECT_TRUE(read("x-sluice-weight", "heavy"));
  EXPECT_EQ(labels_.weight, core::WeightClass::kHeavy);
  expect_malformed("x-sluice-weight", {"", "LIGHT", "12", "mediums"}, "light, medium or heavy");
}

TEST_F(LabelsTest, Queue) {
  EXPECT_TRUE(read("x-sluice-queue", "no"));
  EXPECT_FALSE(labels_.may_queue);
  EXPECT_TRUE(read("x-sluice-queue", "yes"));
  EXPECT_TRUE(labels_.may_queue);
  expect_malformed("x-sluice-queue", {"", "No", "false", "0", "never"}, "yes or no");
}

TEST_F(LabelsTest, TaskType) {
  EXPECT_TRUE(read("x-sluice-task-type", "speech"));
  EXPECT_EQ(labels_.task_type, core::TaskTypeId{1});
  expect_malformed("x-sluice-task-type", {"", "video", "Speech", "1"}, "one of image, speech");
}

// No error: who is not known belongs to the first tenant.
TEST_F(LabelsTest, Tenant) {
  EXPECT_TRUE(read("x-sluice-tenant", "acme"));
  EXPECT_EQ(labels_.tenant, core::TenantId{1});
  EXPECT_TRUE(read("x-sluice-tenant", "nobody"));
  EXPECT_EQ(labels_.tenant, core::TenantId{0});
}

TEST_F(LabelsTest, BudgetAndExpectedAreMilliseconds) {
  EXPECT_TRUE(read("x-sluice-budget-ms", "2.5"));
  EXPECT_EQ(labels_.budget, 2'500us);
  EXPECT_TRUE(read("x-sluice-expected-ms", "40"));
  EXPECT_EQ(labels_.expected_service, 40ms);
  for (const std::string_view name : {"x-sluice-budget-ms", "x-sluice-expected-ms"}) {
    expect_malformed(name, {"", "-1", "1e3", "nan", "86400001"}, "from 0 to 86400000");
  }
}

TEST_F(LabelsTest, DeadlineIsABudgetFromNow) {
  EXPECT_TRUE(read("x-sluice-deadline", "2026-01-31T12:00:01.5Z"));
  EXPECT_EQ(labels_.budget, 1'500ms);
  EXPECT_TRUE(read("x-sluice-deadline", "2026-01-31T13:00:01+01:00"));
  EXPECT_EQ(labels_.budget, 1s);
}

TEST_F(LabelsTest, DeadlineInThePastLeavesNoBudget) {
  for (const std::string_view past : {"2026-01-31T12:00:00Z", "2026-01-31T11:59:59.999999999Z",
                                      "1970-01-01T00:00:00Z", "0000-01-01T00:00:00Z"}) {
    EXPECT_TRUE(read("x-sluice-deadline", past)) << past;
    EXPECT_EQ(labels_.budget, 0s) << past;
  }
}

TEST_F(LabelsTest, DeadlineIsADayAwayAtMost) {
  for (const std::string_view far : {"2026-02-01T12:00:00Z", "2027-01-01T00:00:00Z",
                                     "9999-12-31T23:59:59.999Z", "2262-04-11T23:47:16.9Z"}) {
    EXPECT_TRUE(read("x-sluice-deadline", far)) << far;
    EXPECT_EQ(labels_.budget, 24h) << far;
  }
}

TEST_F(LabelsTest, MalformedDeadline) {
  expect_malformed("x-sluice-deadline", {"", "tomorrow", "1769860800", "2026-02-30T00:00:00Z"},
                   "RFC 3339");
}

TEST_F(LabelsTest, LongValuesAreQuotedInPart) {
  EXPECT_FALSE(read("x-sluice-queue", std::string(100'000, 'a')));
  EXPECT_LT(reader_->error().size(), 150u);
  EXPECT_THAT(reader_->error(), HasSubstr("a…\""));
}

TEST(ParseMs, WholeAndFractions) {
  EXPECT_EQ(parse_ms("0"), 0ms);
  EXPECT_EQ(parse_ms("007"), 7ms);
  EXPECT_EQ(parse_ms("0.25"), 250us);
  EXPECT_EQ(parse_ms("86400000"), 24h);
  EXPECT_EQ(parse_ms("0.0000001"), 0ms);  // less than a nanosecond
  EXPECT_EQ(parse_ms(std::string(300, '0') + "1"), 1ms);
}

TEST(ParseMs, AnythingElseIsNone) {
  const std::string nul("1\0", 2);
  for (const std::string_view text :
       {"",    " ",        "-0",    "-1",    "+1",  ".5",           "1 ",
        " 1",  "1,5",      "1_000", "1e3",   "1E3", "0x10",         "inf",
        "nan", "infinity", "1ms",   "1.2.3", "--1", "86400000.001", "99999999999999999999999"}) {
    EXPECT_FALSE(parse_ms(text)) << text;
  }
  EXPECT_FALSE(parse_ms(nul));
  EXPECT_FALSE(parse_ms(std::string(1'000, '9')));
}

TEST(ParseRfc3339, PointsInTime) {
  EXPECT_EQ(parse_rfc3339("2026-01-31T12:00:00Z"), on(2026, 1, 31) + 12h);
  EXPECT_EQ(parse_rfc3339("2026-01-31t12:00:00z"), on(2026, 1, 31) + 12h);
  EXPECT_EQ(parse_rfc3339("1970-01-01T00:00:00Z"), system_clock::time_point{});
  EXPECT_EQ(parse_rfc3339("1969-12-31T23:59:59Z"), system_clock::time_point{} - 1s);
}

TEST(ParseRfc3339, Offsets) {
  EXPECT_EQ(parse_rfc3339("2026-01-01T00:30:00+01:00"), on(2025, 12, 31) + 23h + 30min);
  EXPECT_EQ(parse_rfc3339("2026-01-01T00:30:00-05:45"), on(2026, 1, 1) + 6h + 15min);
  EXPECT_EQ(parse_rfc3339("2026-01-01T00:00:00-00:00"), on(2026, 1, 1));
  EXPECT_EQ(parse_rfc3339("2026-01-01T00:00:00+23:59"), on(2025, 12, 31) + 1min);
}

TEST(ParseRfc3339, Fractions) {
  EXPECT_EQ(parse_rfc3339("2026-01-01T00:00:00.5Z"), on(2026, 1, 1) + 500ms);
  EXPECT_EQ(parse_rfc3339("2026-01-01T00:00:00.000000001Z"), on(2026, 1, 1) + 1ns);
  EXPECT_EQ(parse_rfc3339("2026-01-01T00:00:00.0000000019Z"), on(2026, 1, 1) + 1ns);
  EXPECT_EQ(parse_rfc3339("2026-01-01T00:00:00." + std::string(500, '9') + "Z"),
            on(2026, 1, 1) + 999'999'999ns);
  EXPECT_EQ(parse_rfc3339("1969-12-31T23:59:59.25Z"), system_clock::time_point{} - 750ms);
}

TEST(ParseRfc3339, LeapDaysAndLeapSeconds) {
  EXPECT_EQ(parse_rfc3339("2024-02-29T00:00:00Z"), on(2024, 2, 29));
  EXPECT_EQ(parse_rfc3339("2000-02-29T00:00:00Z"), on(2000, 2, 29));
  EXPECT_EQ(parse_rfc3339("2016-12-31T23:59:60Z"), on(2017, 1, 1));
}

// Beyond what 64 bits of nanoseconds hold: the nearest that they do.
TEST(ParseRfc3339, FarYearsAreHeld) {
  EXPECT_EQ(parse_rfc3339("9999-12-31T23:59:59.999999999Z"), system_clock::time_point::max());
  EXPECT_EQ(parse_rfc3339("9999-12-31T23:59:60-23:59"), system_clock::time_point::max());
  EXPECT_EQ(parse_rfc3339("0000-01-01T00:00:00+23:59"), system_clock::time_point::min());
  EXPECT_EQ(parse_rfc3339("1500-01-01T00:00:00Z"), system_clock::time_point::min());
}

TEST(ParseRfc3339, DatesAndTimesThatDoNotExist) {
  for (const std::string_view text :
       {"2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-00-10T00:00:00Z", "2026-13-10T00:00:00Z", "2026-01-00T00:00:00Z",
        "2026-01-32T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:61Z", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+01:60"}) {
    EXPECT_FALSE(parse_rfc3339(text)) << text;
  }
}

TEST(ParseRfc3339, AnythingElseIsNone) {
  for (const std::string_view text : {"",
                                      "Z",
                                      "2026",
                                      "2026-01-01",
                                      "2026-01-01T00:00Z",
                                      "2026-01-01T00:00:00",
                                      "2026-01-01 00:00:00Z",
                                      "2026-1-01T00:00:00Z",
                                      "20260101T000000Z",
                                      "26-01-01T00:00:00Z",
                                      "+2026-01-01T00:00:00Z",
                                      "-026-01-01T00:00:00Z",
                                      "2026-01-01T00:00:00.Z",
                                      "2026-01-01T00:00:00,5Z",
                                      "2026-01-01T00:00:00+1:00",
                                      "2026-01-01T00:00:00+0100",
                                      "2026-01-01T00:00:00+01",
                                      "2026-01-01T00:00:00ZZ",
                                      "2026-01-01T00:00:00Z ",
                                      " 2026-01-01T00:00:00Z",
                                      "2026-01-01T00:00:0\xb2Z",
                                      "2026-01-01T00:00:-1Z",
                                      "Sat, 31 Jan 2026 12:00:00 GMT"}) {
    EXPECT_FALSE(parse_rfc3339(text)) << text;
  }
}

// Cut off anywhere, it is never read beyond its end.
TEST(ParseRfc3339, EveryPrefixIsNone) {
  const std::string whole = "2026-01-31T12:00:00.5+01:00";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    // A copy of its own, for the sanitizer to guard.
    const std::vector<char> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_FALSE(parse_rfc3339({cut.data(), cut.size()})) << length;
  }
}

}  // namespace
}  // namespace sluice::gateway
