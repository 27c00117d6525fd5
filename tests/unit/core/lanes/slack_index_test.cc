#include "core/lanes/slack_index.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint at(Duration since) {
  return TimePoint{} + since;
}

TEST(SlackIndex, NamesTheLeastOfEachLane) {
  SlackIndex index({true, false, true});
  index.insert(Lane::kHigh, 7, at(30ms));
  index.insert(Lane::kHigh, 3, at(10ms));
  index.insert(Lane::kLow, 5, at(20ms));
  EXPECT_EQ(index.least(Lane::kHigh), 3u);
  EXPECT_EQ(index.least(Lane::kLow), 5u);
  index.update(Lane::kHigh, 3, at(40ms));
  EXPECT_EQ(index.least(Lane::kHigh), 7u);
  index.remove(Lane::kHigh, 7);
  EXPECT_EQ(index.least(Lane::kHigh), 3u);
  index.remove(Lane::kHigh, 3);
  EXPECT_TRUE(index.empty(Lane::kHigh));
}

TEST(SlackIndex, KeepsNothingOfLanesThatDoNotShed) {
  SlackIndex index({false, false, false});
  index.insert(Lane::kLatency, 1, at(1ms));
  index.update(Lane::kLatency, 1, at(2ms));
  index.remove(Lane::kLatency, 1);
  EXPECT_FALSE(index.keeps(Lane::kLatency));
  EXPECT_TRUE(index.empty(Lane::kLatency));
}

TEST(SlackIndex, TiesGoToTheSmallerSlot) {
  SlackIndex index({true, true, true});
  index.insert(Lane::kHigh, 9, at(10ms));
  index.insert(Lane::kHigh, 4, at(10ms));
  EXPECT_EQ(index.least(Lane::kHigh), 4u);
}

}  // namespace
}  // namespace sluice::core
