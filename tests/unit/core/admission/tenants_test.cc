// What tenants may have (R31), seen through the scheduler that asks.
#include "core/admission/tenants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

// Two tenants, of which the second has limits, on one node of `slots`.
Options limited(const TenantLimits& limits, std::uint32_t slots = 4) {
  Options options = small_options();
  options.nodes[0].slots = slots;
  options.nodes[0].credits = slots;
  options.tenants = {{.name = "free"}, {.name = "held", .limits = limits}};
  return options;
}

Labels from(std::uint32_t tenant, Priority priority = 8) {
  Labels labels = asking(priority, 10s);
  labels.tenant = {tenant};
  return labels;
}

class TenantsTest : public ::testing::Test {
 protected:
  SteppedScheduler with(const Options& options) {
    SteppedScheduler step(options);
    step.all_ready();
    return step;
  }
};

TEST_F(TenantsTest, BeyondItsRateATenantIsRefusedAndNobodyElse) {
  auto step = with(limited({.rate_rps = 10, .burst = 2}));
  EXPECT_THAT(step.submit(0, from(1)), ElementsAre("dispatch 0 to 0"));
  EXPECT_THAT(step.submit(1, from(1)), ElementsAre("dispatch 1 to 0"));
  EXPECT_THAT(step.submit(2, from(1)), ElementsAre("finish 2 refused rate_limited"));
  EXPECT_EQ(step.finished(2).retry_after, 100ms);
  EXPECT_THAT(step.submit(3, from(0)), ElementsAre("dispatch 3 to 0"));
  step.advance(100ms);
  EXPECT_THAT(step.submit(4, from(1)), ElementsAre("dispatch 4 to 0"));
}

TEST_F(TenantsTest, DelayedRateLetsOneThroughWhenItsTokenIsThere) {
  auto step = with(limited({.rate_rps = 10, .burst = 1, .over_rate = OverRate::kDelay}));
  EXPECT_THAT(step.submit(0, from(1)), ElementsAre("dispatch 0 to 0"));
  EXPECT_THAT(step.submit(1, from(1)), ElementsAre("queued 1"));
  EXPECT_THAT(step.submit(2, from(0)), ElementsAre("dispatch 2 to 0"));
  EXPECT_LE(step.scheduler().next_wakeup() - step.now(), 100ms);
  step.advance(100ms);
  EXPECT_THAT(step.tick(), ElementsAre("dispatch 1 to 0"));
}

TEST_F(TenantsTest, ConcurrencyHoldsBackItsTenantOnly) {
  auto step = with(limited({.concurrency = 1}));
  EXPECT_THAT(step.submit(0, from(1)), ElementsAre("dispatch 0 to 0"));
  EXPECT_THAT(step.submit(1, from(1)), ElementsAre("queued 1"));
  EXPECT_THAT(step.submit(2, from(0)), ElementsAre("dispatch 2 to 0"));
  EXPECT_THAT(step.finish(0), ElementsAre("finish 0 completed", "dispatch 1 to 0"));
}

// A caller that leaves does not make room: the replica works on.
TEST_F(TenantsTest, AbandonedAttemptsCountAsConcurrencyUntilTheyEnd) {
  auto step = with(limited({.concurrency = 1}));
  step.submit(0, from(1));
  step.submit(1, from(1));
  EXPECT_THAT(step.cancel(0), ElementsAre("stop 0 at 0", "finish 0 cancelled caller_gone"));
  EXPECT_THAT(step.finish(0, AttemptResult::kStopped), ElementsAre("dispatch 1 to 0"));
}

TEST_F(TenantsTest, DeviceShareHoldsOverASecond) {
  // Half of four slots: two device seconds a second.
  auto step = with(limited({.device_share = 0.5}));
  for (std::uint64_t i = 0; i < 4; ++i) {
    EXPECT_THAT(step.submit(i, from(1)), ElementsAre("dispatch " + std::to_string(i) + " to 0"));
  }
  step.advance(1s);  // four device seconds in one: as much as it has in two
  for (std::uint64_t i = 0; i < 4; ++i) step.finish(i);
  EXPECT_THAT(step.submit(4, from(0)), ElementsAre("dispatch 4 to 0"));
  EXPECT_THAT(step.submit(5, from(1)), ElementsAre("queued 5"));
  EXPECT_LE(step.scheduler().next_wakeup() - step.now(), 1s);
  step.advance(1100ms);
  EXPECT_THAT(step.tick(), ElementsAre("dispatch 5 to 0"));
}

