#include "config/priorities.h"

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

using core::PriorityRange;

TEST(Priorities, AreARangeOrOne) {
  EXPECT_EQ(parse_priorities("0..4"), (PriorityRange{0, 4}));
  EXPECT_EQ(parse_priorities("9..9"), (PriorityRange{9, 9}));
  EXPECT_EQ(parse_priorities("7"), (PriorityRange{7, 7}));
}

TEST(Priorities, AreNothingElse) {
  for (const char* bad :
       {"", "4..0", "0..10", "..", "0..", "..4", "0.4", "0...4", "a..b", "0..4 ", "-1..4", "0-4"}) {
    EXPECT_EQ(parse_priorities(bad), std::nullopt) << bad;
  }
}

TEST(Priorities, AreWrittenAsTheyAreRead) {
  for (const char* text : {"0..9", "3..6", "5"}) {
    EXPECT_EQ(format_priorities(parse_priorities(text).value()), text);
  }
}

}  // namespace
}  // namespace sluice::config
