// Once, slots that were kept for the high lane made every node of the class look as if its breaker
// were open: what was less urgent was refused with "no_replica" instead of waiting its turn.
#include <gtest/gtest.h>

#include "support/virtual_cluster.h"

namespace sluice::test {
namespace {

using namespace core;
using namespace std::chrono_literals;

TEST(ReserveRefusal, WhatFindsOnlyKeptSlotsWaits) {
  // Too long to be lent a reserved slot, which is for half of the high lane's budget.
  VirtualCluster cluster(simple_options(2, 2, 4), {.seed = 3, .service = {10ms, 150ms}});
  all_ready(cluster);
  for (int i = 0; i < 4'000; ++i) {
    cluster.submit_at(
        TimePoint{} + i * 4ms,
        {.model = ModelId{0}, .tenant = TenantId{0}, .priority = Priority{0}, .budget = 100ms});
  }
  for (int i = 0; i < 400; ++i) {
    cluster.submit_at(
        TimePoint{} + i * 40ms,
        {.model = ModelId{1}, .tenant = TenantId{0}, .priority = Priority{8}, .budget = 10s});
  }
  cluster.run();
  EXPECT_EQ(cluster.count(Reason::kNoReplica), 0u);
  EXPECT_GT(cluster.count(Outcome::kCompleted), 4'350u);
}

}  // namespace
}  // namespace sluice::test
