#include "core/placement/breaker.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using enum AttemptVerdict;

constexpr TimePoint kStart{100s};

class BreakerTest : public ::testing::Test {
 protected:
  // One attempt from beginning to end. The transition that its end causes, if any.
  std::optional<BreakerTransition> attempt(AttemptVerdict verdict, double slowness = 1) {
    const auto begun = breaker.begin(now);
    return breaker.record(begun.ticket, verdict, now, slowness);
  }
  void trip() {
    for (std::uint32_t i = 0; i < options.consecutive_failures; ++i) attempt(kFailure);
    ASSERT_EQ(breaker.state(), BreakerState::kOpen);
  }
  void wait_until_half_open() { now = breaker.next_change(); }
  void heal() {
    wait_until_half_open();
    for (int i = 0; i < options.successes_to_close; ++i) attempt(kSuccess);
    ASSERT_EQ(breaker.state(), BreakerState::kClosed);
  }

  BreakerOptions options;
  Breaker breaker{options};
  TimePoint now = kStart;
};

TEST(AttemptVerdict, OnlyFaultsOfTheReplicaAreFailures) {
  const std::vector<std::pair<AttemptResult, AttemptVerdict>> table{
      {AttemptResult::kAnswered, kSuccess},    {AttemptResult::kRejected, kNeutral},
      {AttemptResult::kError, kFailure},       {AttemptResult::kBusy, kNeutral},
      {AttemptResult::kUnreachable, kFailure}, {AttemptResult::kTimeout, kFailure},
      {AttemptResult::kBadAnswer, kFailure},   {AttemptResult::kStopped, kNeutral}};
  for (const auto& [result, verdict] : table) EXPECT_EQ(verdict_of(result), verdict);
}

TEST_F(BreakerTest, OpensOnFailuresInARow) {
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(attempt(kFailure));
  const auto transition = attempt(kFailure);
  ASSERT_TRUE(transition);
  EXPECT_EQ(transition->from, BreakerState::kClosed);
  EXPECT_EQ(transition->to, BreakerState::kOpen);
  EXPECT_EQ(transition->cause, BreakerCause::kConsecutiveFailures);
  EXPECT_EQ(transition->failures_in_a_row, 5u);
  EXPECT_EQ(transition->failure_share, 1);
  EXPECT_EQ(transition->open_for, options.open_for);
  EXPECT_FALSE(breaker.admits(now));
}

TEST_F(BreakerTest, ASuccessBreaksTheRowAndNeutralsDoNot) {
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 4; ++i) attempt(kFailure);
    attempt(kSuccess);
    attempt(kSuccess);
    attempt(kSuccess);
    attempt(kSuccess);
    now += 10s;
  }
  EXPECT_EQ(breaker.state(), BreakerState::kClosed);
  for (int i = 0; i < 4; ++i) {
    attempt(kFailure);
    attempt(kNeutral);
  }
  EXPECT_TRUE(attempt(kFailure));
}

// sgl-project/sglang#25811, #39464: callers' mistakes and busy replicas opened breakers.
TEST_F(BreakerTest, CallersMistakesAndBusyReplicasNeverOpenIt) {
  for (int i = 0; i < 1'000; ++i) {
    attempt(verdict_of(AttemptResult::kRejected));
    attempt(verdict_of(AttemptResult::kBusy));
  }
  EXPECT_EQ(breaker.state(), BreakerState::kClosed);
}

TEST_F(BreakerTest, OpensOnTheShareOfFailuresOnceThereAreEnough) {
  std::optional<BreakerTransition> transition;
  int attempts = 0;
  while (!transition && attempts < 100)
    transition = attempt(attempts++ % 2 == 0 ? kFailure : kSuccess);
  ASSERT_TRUE(transition);
  EXPECT_EQ(attempts, 20);
  EXPECT_EQ(transition->cause, BreakerCause::kFailureShare);
  EXPECT_EQ(transition->failure_share, 0.5);
  EXPECT_EQ(transition->volume, 20);
}

