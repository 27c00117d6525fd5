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

TEST(CheckDeathTest, ANoteIsWrittenWhileItLives) {
  const InvariantNote outer("again: outer");
  EXPECT_DEATH(
      {
        const InvariantNote inner("again: inner");
        SLUICE_CHECK(false, "x");
      },
      "broken: x\nagain: inner");
  { const InvariantNote gone("again: gone"); }
  EXPECT_DEATH(SLUICE_CHECK(false, "x"), "broken: x\nagain: outer");
}

}  // namespace
}  // namespace sluice
