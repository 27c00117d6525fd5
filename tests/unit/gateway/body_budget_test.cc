#include "gateway/body_budget.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace sluice::gateway {
namespace {

TEST(BodyBudget, GivesWhatItHasAndNoMore) {
  BodyBudget budget(100);
  EXPECT_TRUE(budget.reserve(60));
  EXPECT_FALSE(budget.reserve(41));
  EXPECT_EQ(budget.used_bytes(), 60u);
  EXPECT_TRUE(budget.reserve(40));
  EXPECT_FALSE(budget.reserve(1));
  EXPECT_TRUE(budget.reserve(0));
  budget.release(100);
  EXPECT_EQ(budget.used_bytes(), 0u);
}

TEST(BodyBudget, HugeWishesDoNotWrapRound) {
  BodyBudget budget(100);
  EXPECT_TRUE(budget.reserve(50));
  EXPECT_FALSE(budget.reserve(UINT64_MAX));
  EXPECT_FALSE(budget.reserve(UINT64_MAX - 49));
  EXPECT_EQ(budget.used_bytes(), 50u);
}

TEST(BodyReservation, GoesBackByItself) {
  BodyBudget budget(100);
  {
    BodyReservation share;
    EXPECT_TRUE(share.grow(budget, 30));
    EXPECT_TRUE(share.grow(budget, 20));
    EXPECT_EQ(share.bytes(), 50u);
    EXPECT_EQ(budget.used_bytes(), 50u);
  }
  EXPECT_EQ(budget.used_bytes(), 0u);
}

TEST(BodyReservation, StaysAsItWasWhenItCannotGrow) {
  BodyBudget budget(100);
  BodyReservation share;
  EXPECT_TRUE(share.grow(budget, 70));
  EXPECT_FALSE(share.grow(budget, 31));
  EXPECT_EQ(share.bytes(), 70u);
  EXPECT_EQ(budget.used_bytes(), 70u);
}

TEST(BodyReservation, ReleasedTwiceGoesBackOnceAndMayGrowAgain) {
  BodyBudget budget(100);
  BodyReservation share;
  share.release();
  EXPECT_TRUE(share.grow(budget, 70));
  share.release();
  share.release();
  EXPECT_EQ(budget.used_bytes(), 0u);
  EXPECT_TRUE(share.grow(budget, 100));
}

}  // namespace
}  // namespace sluice::gateway
