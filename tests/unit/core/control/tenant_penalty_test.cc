#include "core/control/tenant_penalty.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr TenantId kAbuser{0};
constexpr TenantId kOther{1};

using Ends = std::function<Conduct(int)>;  // of the n-th request

Conduct good(int) {
  return Conduct::kGood;
}
Ends one_in(int n, Conduct misuse) {
  return [=](int i) { return i % n == 0 ? misuse : Conduct::kGood; };
}

// Two tenants of 100 requests a second each; one that is suspended sends none.
class TenantPenaltyTest : public testing::Test {
 protected:
  void run(double seconds, const Ends& abuser, const Ends& other = good) {
    for (const TimePoint end = now + from_seconds(seconds); now < end; now += 10ms, ++n) {
      if (!penalties.penalty(kAbuser).suspended) penalties.ended(kAbuser, abuser(n), now);
      if (!penalties.penalty(kOther).suspended) penalties.ended(kOther, other(n), now);
      for (const TenantId tenant : {kAbuser, kOther}) {
        if (const auto change = penalties.step(tenant, now)) changes.push_back(*change);
      }
    }
  }

  TenantPenalties penalties{PenaltyOptions{}, 2};
  std::vector<PenaltyChange> changes;
  TimePoint now{100s};
  int n = 1;
};

TEST_F(TenantPenaltyTest, OrdinaryFailuresAreNoAbuse) {
  run(60, one_in(4, Conduct::kFailure));
  EXPECT_TRUE(changes.empty());
}

TEST_F(TenantPenaltyTest, AbuseRisesOneLevelAtATimeToSuspension) {
  run(4, one_in(2, Conduct::kTimeout));
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].tenant, kAbuser);
  EXPECT_EQ(changes[0].to, 1);
  EXPECT_EQ(changes[0].most, Conduct::kTimeout);
  EXPECT_GE(changes[0].figure, 0.3);
  EXPECT_EQ(changes[0].threshold, 0.3);
  EXPECT_EQ(penalties.penalty(kAbuser).weight_factor, 0.5);
  run(12, one_in(2, Conduct::kTimeout));
  EXPECT_EQ(penalties.level(kAbuser), 4);
  EXPECT_TRUE(penalties.penalty(kAbuser).suspended);
  EXPECT_EQ(penalties.level(kOther), 0);
}

TEST_F(TenantPenaltyTest, PenaltiesGrowWithTheLevel) {
  for (std::size_t i = 1; i < kPenalties.size(); ++i) {
    EXPECT_LE(kPenalties[i].weight_factor, kPenalties[i - 1].weight_factor);
    EXPECT_GE(kPenalties[i].priority_steps, kPenalties[i - 1].priority_steps);
    EXPECT_LE(kPenalties[i].rate_factor, kPenalties[i - 1].rate_factor);
    EXPECT_EQ(kPenalties[i].suspended, i == 4);
  }
}

// Nobody is at fault for broken replicas.
TEST_F(TenantPenaltyTest, WhatHappensToAllIsNobodysAbuse) {
  run(60, one_in(1, Conduct::kFailure), one_in(1, Conduct::kFailure));
  EXPECT_TRUE(changes.empty());
}

TEST_F(TenantPenaltyTest, OnlyTenantIsJudgedByItself) {
  TenantPenalties alone(PenaltyOptions{}, 1);
  for (int i = 0; i < 10'000; ++i, now += 1ms) alone.ended(kAbuser, Conduct::kOversize, now);
  EXPECT_EQ(alone.step(kAbuser, now)->most, Conduct::kOversize);
}

TEST_F(TenantPenaltyTest, FewRequestsAreNoEvidence) {
  for (int i = 0; i < 19; ++i) penalties.ended(kAbuser, Conduct::kDisconnect, now);
  EXPECT_FALSE(penalties.step(kAbuser, now));
  penalties.ended(kAbuser, Conduct::kDisconnect, now);
  EXPECT_TRUE(penalties.step(kAbuser, now));
}

TEST_F(TenantPenaltyTest, GoodConductLeadsBackLevelByLevel) {
  run(16, one_in(2, Conduct::kTimeout));
  ASSERT_EQ(penalties.level(kAbuser), 4);
  run(4, good);
  EXPECT_EQ(penalties.level(kAbuser), 4);
  run(2, good);
  EXPECT_EQ(penalties.level(kAbuser), 3) << "half-open: observed at a quarter of its rate";
  run(16, good);
  EXPECT_EQ(penalties.level(kAbuser), 0);
  EXPECT_FALSE(penalties.settled(kAbuser, now)) << "it has traffic";
  EXPECT_TRUE(penalties.settled(kAbuser, now + 20s));
}

// Abuses whenever it may, behaves when it is watched: let back once in a longest hold at most.
TEST_F(TenantPenaltyTest, RelapsesMakeTheObservationLonger) {
  const auto abuse_at_zero = [&](int) {
    return penalties.level(kAbuser) == 0 ? Conduct::kTimeout : Conduct::kGood;
  };
  run(1200, abuse_at_zero);
  changes.clear();
  run(1600, abuse_at_zero);
  EXPECT_LE(changes.size(), 2 * 1600u / 160 + 2);
  EXPECT_GE(changes.size(), 2u);
}

TEST_F(TenantPenaltyTest, SuspendedTenantThatStaysBadIsLetInSeldom) {
  run(1200, one_in(1, Conduct::kTimeout));
  changes.clear();
  run(1600, one_in(1, Conduct::kTimeout));
  EXPECT_LE(changes.size(), 2 * 1600u / 160 + 2);
  for (const auto& change : changes) EXPECT_GE(std::min(change.from, change.to), 3);
}

}  // namespace
}  // namespace sluice::core
