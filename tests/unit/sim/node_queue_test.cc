#include "sim/node_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "base/random.h"

namespace sluice::sim {
namespace {

class NodeQueueTest : public ::testing::Test {
 protected:
  std::uint32_t job(int level, std::int64_t arrival_ns, std::uint32_t place = 0) {
    const JobId id = jobs_.acquire();
    Job& made = jobs_[id.slot];
    made.level = static_cast<std::uint8_t>(level);
    made.arrival = TimePoint(Duration(arrival_ns));
    made.number = id.slot;
    made.place = place;
    return id.slot;
  }
  std::uint32_t waiting(int level, std::int64_t arrival_ns, std::uint32_t place = 0) {
    const std::uint32_t slot = job(level, arrival_ns, place);
    queue_.push(slot);
    return slot;
  }

  JobTable jobs_{10'000};
  NodeQueue queue_{jobs_, 2};
};

TEST_F(NodeQueueTest, LowestLevelFirstThenArrivalAtTheGatewayOverAllModels) {
  const auto late = waiting(3, 30, 1);
  const auto least = waiting(9, 1, 0);
  const auto early = waiting(3, 20, 0);
  const auto urgent = waiting(0, 40, 1);
  EXPECT_EQ(queue_.size(), 4u);
  EXPECT_EQ(queue_.pop(), urgent);
  EXPECT_EQ(queue_.pop(), early);
  EXPECT_EQ(queue_.pop(), late);
  EXPECT_EQ(queue_.pop(), least);
  EXPECT_EQ(queue_.pop(), kNoSlot);
}

TEST_F(NodeQueueTest, WhoCameToTheGatewayFirstPassesWhoCameToTheNodeFirst) {
  const auto second = waiting(5, 20);
  const auto third = waiting(5, 30);
  const auto first = waiting(5, 10);
  EXPECT_EQ(queue_.pop(), first);
  EXPECT_EQ(queue_.pop(), second);
  EXPECT_EQ(queue_.pop(), third);
}

TEST_F(NodeQueueTest, TheWorstIsTheNewestOfTheLargestLevelOfItsModel) {
  waiting(7, 10, 0);
  const auto worst = waiting(7, 20, 0);
  waiting(2, 30, 0);
  const auto other = waiting(9, 5, 1);
  EXPECT_EQ(queue_.worst(0), worst);
  EXPECT_EQ(queue_.worst(1), other);
  queue_.remove(other);
  EXPECT_EQ(queue_.worst(1), kNoSlot);
}

TEST_F(NodeQueueTest, CountsByModel) {
  const auto one = waiting(1, 1, 0);
  waiting(1, 2, 1);
  EXPECT_EQ(queue_.size(0), 1u);
  EXPECT_EQ(queue_.size(1), 1u);
  queue_.remove(one);
  EXPECT_EQ(queue_.size(0), 0u);
  EXPECT_EQ(queue_.size(), 1u);
}

// Pushes, removals from anywhere and pops, against a search through all that wait.
TEST_F(NodeQueueTest, AgreesWithASearch) {
  Random random(4);
  std::vector<std::uint32_t> held;
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(jobs_[a].level, jobs_[a].arrival, jobs_[a].number) <
           std::tuple(jobs_[b].level, jobs_[b].arrival, jobs_[b].number);
  };
  for (int i = 0; i < 5'000; ++i) {
    held.push_back(
        waiting(static_cast<int>(random.below(10)), random.below(1000), random.below(2)));
    if (random.below(3) == 0) {
      const std::size_t at = random.below(static_cast<std::uint32_t>(held.size()));
      queue_.remove(held[at]);
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(at));
    }
    if (!held.empty() && random.below(2) == 0) {
      const auto first = std::min_element(held.begin(), held.end(), before);
      ASSERT_EQ(queue_.pop(), *first);
      held.erase(first);
    }
    ASSERT_EQ(queue_.size(), held.size());
  }
}

}  // namespace
}  // namespace sluice::sim