TEST_F(TenantsTest, WaitingIsBoundByLane) {
  TenantLimits limits;
  limits.waiting[2] = 1;
  auto step = with(limited(limits, 1));
  step.submit(0, from(0));
  EXPECT_THAT(step.submit(1, from(1)), ElementsAre("queued 1"));
  EXPECT_THAT(step.submit(2, from(1)), ElementsAre("finish 2 refused tenant_queue_full"));
  EXPECT_GT(step.finished(2).retry_after, 0ms);
  EXPECT_THAT(step.submit(3, from(1, 4)), ElementsAre("queued 3"));  // another lane
  EXPECT_THAT(step.submit(4, from(0)), ElementsAre("queued 4"));
}

TEST_F(TenantsTest, WaitingBytesAreBoundByLane) {
  TenantLimits limits;
  limits.waiting_bytes[2] = 1000;
  auto step = with(limited(limits, 1));
  step.submit(0, from(0));
  Labels labels = from(1);
  labels.size_bytes = 600;
  EXPECT_THAT(step.submit(1, labels), ElementsAre("queued 1"));
  EXPECT_THAT(step.submit(2, labels), ElementsAre("finish 2 refused tenant_queue_full"));
  labels.size_bytes = ~std::uint64_t{0};
  EXPECT_THAT(step.submit(3, labels), ElementsAre("finish 3 refused tenant_queue_full"));
  // What has left makes room for all of it.
  step.cancel(1);
  EXPECT_EQ(step.scheduler().usage({1}).waiting_bytes[2], 0u);
  labels.size_bytes = 1000;
  EXPECT_THAT(step.submit(4, labels), ElementsAre("queued 4"));
}

TEST_F(TenantsTest, ReservedShareIsHadBeforeTheWeightsAreAsked) {
  Options options = limited({}, 1);
  options.tenants[1].reserved_share = 1;
  options.tenants[0].weight = 1000;
  auto step = with(options);
  step.submit(0, from(0));
  for (std::uint64_t i = 1; i <= 3; ++i) step.submit(i, from(0));
  for (std::uint64_t i = 4; i <= 6; ++i) step.submit(i, from(1));
  std::vector<std::string> order;
  for (std::uint64_t next : {0, 4, 5}) {
    step.advance(5ms);
    order.push_back(step.finish(next).back());
  }
  EXPECT_THAT(order, ElementsAre("dispatch 4 to 0", "dispatch 5 to 0", "dispatch 6 to 0"));
}

TEST_F(TenantsTest, UsageIsMetered) {
  auto step = with(limited({.rate_rps = 10, .burst = 1}));
  step.submit(0, from(1));
  step.submit(1, from(1));
  step.advance(20ms);
  step.finish(0);
  const TenantUsage& usage = step.scheduler().usage({1});
  EXPECT_EQ(usage.submitted, 2u);
  EXPECT_EQ(usage.outcomes[static_cast<std::size_t>(Outcome::kCompleted)], 1u);
  EXPECT_EQ(usage.reasons[static_cast<std::size_t>(Reason::kRateLimited)], 1u);
  EXPECT_EQ(usage.device_time, 20ms);
  EXPECT_EQ(usage.running, 0u);
}

// Where all stand in one queue, a limit on one must not hold up the others.
TEST_F(TenantsTest, WithoutFairnessNobodyIsHeldBack) {
  Options options = limited({.concurrency = 1});
  options.policy = *policy_named("fifo");
  options.tenants = {{.name = "held", .limits = {.concurrency = 1}}, {.name = "free"}};
  auto step = with(options);
  step.submit(0, from(0));
  EXPECT_THAT(step.submit(1, from(1)), ElementsAre("dispatch 1 to 0"));
}

}  // namespace
}  // namespace sluice::core
