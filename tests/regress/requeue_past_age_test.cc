// Once, an attempt that failed when its task might not wait any longer was tried again all the
// same: the task left the queue at the next tick, as "queue_timeout" and not for what had failed
// it. And a task that had run for longer than its lane's maximum age lost its slot to an urgent
// one, and with it all that it had done.
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using Said = SteppedScheduler::Said;

// Tasks of the low lane may wait for a second.
Options impatient(std::uint32_t nodes) {
  Options options = small_options(1, nodes);
  options.lanes[2].max_age = 1s;
  options.control.reserve.most_share = 0;
  for (NodeOptions& node : options.nodes) node.cancel = CancelMode::kStops;
  return options;
}

Labels low() {
  Labels labels = asking(8, 60s);
  labels.retriable = true;
  return labels;
}

TEST(RequeuePastAge, WhatFailsAfterItsTimeToWaitHasFailed) {
  SteppedScheduler s(impatient(2));
  s.all_ready().submit(1, low());
  s.advance(999ms);
  EXPECT_EQ(s.finish(1, AttemptResult::kError),
            (Said{"requeue 1 replica_error", "dispatch 1 to 1"}));
  s.advance(2ms);
  EXPECT_EQ(s.finish(1, AttemptResult::kError), (Said{"finish 1 failed replica_error"}));
}

TEST(RequeuePastAge, WhatMayNotWaitKeepsItsSlot) {
  SteppedScheduler s(impatient(1));
  s.all_ready().teach(100ms);
  s.submit(1, low());
  s.advance(1001ms);
  EXPECT_EQ(s.submit(2, asking(0, 120ms)), (Said{"finish 2 refused would_miss_deadline"}));
  s.advance(100ms);
  EXPECT_EQ(s.finish(1), (Said{"finish 1 completed"}));
}

}  // namespace
}  // namespace sluice::core
