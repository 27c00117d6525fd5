#include "config/text_table.h"

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

TEST(TextTable, ColumnsAreAsWideAsTheirWidestCell) {
  EXPECT_EQ(format_table({{"a", "long head", "x"}, {"wide", "", "y"}, {"b", "c", ""}}),
            "  a     long head  x\n"
            "  wide             y\n"
            "  b     c\n");
  EXPECT_EQ(format_table({}), "");
}

}  // namespace
}  // namespace sluice::config
