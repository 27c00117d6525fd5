// Once, a request that must not wait was queued when a credit was free but kept for the high lane;
// and what the control loop let go was dispatched before the event of the same call was heard, past
// a task that ranked before it.
#include <gtest/gtest.h>

#include "support/virtual_cluster.h"

namespace sluice::test {
namespace {

using namespace core;
using namespace std::chrono_literals;

TEST(RunNow, IsRefusedWhereFreeSlotsAreKept) {
  VirtualCluster cluster(simple_options(2, 2, 4), {.seed = 3, .service = {10ms, 150ms}});
  all_ready(cluster);
  for (int i = 0; i < 4'000; ++i) {
    cluster.submit_at(
        TimePoint{} + i * 4ms,
        {.model = ModelId{0}, .tenant = TenantId{0}, .priority = Priority{0}, .budget = 100ms});
  }
  for (int i = 0; i < 400; ++i) {
    cluster.submit_at(TimePoint{} + i * 40ms, {.model = ModelId{1},
                                               .tenant = TenantId{0},
                                               .priority = Priority{8},
                                               .budget = 10s,
                                               .may_queue = false});
  }
  cluster.run();
  std::uint32_t refused = 0;
  for (const auto& [request, ended] : cluster.ended()) {
    if (ended.finish.model != ModelId{1}) continue;
    EXPECT_EQ(ended.finish.waited, Duration::zero()) << "request " << request;
    refused += ended.finish.reason == Reason::kWouldQueue ? 1 : 0;
  }
  EXPECT_GT(refused, 0u);
}

}  // namespace
}  // namespace sluice::test
