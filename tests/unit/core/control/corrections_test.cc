#include "core/control/corrections.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr TaskTypeId kKind{0};

TimePoint at(double s) {
  return TimePoint(from_seconds(s));
}

// A kind that runs well: 1000/s, P95 at half its budget.
KindFigures healthy(double s) {
  return {.rate_per_s = 1000,
          .p95 = 50ms,
          .budget = 100ms,
          .ended = static_cast<std::uint64_t>(1000 * (s + 10)),
          .realtime = Realtime::kMedium};
}

KindFigures slow(double s, double ratio) {
  KindFigures figures = healthy(s);
  figures.p95 = from_ms(100 * ratio);
  figures.miss_share = ratio > 1 ? 0.06 : 0.01;
  return figures;
}

class CorrectionsTest : public testing::Test {
 protected:
  std::optional<CorrectionChange> step(const KindFigures& figures, double s, double load = 0.5) {
    return corrections.step(kKind, figures, load, at(s));
  }
  Corrections corrections{CorrectionOptions{}, 1};
};

TEST_F(CorrectionsTest, HealthyKindsAreLeftAlone) {
  for (double s = 0; s < 10; s += 0.02) EXPECT_FALSE(step(healthy(s), s));
  EXPECT_TRUE(corrections.settled(kKind));
}

TEST_F(CorrectionsTest, SlowKindRisesAndTheRecordSaysWhy) {
  const auto change = step(slow(1, 1.3), 1);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->kind, kKind);
  EXPECT_EQ(change->from, 0);
  EXPECT_EQ(change->to, -1);
  EXPECT_EQ(change->cause, CorrectionCause::kLatency);
  EXPECT_DOUBLE_EQ(change->figure, 1.3);
  EXPECT_EQ(change->threshold, 1.3);
  EXPECT_EQ(change->at, at(1));
  EXPECT_EQ(corrections.offset(kKind), -1);
  EXPECT_FALSE(corrections.settled(kKind));
}

TEST_F(CorrectionsTest, BelowTheThresholdNothingMoves) {
  EXPECT_FALSE(step(slow(1, 1.299), 1));
}

TEST_F(CorrectionsTest, DropsRaiseAndFailuresLower) {
  KindFigures figures = healthy(1);
  figures.drop_share = 0.05;
  EXPECT_EQ(step(figures, 1)->cause, CorrectionCause::kDrops);
  EXPECT_EQ(corrections.offset(kKind), -1);
  figures = healthy(2);
  figures.error_share = 0.25;
  figures.drop_share = 0.5;
  EXPECT_EQ(step(figures, 2)->cause, CorrectionCause::kFailures) << "failures go first";
  EXPECT_EQ(corrections.offset(kKind), 0);
  figures.ended += 1000;
  EXPECT_EQ(step(figures, 3)->to, 1);
}

TEST_F(CorrectionsTest, LoadRaisesUrgentKindsOnly) {
  EXPECT_FALSE(step(healthy(1), 1, 1.5));
  KindFigures urgent = healthy(1);
  urgent.realtime = Realtime::kHigh;
  const auto change = step(urgent, 1, 1.1);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->cause, CorrectionCause::kLoad);
  EXPECT_EQ(change->to, -1);
}

TEST_F(CorrectionsTest, NeverBeyondTwoSteps) {
  for (double s = 1; s < 20; s += 0.02) step(slow(s, 9), s);
  EXPECT_EQ(corrections.offset(kKind), -2);
}

TEST_F(CorrectionsTest, DwellIsTimeAndTasks) {
  ASSERT_TRUE(step(slow(1, 2), 1));
  EXPECT_FALSE(step(slow(1.49, 2), 1.49)) << "too early";
  KindFigures few = slow(1, 2);
  few.ended += 99;
  EXPECT_FALSE(step(few, 5)) << "figures are still from before the change";
  ++few.ended;
  EXPECT_TRUE(step(few, 5));
}

TEST_F(CorrectionsTest, FirstTasksOfAKindAreNoEvidence) {
  KindFigures first = slow(0, 3);
  first.ended = 99;
  EXPECT_FALSE(step(first, 1));
}

TEST_F(CorrectionsTest, KindWithFewTasksIsJudgedAfterACalm) {
  ASSERT_TRUE(step(slow(1, 2), 1));
  KindFigures well = healthy(1);
  well.ended += 3;
  EXPECT_FALSE(step(well, 40));
  EXPECT_EQ(step(well, 42)->to, 0);
}

TEST_F(CorrectionsTest, HoldsInsideTheBandAndGoesBackStepByStepBelowIt) {
  step(slow(1, 2), 1);
  step(slow(2, 2), 2);
  ASSERT_EQ(corrections.offset(kKind), -2);
  EXPECT_FALSE(step(slow(3, 1.01), 3));
  const auto change = step(slow(4, 0.9), 4);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->to, -1);
  EXPECT_EQ(change->cause, CorrectionCause::kLatency);
  EXPECT_EQ(change->threshold, 1.0);
  EXPECT_FALSE(step(slow(4.4, 0.9), 4.4));
  EXPECT_EQ(step(slow(4.5, 0.9), 4.5)->to, 0);
  EXPECT_TRUE(corrections.settled(kKind));
}

TEST_F(CorrectionsTest, EstimateOfP95ThatLagsHoldsNothing) {
  step(slow(1, 2), 1);
  KindFigures lagging = slow(2, 2);
  lagging.miss_share = 0.001;
  EXPECT_EQ(step(lagging, 2)->to, 0);
}

TEST_F(CorrectionsTest, AnotherCauseOfTheSameDirectionHolds) {
  step(slow(1, 2), 1);
  KindFigures dropping = healthy(2);
  dropping.drop_share = 0.03;
  EXPECT_FALSE(step(dropping, 2));
  EXPECT_TRUE(step(healthy(3), 3));
}

TEST_F(CorrectionsTest, IdleKindGoesBackWhateverItsLastFiguresWere) {
  step(slow(1, 2), 1);
  KindFigures idle = slow(1, 2);
  idle.rate_per_s = 0;
  const auto change = step(idle, 2);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->cause, CorrectionCause::kIdle);
  EXPECT_TRUE(corrections.settled(kKind));
}

// Bad figures are nobody's cause (and no reason to stay corrected).
TEST_F(CorrectionsTest, NanIsNoCause) {
  KindFigures figures = healthy(1);
  figures.error_share = figures.drop_share = figures.miss_share = std::nan("");
  figures.realtime = Realtime::kHigh;
  EXPECT_FALSE(step(figures, 1, std::nan("")));
  figures.budget = 0ms;
  EXPECT_FALSE(step(figures, 2));
}

}  // namespace
}  // namespace sluice::core
