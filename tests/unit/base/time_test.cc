#include "base/time.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace std::chrono_literals;

TEST(Time, UnitsThereAndBack) {
  EXPECT_EQ(from_ms(2.5), 2'500us);
  EXPECT_EQ(from_seconds(0.25), 250ms);
  EXPECT_DOUBLE_EQ(to_ms(1'500us), 1.5);
  EXPECT_DOUBLE_EQ(to_seconds(-1'500ms), -1.5);
}

TEST(Time, FractionsOfANanosecondAreRoundedTowardsZero) {
  EXPECT_EQ(from_ms(0.000'001'9), 1ns);
  EXPECT_EQ(from_ms(-0.000'001'9), -1ns);
}

TEST(Time, AddingSaturatesAtNever) {
  EXPECT_EQ(saturating_add(TimePoint(5ms), 2ms), TimePoint(7ms));
  EXPECT_EQ(saturating_add(kNever, Duration::zero()), kNever);
  EXPECT_EQ(saturating_add(kNever, Duration::max()), kNever);
  EXPECT_EQ(saturating_add(kNever - 1ns, 1ns), kNever);
  EXPECT_EQ(saturating_add(kNever - 1ns, 2ns), kNever);
  EXPECT_EQ(saturating_add(TimePoint(-5ms), Duration::max()), kNever - 5ms);
}

}  // namespace
}  // namespace sluice
