#include "model_server/slot_queue.h"

#include <gtest/gtest.h>

namespace sluice::model_server {
namespace {

TEST(SlotQueue, StartsWhileSlotsAreFreeThenLinesUpThenRefuses) {
  SlotQueue<int> queue(2, 1);
  EXPECT_EQ(queue.enter(1), Entry::kStarts);
  EXPECT_EQ(queue.enter(2), Entry::kStarts);
  EXPECT_EQ(queue.enter(3), Entry::kWaits);
  EXPECT_EQ(queue.enter(4), Entry::kRefused);
  EXPECT_EQ(queue.waiting(), 1);
}

TEST(SlotQueue, ReleasedSlotGoesToTheFirstInLine) {
  SlotQueue<int> queue(1, 4);
  for (int item = 1; item <= 3; ++item) queue.enter(item);
  EXPECT_EQ(queue.release(), 2);
  EXPECT_EQ(queue.release(), 3);
  EXPECT_EQ(queue.release(), std::nullopt);
  EXPECT_EQ(queue.free(), 1);
  EXPECT_EQ(queue.enter(4), Entry::kStarts);
}

TEST(SlotQueue, WhoLeavesTheLineFreesItsPlaceAndKeepsTheOrder) {
  SlotQueue<int> queue(1, 2);
  for (int item = 1; item <= 3; ++item) queue.enter(item);
  EXPECT_TRUE(queue.leave(2));
  EXPECT_FALSE(queue.leave(2));
  EXPECT_FALSE(queue.leave(1));  // runs, does not wait
  EXPECT_EQ(queue.enter(4), Entry::kWaits);
  EXPECT_EQ(queue.release(), 3);
  EXPECT_EQ(queue.release(), 4);
}

TEST(SlotQueue, WithoutALineRefusesAtOnce) {
  SlotQueue<int> queue(1, 0);
  EXPECT_EQ(queue.enter(1), Entry::kStarts);
  EXPECT_EQ(queue.enter(2), Entry::kRefused);
}

}  // namespace
}  // namespace sluice::model_server
