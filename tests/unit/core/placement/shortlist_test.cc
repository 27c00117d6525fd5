#include "core/placement/shortlist.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace sluice::core {
namespace {

std::vector<int> best(std::size_t length, const std::vector<int>& offered) {
  Shortlist<int, 4, std::less<int>> list(length, {});
  for (const int item : offered) list.offer(item);
  return {list.items().begin(), list.items().end()};
}

TEST(Shortlist, KeepsTheBestInOrder) {
  EXPECT_EQ(best(3, {5, 2, 9, 1, 7}), (std::vector<int>{1, 2, 5}));
  EXPECT_EQ(best(1, {5, 2, 9, 1, 7}), (std::vector<int>{1}));
  EXPECT_EQ(best(4, {3, 1, 2, 0}), (std::vector<int>{0, 1, 2, 3}));
}

TEST(Shortlist, FewerOffersThanRoom) {
  EXPECT_EQ(best(3, {}), std::vector<int>{});
  EXPECT_EQ(best(3, {2}), std::vector<int>{2});
}

// Of a sample with repetitions, each counts once.
TEST(Shortlist, TheSameAgainIsNoOtherOne) {
  EXPECT_EQ(best(3, {2, 2, 2}), std::vector<int>{2});
  EXPECT_EQ(best(3, {1, 2, 3, 2, 1}), (std::vector<int>{1, 2, 3}));
}

}  // namespace
}  // namespace sluice::core
