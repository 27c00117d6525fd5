#include "core/lanes/lookahead.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace sluice::core {
namespace {

using Steps = std::vector<std::pair<std::uint32_t, int>>;  // group, step

Steps step(Lookahead& lookahead, int last_step) {
  Steps steps;
  lookahead.step([&](Lookahead::Way& way) {
    steps.emplace_back(way.group, way.step);
    return way.step < last_step;
  });
  return steps;
}

TEST(LookaheadTest, GoesOneStepOfEveryWayUntilItsEnd) {
  Lookahead lookahead;
  EXPECT_TRUE(step(lookahead, 2).empty());
  lookahead.begin(7);
  EXPECT_EQ(step(lookahead, 2), (Steps{{7, 0}}));
  lookahead.begin(9);
  EXPECT_EQ(step(lookahead, 2), (Steps{{7, 1}, {9, 0}}));
  EXPECT_EQ(step(lookahead, 2), (Steps{{7, 2}, {9, 1}}));
  EXPECT_EQ(step(lookahead, 2), (Steps{{9, 2}}));
  EXPECT_TRUE(step(lookahead, 2).empty());
}

TEST(LookaheadTest, AGroupThatChangesSeveralTimesInOneEventIsFollowedOnce) {
  Lookahead lookahead;
  for (int i = 0; i < 3; ++i) {
    lookahead.begin(7);
    lookahead.begin(8);
  }
  EXPECT_EQ(step(lookahead, 1), (Steps{{7, 0}, {8, 0}}));
}

TEST(LookaheadTest, FollowsTheLastOnesOnly) {
  Lookahead lookahead;
  for (std::uint32_t group = 0; group < 100; ++group) lookahead.begin(group);
  const Steps steps = step(lookahead, 1);
  EXPECT_EQ(steps.size(), Lookahead::kPlaces);
  for (const auto& [group, at] : steps) EXPECT_GE(group, 100 - Lookahead::kPlaces);
}

}  // namespace
}  // namespace sluice::core
