// Fairness between tenants (R32): shares of one group, driven as the scheduler drives them.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "base/random.h"
#include "core/lanes/flows.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr ClassId kClass{0};
constexpr TaskTypeId kKind{0};
constexpr auto kGroup = static_cast<Flows::GroupId>(Lane::kLow);

class SharesTest : public ::testing::Test {
 protected:
  explicit SharesTest(std::uint32_t tenants = 3) : flows_(1, tenants, 1, 100'000) {
    flows_.set_active(kClass, true);
    served_.resize(tenants);
  }

  void push(std::uint32_t tenant, Duration work = 1ms) {
    flows_.push({Lane::kLow, kClass, {tenant}, {0}}, kKind, next_slot_,
                {.slot = next_slot_, .bytes = 0, .work = work});
    tasks_.push_back({.tenant = tenant, .work = work});
    ++next_slot_;
  }
  // Charges and takes out the head whose turn it is. Its tenant.
  std::uint32_t start() {
    const auto flow = flows_.next();
    const std::uint32_t slot = flows_.head(*flow);
    const Task task = tasks_[slot];
    const auto share = flows_.charge(*flow, task.work);
    flows_.remove(*flow, {.slot = slot, .bytes = 0, .work = task.work});
    running_.push_back({share, task});
    served_[task.tenant] += task.work;
    return task.tenant;
  }
  // The oldest attempt ends, having taken `factor` times what was expected.
  void finish(double factor = 1) {
    const auto [share, task] = running_.front();
    running_.pop_front();
    const auto more =
        Duration(static_cast<std::int64_t>((factor - 1) * static_cast<double>(task.work.count())));
    served_[task.tenant] += more;
    flows_.settle(share, more);
  }
  // How often each tenant is served in so many turns, one after the other.
  std::vector<int> turns(int count) {
    std::vector<int> result(served_.size());
    for (int i = 0; i < count; ++i) {
      ++result[start()];
      finish();
    }
    return result;
  }

  struct Task {
    std::uint32_t tenant;
    Duration work;
  };
  struct Running {
    Flows::ShareId share;
    Task task;
  };

  Flows flows_;
  std::uint32_t next_slot_ = 0;
  std::vector<Task> tasks_;
  std::deque<Running> running_;
  std::vector<Duration> served_;  // by tenant
};

TEST_F(SharesTest, EqualWeightsTakeTurnsHoweverMuchOneSends) {
  for (int i = 0; i < 90; ++i) push(0);
  for (int i = 0; i < 10; ++i) push(1);
  EXPECT_EQ(turns(20), (std::vector<int>{10, 10, 0}));
}

TEST_F(SharesTest, WeightsAreSharesOfDeviceTimeNotOfTurns) {
  flows_.set_weight({1}, 3);
  for (int i = 0; i < 200; ++i) push(0, 1ms);
  for (int i = 0; i < 200; ++i) push(1, 2ms);
  turns(100);
  // 3 : 1 in time is 3 : 2 in turns.
  EXPECT_NEAR(static_cast<double>(served_[1].count()) / static_cast<double>(served_[0].count()), 3,
              0.15);
}

TEST_F(SharesTest, WhatWasMisjudgedIsPutRightAfterwards) {
  for (int i = 0; i < 400; ++i) {
    push(0, 1ms);
    push(1, 1ms);
  }
  for (int i = 0; i < 400; ++i) finish(start() == 0 ? 4 : 1);
  EXPECT_NEAR(static_cast<double>(served_[0].count()) / static_cast<double>(served_[1].count()), 1,
              0.05);
}

TEST_F(SharesTest, PausingEarnsNothing) {
  for (int i = 0; i < 100; ++i) push(0);
  turns(50);  // tenant 1 was away
  for (int i = 0; i < 50; ++i) push(1);
  EXPECT_EQ(turns(20), (std::vector<int>{10, 10, 0}));
}

// A tenant that empties its queue for a moment does not get a fresh start with the next task.
TEST_F(SharesTest, LeavingDoesNotWipeOutWhatWasUsed) {
  for (int i = 0; i < 100; ++i) push(0, 1ms);
  push(1, 20ms);
  while (start() != 1) finish();
  finish();
  for (int i = 0; i < 100; ++i) push(1, 1ms);
  EXPECT_LE(turns(15)[1], 1);
}

TEST_F(SharesTest, BlockedTenantIsPassedOverAndEarnsNothingMeanwhile) {
  for (int i = 0; i < 100; ++i) {
    push(0);
    push(1);
  }
  flows_.set_blocked({1}, true);
  EXPECT_EQ(turns(20), (std::vector<int>{20, 0, 0}));
  flows_.set_blocked({1}, false);
  EXPECT_EQ(turns(20), (std::vector<int>{10, 10, 0}));
}

TEST_F(SharesTest, WorkBeforeATaskIsWhatItsTenantHasAndTheOthersPartOfIt) {
  for (int i = 0; i < 90; ++i) push(0);
  for (int i = 0; i < 5; ++i) push(1);
  EXPECT_EQ(flows_.work_before(kGroup, {0}), 95ms);
  EXPECT_EQ(flows_.work_before(kGroup, {1}), 10ms);
  EXPECT_EQ(flows_.work_before(kGroup, {2}), 0ms);
}

TEST_F(SharesTest, IdleTenantsAreForgotten) {
  for (int round = 0; round < 50; ++round) {
    for (std::uint32_t tenant = 0; tenant < 3; ++tenant) push(tenant);
    turns(3);
    EXPECT_EQ(flows_.share_count(), 0u);
    EXPECT_EQ(flows_.flow_count(), 0u);
  }
}

TEST_F(SharesTest, DeathOfWhoSettlesTwice) {
  push(0);
  start();
  const auto share = running_.front().share;
  finish();
  EXPECT_DEATH(flows_.settle(share, 0ms), "more attempts settled than charged");
}

// The bound that is promised: between tenants that stay backlogged, normalised service differs by
// at most (credits + 1) × the largest task ÷ the smallest weight.
class BoundTest : public SharesTest, public ::testing::WithParamInterface<std::uint64_t> {};

TEST_P(BoundTest, NormalisedServiceStaysWithinIt) {
  Random random(GetParam());
  const std::uint32_t credits = 1 + random.below(12);
  std::vector<double> weights;
  for (std::uint32_t t = 0; t < 3; ++t) {
    weights.push_back(random.uniform(0.5, 4));
    flows_.set_weight({t}, weights.back());
    for (int i = 0; i < 3000; ++i) push(t, Duration(1 + random.below(8'000'000)));
  }
  const double largest_ns = 2 * 8e6;  // an attempt takes up to twice what it was expected to
  const double bound =
      (credits + 1) * largest_ns / *std::min_element(weights.begin(), weights.end());
  for (int i = 0; i < 2000; ++i) {
    start();
    if (running_.size() == credits) finish(random.uniform(0, 2));
    for (std::uint32_t a = 0; a < 3; ++a) {
      for (std::uint32_t b = 0; b < 3; ++b) {
        const double gap = static_cast<double>(served_[a].count()) / weights[a] -
                           static_cast<double>(served_[b].count()) / weights[b];
        ASSERT_LE(gap, bound);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, BoundTest, ::testing::Range<std::uint64_t>(1, 21));

}  // namespace
}  // namespace sluice::core
