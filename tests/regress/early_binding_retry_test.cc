// With early binding and two nodes a failed attempt went back to the node where it had failed: a
// node's turn was taken once to see whether there was one, and once more to go there.
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

TEST(EarlyBindingRetry, GoesToTheOtherNode) {
  Options options = small_options(1, 2);
  options.policy.binding = Binding::kEarlyRoundRobin;
  SteppedScheduler step(std::move(options));
  step.all_ready();
  Labels labels = asking(5, std::chrono::hours(1));
  labels.retriable = true;
  step.submit(1, labels);
  const NodeId first = step.dispatched(1).node;
  step.finish(1, AttemptResult::kError);
  ASSERT_EQ(step.requeued(1).node, first);
  EXPECT_NE(step.dispatched(1).node, first);
}

}  // namespace
}  // namespace sluice::core
