// R10, R17, R20: what a full lane does, and what becomes of a request whose own model cannot be in
// time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

Options full_at_two(Saturation saturation) {
  Options options = small_options(2);
  options.control.reserve.most_share = 0;
  for (LaneOptions& lane : options.lanes) {
    lane.capacity = 2;
    lane.saturation = saturation;
  }
  return options;
}

SteppedScheduler full(const Options& options) {
  SteppedScheduler step(options);
  step.all_ready();
  step.submit(0, asking(5, 1h));
  step.submit(1, asking(5, 20s));
  step.submit(2, asking(5, 30s));
  return step;
}

TEST(Saturation, RejectsTheNewest) {
  auto step = full(full_at_two(Saturation::kReject));
  EXPECT_THAT(step.submit(3, asking(5, 40s)), ElementsAre("finish 3 refused queue_full"));
}

TEST(Saturation, ShedsWhoeverHasTheLeastSlack) {
  auto step = full(full_at_two(Saturation::kShed));
  EXPECT_THAT(step.submit(3, asking(5, 40s)), ElementsAre("finish 1 expired shed", "queued 3"));
  // The newcomer itself, where that has the least.
  EXPECT_THAT(step.submit(4, asking(5, 10s)), ElementsAre("finish 4 refused queue_full"));
}

TEST(Saturation, ShedsOneForOneAndNoMore) {
  Options options = full_at_two(Saturation::kShed);
  options.lanes[1].capacity = 10;
  options.lanes[1].capacity_bytes = 100;
  SteppedScheduler step(options);
  step.all_ready();
  step.submit(0, asking(5, 1h));
  Labels small = asking(5, 20s);
  small.size_bytes = 50;
  step.submit(1, small);
  step.submit(2, small);
  Labels large = asking(5, 40s);
  large.size_bytes = 80;
  EXPECT_THAT(step.submit(3, large), ElementsAre("finish 3 refused queue_full"));
  large.size_bytes = 50;
  EXPECT_THAT(step.submit(4, large), ElementsAre("finish 1 expired shed", "queued 4"));
}

TEST(Saturation, DegradesBeforeTheLaneIsFull) {
  Options options = full_at_two(Saturation::kDegrade);
  options.models[0].degrade_to = ModelId{1};
  options.lanes[1].degrade_from = 0.5;
  SteppedScheduler step(options);
  step.all_ready();
  step.submit(0, asking(5, 1h));
  step.submit(1, asking(5, 20s));
  step.submit(2, asking(5, 30s));
  step.finish(0);
  step.finish(1);
  EXPECT_EQ(step.dispatched(1).model, ModelId{0});
  EXPECT_EQ(step.dispatched(2).model, ModelId{1});
}

TEST(Degrading, RunsTheSmallerModelWhereTheOwnWouldBeLate) {
  Options options = small_options(2);
  options.control.reserve.most_share = 0;
  options.models[0].degrade_to = ModelId{1};
  SteppedScheduler step(options);
  step.all_ready();
  step.teach(100ms, 0);
  step.teach(10ms, 1);
  step.submit(1, asking(5, 50ms, 0));
  EXPECT_EQ(step.dispatched(1).model, ModelId{1});
  // Where that would be late, too, the refusal is that of the model that was asked for.
  EXPECT_THAT(step.submit(2, asking(5, 5ms, 0)),
              ElementsAre("finish 2 refused would_miss_deadline"));
  EXPECT_EQ(step.finished(2).model, ModelId{0});
}

// What asks for a model's metadata wants to hear of that model.
TEST(Saturation, DoesNotDegradeWhatIsNoInference) {
  Options options = full_at_two(Saturation::kDegrade);
  options.models[0].degrade_to = ModelId{1};
  options.lanes[1].capacity = 10;
  options.lanes[1].degrade_from = 0.2;
  auto step = full(options);
  Labels metadata = asking(5, 40s);
  metadata.teaches = false;
  step.submit(3, metadata);
  step.submit(4, asking(5, 40s));
  EXPECT_EQ(step.admission(3).model, ModelId{0});
  EXPECT_FALSE(step.admission(3).degraded);
  EXPECT_EQ(step.admission(4).model, ModelId{1});
}

}  // namespace
}  // namespace sluice::core
