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

// Four slots and more credits for tasks of 200 ms, whose kind usually has 1 ms: refused, but seen.
SteppedScheduler asked_for_more_than_it_can() {
  Options options = small_options(2);
  options.nodes[0].slots = 4;
  options.nodes[0].credits = 16;
  options.control.reserve.most_share = 0;
  SteppedScheduler step(options);
  step.all_ready();
  step.teach(200ms);
  for (std::uint64_t r = 1000; r < 2000; ++r) step.submit(r, asking(5, 1ms));
  return step;
}

// R7: a model whose replicas are backlogged gets a smaller share, and others pass it.
TEST(ModelShare, ShrinksWhileTheReplicasAreBacklogged) {
  SteppedScheduler step = asked_for_more_than_it_can();
  for (std::uint64_t r = 0; r < 12; ++r) step.submit(r, asking(5, 600ms));
  for (int i = 0; i < 100; ++i) {
    step.advance(10ms);
    step.tick();
  }
  EXPECT_GT(changes_of<ModelShareChange>(step), 0u);
}

// What that means: so many attempts under way and no more, and the rest of the node for others.
TEST(ModelShare, BoundsWhatIsUnderWay) {
  SteppedScheduler step = asked_for_more_than_it_can();
  std::uint64_t running = 0;
  for (; running < 12; ++running) {
    if (step.submit(running, asking(5, 600ms)).front().starts_with("finish")) break;
  }
  for (int i = 0; i < 100; ++i) {
    step.advance(10ms);
    step.tick();
  }
  double share = 1;
  for (const Adjusted& adjusted : step.adjustments()) {
    const auto* change = std::get_if<ModelShareChange>(&adjusted.change);
    if (change != nullptr) share = change->change.to;
  }
  ASSERT_LT(share, 1);
  for (std::uint64_t r = 0; r < running; ++r) step.finish(r);

  std::uint64_t begun = 0;
  for (std::uint64_t r = 100; r < 110; ++r) {
    begun += step.submit(r, asking(5, 1h)).front().starts_with("dispatch") ? 1 : 0;
  }
  EXPECT_EQ(begun, static_cast<std::uint64_t>(share * 4));
  EXPECT_THAT(step.submit(200, asking(5, 1h, 1)), ElementsAre("dispatch 200 to 0"));
}

// R12: what is urgent waits for its own nodes, all of which are busy; the low lane has others, but
// in a loaded system it may not have all of them.
TEST(Limiter, HoldsTheLowLaneToItsCap) {
  Options options = small_options(2, 2);
  options.control.reserve.most_share = 0;
  options.promotion.most_share = 0;
  options.preemption.most = 0;
  for (std::uint32_t n = 0; n < 2; ++n) {
    options.nodes[n].models = {ModelId{n}};
    options.nodes[n].slots = options.nodes[n].credits.emplace(10);
    options.models[n].expected_service = 1s;
  }
  SteppedScheduler step(options);
  step.all_ready();
  for (std::uint64_t r = 0; r < 20; ++r) step.submit(r, asking(9, 1h, 0));
  for (std::uint64_t r = 100; r < 120; ++r) step.submit(r, asking(1, 1h, 1));
  for (int i = 0; i < 100; ++i) {
    step.advance(20ms);
    EXPECT_THAT(step.tick(), IsEmpty());
  }
  // All 20 slots busy and as much waiting as the gauge goes: a tenth of the slots is its cap.
  for (std::uint64_t r = 0; r < 8; ++r) {
    EXPECT_THAT(step.finish(r), ElementsAre("finish " + std::to_string(r) + " completed"));
  }
  EXPECT_THAT(step.finish(8), ElementsAre("finish 8 completed", "dispatch 10 to 0"));
  EXPECT_THAT(step.finish(100), ElementsAre("finish 100 completed", "dispatch 110 to 1"));
}

// R33: over the safety load those who are not core have a part of their rate, and others all of it.
TEST(SafetyLoad, ShrinksTheRateOfTenantsThatAreNotCore) {
  Options options = small_options();
  options.control.reserve.most_share = 0;
  const TenantLimits limits{.rate_rps = 20, .burst = 20};
  options.tenants = {{.name = "loads", .core = true},
                     {.name = "core", .core = true, .limits = limits},
                     {.name = "basic", .core = false, .limits = limits}};
  options.models[0].expected_service = 1s;
  SteppedScheduler step(options);
  step.all_ready();
  const auto let_in = [&](std::uint32_t tenant, std::uint64_t first) {
    std::uint64_t found = 0;
    Labels labels = asking(8, 1h);
    labels.tenant = {tenant};
    for (std::uint64_t r = first; r < first + 20; ++r) {
      found += step.submit(r, labels).front().starts_with("queued") ? 1 : 0;
    }
    return found;
  };
  for (std::uint64_t r = 0; r < 20; ++r) step.submit(r, asking(0, 1h));
  for (int i = 0; i < 200; ++i) {
    step.advance(20ms);
    step.tick();
  }
  EXPECT_GT(changes_of<ShareChange>(step), 0u);
  EXPECT_EQ(let_in(1, 100), 20u);
  EXPECT_EQ(let_in(2, 200), 2u) << "a tenth of it";
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
