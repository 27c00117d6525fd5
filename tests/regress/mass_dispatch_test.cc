// A node that becomes ready in front of a long queue: 256 tasks are dispatched in the call, and the
// rest by the ticks that next_wakeup() asks for. The ticks used to expire tasks only.
#include <gtest/gtest.h>

#include "support/virtual_cluster.h"

namespace sluice::test {
namespace {

using namespace core;
using namespace std::chrono_literals;

TEST(MassDispatch, TicksGoOnWhereOneCallStopped) {
  Scheduler scheduler(simple_options(1, 1, 1000));
  ActionBuffer actions;
  Labels labels{.model = ModelId{0}, .tenant = TenantId{0}, .budget = 10s};
  for (std::uint64_t i = 0; i < 600; ++i) {
    scheduler.handle(Submitted{.request = RequestId{i}, .labels = labels}, TimePoint(1ms), actions);
  }
  scheduler.handle(NodeReport{.node = NodeId{0}, .ready = true}, TimePoint(2ms), actions);
  EXPECT_EQ(scheduler.counters().running, 256u);
  for (int ticks = 0; scheduler.next_wakeup() <= TimePoint(2ms); ++ticks) {
    ASSERT_LT(ticks, 3);
    scheduler.handle(Tick{}, TimePoint(2ms), actions);
  }
  EXPECT_EQ(scheduler.counters().running, 600u);
}

}  // namespace
}  // namespace sluice::test
