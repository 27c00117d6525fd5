#include "base/check.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Check, TrueIsSilentAndAskedOnce) {
  int asked = 0;
  SLUICE_CHECK(++asked == 1, "asked once");
  EXPECT_EQ(asked, 1);
}

// In release builds, too.
TEST(CheckDeathTest, FalseSaysWhereAndWhatAndEndsTheProcess) {
  EXPECT_DEATH(SLUICE_CHECK(false, "credits add up"),
               "check_test.cc:[0-9]+: invariant broken: credits add up");
}

}  // namespace
}  // namespace sluice
