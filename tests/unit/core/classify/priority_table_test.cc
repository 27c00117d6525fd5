#include "core/classify/priority_table.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using R = Realtime;
using W = WeightClass;
using T = Tier;

// R3: the fixed points.
TEST(PriorityTable, DefaultsHaveTheFixedPoints) {
  const PriorityTable table = PriorityTable::defaults();
  EXPECT_EQ(table.at(R::kHigh, W::kLight, T::kVip), 0);
  EXPECT_EQ(table.at(R::kHigh, W::kHeavy, T::kPremium), 2);
  EXPECT_EQ(table.at(R::kMedium, W::kMedium, T::kBasic), 4);
  EXPECT_EQ(table.at(R::kLow, W::kMedium, T::kBasic), 7);
}

TEST(PriorityTable, DefaultsAreCompleteAndMonotone) {
  const PriorityTable table = PriorityTable::defaults();
  for (int r = 0; r < kRealtimes; ++r) {
    for (int w = 0; w < kWeightClasses; ++w) {
      for (int t = 0; t < kTiers; ++t) EXPECT_LE(table.at(R(r), W(w), T(t)), 9);
    }
  }
  EXPECT_TRUE(table.violations().empty());
}

TEST(PriorityTable, WildcardsMatchAllValuesAndLaterRulesWin) {
  PriorityTable table = PriorityTable::defaults();
  table.apply({.tier = T::kVip, .priority = 0});
  table.apply({.realtime = R::kLow, .weight = W::kHeavy, .tier = T::kVip, .priority = 5});
  EXPECT_EQ(table.at(R::kMedium, W::kHeavy, T::kVip), 0);
  EXPECT_EQ(table.at(R::kLow, W::kHeavy, T::kVip), 5);
  EXPECT_EQ(table.at(R::kLow, W::kHeavy, T::kBasic), 9);
}

TEST(PriorityTable, ViolationsNameBothCells) {
  PriorityTable table = PriorityTable::defaults();
  table.apply({.realtime = R::kHigh, .weight = W::kLight, .tier = T::kVip, .priority = 9});
  const auto found = table.violations();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], "(high, light, vip) = 9 is less urgent than (medium, light, vip) = 2");
  EXPECT_EQ(found[1], "(high, light, vip) = 9 is less urgent than (high, light, premium) = 1");
}

// As amended: weight is free.
TEST(PriorityTable, WeightNeedNotBeMonotone) {
  PriorityTable table = PriorityTable::defaults();
  table.apply({.realtime = R::kHigh, .weight = W::kHeavy, .tier = T::kVip, .priority = 0});
  table.apply({.realtime = R::kHigh, .weight = W::kLight, .tier = T::kVip, .priority = 1});
  EXPECT_TRUE(table.violations().empty());
}

}  // namespace
}  // namespace sluice::core
