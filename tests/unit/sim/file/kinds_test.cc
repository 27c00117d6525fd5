#include "sim/file/kinds.h"

#include <gtest/gtest.h>

namespace sluice::sim {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST(SimKinds, NumbersTakeTheUnitOfTheirKey) {
  const auto s = seconds_number(Duration::zero(), hours(1));
  const auto ms = milliseconds_number(milliseconds(1), hours(1));
  EXPECT_EQ(s.parse("0.5"), milliseconds(500));
  EXPECT_EQ(ms.parse("11.5"), microseconds(11'500));
  EXPECT_EQ(s.bounds, "0 to 3600");
  EXPECT_EQ(ms.format(milliseconds(80)), "80");
  EXPECT_EQ(gigabytes(0, 10).parse("0.5"), 5e8);
  EXPECT_EQ(gigabytes(0, 10).format(5e8), "0.5");
}

TEST(SimKinds, RefuseWhatIsNoNumberOrDoesNotFit) {
  const auto s = seconds_number(-hours(1), hours(1));
  for (const char* text : {"", "5s", "nan", "inf", "-inf", "1e300", "1e10", "0x1"}) {
    EXPECT_FALSE(s.parse(text).has_value()) << text;
  }
  EXPECT_FALSE(gigabytes(0, 10).parse("1 GB").has_value());
}

TEST(SimKinds, BoundsAreInclusive) {
  const auto ms = milliseconds_number(milliseconds(1), milliseconds(9));
  EXPECT_TRUE(ms.within(milliseconds(1)));
  EXPECT_TRUE(ms.within(milliseconds(9)));
  EXPECT_FALSE(ms.within(milliseconds(10)));
  EXPECT_TRUE(gigabytes(1, 2).within(2e9));
  EXPECT_FALSE(gigabytes(1, 2).within(2.1e9));
}

}  // namespace
}  // namespace sluice::sim
