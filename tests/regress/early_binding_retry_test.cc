// With early binding and two nodes a failed attempt went back to the node where it had failed: a
// node's turn was taken once to see whether there was one, and once more to go there.
#include <gtest/gtest.h>

#include "support/virtual_cluster.h"

namespace sluice::test {
namespace {

using namespace core;

TEST(EarlyBindingRetry, GoesToTheOtherNode) {
  Options options = simple_options(1, 2, 1);
  options.policy.binding = Binding::kEarlyRoundRobin;
  Scheduler scheduler(options);
  ActionBuffer actions;
  for (const std::uint32_t n : {0u, 1u}) {
    scheduler.handle(NodeReport{.node = NodeId{n}, .ready = true}, TimePoint{}, actions);
  }
  Labels labels{.model = ModelId{0}, .tenant = TenantId{0}, .budget = std::chrono::hours(1)};
  labels.retriable = true;
  scheduler.handle(Submitted{.request = RequestId{0}, .labels = labels}, TimePoint{}, actions);
  const Dispatch first = std::get<Dispatch>(actions.at(0));
  actions.clear();
  scheduler.handle(AttemptFinished{.attempt = first.attempt, .result = AttemptResult::kError},
                   TimePoint{}, actions);
  ASSERT_EQ(actions.size(), 2u);
  EXPECT_NE(std::get<Dispatch>(actions.at(1)).node, first.node);
}

}  // namespace
}  // namespace sluice::test
