// The control loop at work in the scheduler: what the controllers decide is put into effect.
#include <algorithm>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

template <class Change>
std::size_t changes_of(const SteppedScheduler& step) {
  const auto& all = step.adjustments();
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const Adjusted& a) {
    return std::holds_alternative<Change>(a.change);
  }));
}

Options promoting(Duration after) {
  Options options = small_options();
  options.promotion.after = after;
  options.control.reserve.most_share = 0;
  return options;
}

// R16: single tasks move up where the lane's boost is not enough.
TEST(Promotion, MovesTheOldestOfTheLowLaneUp) {
  SteppedScheduler step(promoting(1s));
  step.all_ready();
  step.submit(0, asking(8, 1h));
  step.submit(1, asking(8, 1h));
  step.advance(100ms);
  step.submit(2, asking(9, 1h));
  step.advance(800ms);
  EXPECT_THAT(step.tick(), IsEmpty());
  step.advance(150ms);
  EXPECT_THAT(step.tick(), ElementsAre("promote 1 to 6"));
  EXPECT_EQ(step.scheduler().lane(Lane::kLow).waiting, 1u);
  EXPECT_EQ(step.scheduler().lane(Lane::kLatency).waiting, 1u);
  // One slot: one at a time.
  step.advance(200ms);
  EXPECT_THAT(step.tick(), IsEmpty());
  EXPECT_THAT(step.finish(0), ElementsAre("finish 0 completed", "dispatch 1 to 0"));
  step.advance(50ms);
  EXPECT_THAT(step.tick(), ElementsAre("promote 2 to 6"));
  EXPECT_EQ(step.scheduler().counters().promotions, 2u);
}

TEST(Promotion, IsNotMadeWhereTheLaneAboveIsFull) {
  Options options = promoting(100ms);
  options.lanes[1].capacity = 1;
  SteppedScheduler step(options);
  step.all_ready();
  step.submit(0, asking(5, 1h));
  step.submit(1, asking(5, 1h));
  step.submit(2, asking(8, 1h));
  step.advance(1s);
  EXPECT_THAT(step.tick(), IsEmpty());
}

TEST(Promotion, CanBeTurnedOff) {
  Options options = promoting(100ms);
  options.promotion.most_share = 0;
  SteppedScheduler step(options);
  step.all_ready();
  step.submit(0, asking(5, 1h));
  step.submit(1, asking(8, 1h));
  step.advance(1s);
  EXPECT_THAT(step.tick(), Not(Contains("promote 1 to 6")));
}

// R7: a model whose replicas are backlogged gets a smaller share, and others pass it.
TEST(ModelShare, ShrinksWhileTheReplicasAreBacklogged) {
  Options options = small_options(2);
  options.nodes[0].slots = 4;
  options.nodes[0].credits = 16;
  options.control.reserve.most_share = 0;
  SteppedScheduler step(options);
  step.all_ready();
  step.teach(200ms);
  // What the kind usually asks for: refused, but seen.
  for (std::uint64_t r = 1000; r < 2000; ++r) step.submit(r, asking(5, 1ms));
  for (std::uint64_t r = 0; r < 12; ++r) step.submit(r, asking(5, 600ms));
  for (int i = 0; i < 100; ++i) {
    step.advance(10ms);
    step.tick();
  }
  EXPECT_GT(changes_of<ModelShareChange>(step), 0u);
}

TEST(ControlLoop, RestsWhereNothingHappens) {
  SteppedScheduler step(small_options());
  step.all_ready();
  step.submit(0, asking(5, 1h));
  step.finish(0);
  TimePoint due = step.scheduler().next_wakeup();
  for (int i = 0; i < 10'000 && due != kNever; ++i) {
    step.set_now(std::max(step.now(), due));
    step.tick();
    due = step.scheduler().next_wakeup();
  }
  EXPECT_EQ(due, kNever);
}

}  // namespace
}  // namespace sluice::core
