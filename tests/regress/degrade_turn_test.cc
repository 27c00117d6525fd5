// A request that could not be degraded was bound anew to what it had asked for: with early binding
// that took a second node's turn, and the next request went where it should not have gone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

TEST(DegradeTurn, ARequestTakesOneTurnThoughItCannotBeDegraded) {
  Options options = small_options(2, 2);
  options.policy.binding = Binding::kEarlyRoundRobin;
  options.models[0].degrade_to = ModelId{1};
  for (LaneOptions& lane : options.lanes) lane.capacity = 1;
  SteppedScheduler step(std::move(options));
  step.all_ready();
  EXPECT_THAT(step.submit(1, asking(5, 10s)), ElementsAre("dispatch 1 to 0"));
  EXPECT_THAT(step.submit(2, asking(5, 10s)), ElementsAre("dispatch 2 to 1"));
  EXPECT_THAT(step.submit(3, asking(5, 10s)), ElementsAre("queued 3"));
  EXPECT_THAT(step.submit(4, asking(5, 10s)), ElementsAre("finish 4 refused queue_full"));
  EXPECT_THAT(step.finish(1), ElementsAre("finish 1 completed", "dispatch 3 to 0"));
  EXPECT_THAT(step.finish(2), ElementsAre("finish 2 completed"));
  // The turn is node 0's again, and it is busy.
  EXPECT_THAT(step.submit(5, asking(5, 10s)), ElementsAre("queued 5"));
}

}  // namespace
}  // namespace sluice::core