TEST_F(BreakerTest, FewerFailuresThanTheShareAreBorne) {
  for (int i = 0; i < 1'000; ++i) attempt(i % 5 < 2 ? kFailure : kSuccess);
  EXPECT_EQ(breaker.state(), BreakerState::kClosed);
}

TEST_F(BreakerTest, OldVerdictsFade) {
  for (int i = 0; i < 8; ++i) {
    attempt(kFailure);
    attempt(kSuccess);
  }
  now += 60s;
  for (int i = 0; i < 4; ++i) attempt(kFailure);
  attempt(kSuccess);
  EXPECT_EQ(breaker.state(), BreakerState::kClosed) << "5 in the window, not 21";
}

TEST_F(BreakerTest, OpensWhenAnswersStaySlow) {
  for (int i = 0; i < 9; ++i) EXPECT_FALSE(attempt(kSuccess, 4));
  EXPECT_FALSE(attempt(kSuccess, 3.9));
  for (int i = 0; i < 9; ++i) EXPECT_FALSE(attempt(kSuccess, 100));
  const auto transition = attempt(kSuccess, 4);
  ASSERT_TRUE(transition);
  EXPECT_EQ(transition->cause, BreakerCause::kLatency);
  EXPECT_EQ(transition->slow_in_a_row, 10u);
}

TEST_F(BreakerTest, CausesCanBeSwitchedOff) {
  options.consecutive_failures = 0;
  options.failure_share = 1.1;
  options.slow_in_a_row = 0;
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(attempt(kFailure));
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(attempt(kSuccess, 1e9));
}

TEST_F(BreakerTest, LetsProbesThroughWhenItsTimeIsUp) {
  trip();
  EXPECT_EQ(breaker.next_change(), now + options.open_for);
  now = breaker.next_change() - 1ns;
  EXPECT_FALSE(breaker.admits(now));
  wait_until_half_open();
  EXPECT_TRUE(breaker.admits(now));
  const auto probe = breaker.begin(now);
  ASSERT_TRUE(probe.transition);
  EXPECT_EQ(probe.transition->to, BreakerState::kHalfOpen);
  EXPECT_EQ(probe.transition->cause, BreakerCause::kTimeUp);
  EXPECT_FALSE(breaker.admits(now)) << "one at a time";
  EXPECT_EQ(breaker.next_change(), kNever);
  EXPECT_FALSE(breaker.record(probe.ticket, kSuccess, now));
  EXPECT_TRUE(breaker.admits(now));
}

TEST_F(BreakerTest, SuccessfulProbesInARowCloseIt) {
  trip();
  wait_until_half_open();
  EXPECT_FALSE(attempt(kSuccess));
  EXPECT_FALSE(attempt(kNeutral));
  EXPECT_FALSE(attempt(kSuccess));
  const auto transition = attempt(kSuccess);
  ASSERT_TRUE(transition);
  EXPECT_EQ(transition->from, BreakerState::kHalfOpen);
  EXPECT_EQ(transition->cause, BreakerCause::kProbesSucceeded);
  EXPECT_TRUE(breaker.admits(now));
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(attempt(kFailure)) << "a clean sheet";
}

TEST_F(BreakerTest, AFailedOrSlowProbeOpensItAgain) {
  for (const bool failed : {true, false}) {
    trip();
    wait_until_half_open();
    attempt(kSuccess);
    const auto transition = failed ? attempt(kFailure) : attempt(kSuccess, 4);
    ASSERT_TRUE(transition);
    EXPECT_EQ(transition->to, BreakerState::kOpen);
    EXPECT_EQ(transition->cause, BreakerCause::kProbeFailed);
    heal();
  }
}

TEST_F(BreakerTest, StaysOpenTwiceAsLongEachTimeUpToABound) {
  trip();
  for (const Duration expected : {4s, 8s, 16s, 32s, 60s, 60s}) {
    wait_until_half_open();
    const auto transition = attempt(kFailure);
    ASSERT_TRUE(transition);
    EXPECT_EQ(transition->open_for, expected);
    EXPECT_EQ(breaker.next_change(), now + expected);
  }
}

TEST_F(BreakerTest, OnlyAHealthySpanForgetsEarlierOpenings) {
  trip();
  heal();
  now += options.healthy_after - 1ns;
  trip();
  EXPECT_EQ(breaker.next_change(), now + 2 * options.open_for);
  heal();
  now += options.healthy_after;
  trip();
  EXPECT_EQ(breaker.next_change(), now + options.open_for);
}

TEST_F(BreakerTest, AForgottenProbeGivesItsPlaceBack) {
  trip();
  wait_until_half_open();
  const auto probe = breaker.begin(now);
  EXPECT_FALSE(breaker.admits(now));
  breaker.forget(probe.ticket);
  EXPECT_TRUE(breaker.admits(now));
}

TEST_F(BreakerTest, StragglersOfAnOutageSayNothing) {
  const auto straggler = breaker.begin(now);
  const auto other = breaker.begin(now);
  trip();
  EXPECT_FALSE(breaker.record(straggler.ticket, kFailure, now));
  wait_until_half_open();
  const auto probe = breaker.begin(now);
  EXPECT_FALSE(breaker.record(other.ticket, kFailure, now));
  breaker.forget(straggler.ticket);
  EXPECT_FALSE(breaker.admits(now)) << "the probe is still under way";
  EXPECT_FALSE(breaker.record(probe.ticket, kSuccess, now));
  EXPECT_EQ(breaker.state(), BreakerState::kHalfOpen);
}

TEST_F(BreakerTest, ForcedAttemptsDoNotDisturb) {
  trip();
  const auto forced = breaker.begin(now);
  EXPECT_FALSE(forced.transition);
  wait_until_half_open();
  const auto probe = breaker.begin(now);
  const auto beside = breaker.begin(now);
  EXPECT_FALSE(breaker.record(forced.ticket, kFailure, now));
  EXPECT_FALSE(breaker.record(beside.ticket, kFailure, now));
  EXPECT_FALSE(breaker.record(probe.ticket, kSuccess, now));
  EXPECT_EQ(breaker.state(), BreakerState::kHalfOpen);
}

TEST_F(BreakerTest, SeveralProbesAtATime) {
  options.probes = 2;
  trip();
  wait_until_half_open();
  breaker.begin(now);
  EXPECT_TRUE(breaker.admits(now));
  breaker.begin(now);
  EXPECT_FALSE(breaker.admits(now));
}

TEST_F(BreakerTest, TimeThatGoesBackDoesNoHarm) {
  trip();
  now -= 1h;
  EXPECT_FALSE(breaker.admits(now));
  now = kStart + options.open_for;
  EXPECT_TRUE(breaker.admits(now));
  heal();
  now -= 1h;
  EXPECT_FALSE(attempt(kFailure));
}

TEST(Breaker, NamesItsStatesAndCauses) {
  EXPECT_EQ(to_string(BreakerState::kHalfOpen), "half-open");
  EXPECT_EQ(to_string(BreakerCause::kProbesSucceeded), "probes_succeeded");
  EXPECT_LE(sizeof(Breaker), 64u);
}

}  // namespace
}  // namespace sluice::core
