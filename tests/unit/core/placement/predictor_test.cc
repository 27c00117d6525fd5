#include "core/placement/predictor.h"

#include <gtest/gtest.h>

#include <array>

#include "base/random.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow{100s};
constexpr std::uint64_t kSize = 1'000;
constexpr Duration kPrior = 30ms;

// Two models; GPUs are kind 7, NPUs kind 3.
constexpr std::array<Predictor::Replica, 5> kReplicas{
    {{ModelId{0}, 7}, {ModelId{0}, 7}, {ModelId{0}, 3}, {ModelId{1}, 7}, {ModelId{0}, 7}}};

class PredictorTest : public ::testing::Test {
 protected:
  void learn(std::uint32_t replica, Duration service, int times = 1) {
    for (int i = 0; i < times; ++i) predictor.learn(replica, service, kSize, kNow);
  }
  ServicePrediction predict(std::uint32_t replica, TimePoint now = kNow) const {
    return predictor.predict(replica, {kSize, kPrior}, now);
  }
  double mean_ms(std::uint32_t replica) const { return to_ms(predict(replica).mean); }

  PredictorOptions options;
  Predictor predictor{options, kReplicas};
};

TEST_F(PredictorTest, KnowingNothingItSaysThePriorAndIsNotTrusted) {
  EXPECT_EQ(predict(0).mean, kPrior);
  EXPECT_EQ(predict(0).p95, 3 * kPrior);
  EXPECT_FALSE(predict(0).trusted);
}

TEST_F(PredictorTest, APriorOutOfRangeIsBrought) {
  EXPECT_EQ(predictor.predict(0, {kSize, Duration::max()}, kNow).mean, 264h);
  EXPECT_GT(predictor.predict(0, {kSize, Duration::max()}, kNow).p95, 264h);
  EXPECT_EQ(predictor.predict(0, {kSize, Duration::min()}, kNow).mean, 0h);
}

TEST_F(PredictorTest, OneSampleMovesItMostOfTheWay) {
  learn(0, 10ms);
  EXPECT_GT(mean_ms(0), 11);
  EXPECT_LT(mean_ms(0), 20);
  EXPECT_FALSE(predict(0).trusted);
}

TEST_F(PredictorTest, WithManySamplesOwnFiguresAreAllThatCounts) {
  learn(1, 10ms, 200);
  learn(0, 30ms, 200);
  EXPECT_NEAR(mean_ms(0), 30, 0.5);
  EXPECT_NEAR(mean_ms(1), 10, 0.5);
  EXPECT_LT(predict(0).p95, 1.3 * predict(0).mean);
}

TEST_F(PredictorTest, AReplicaWithoutSamplesIsLikeItsKindAndTrustedLikeIt) {
  learn(0, 10ms, 50);
  EXPECT_NEAR(mean_ms(1), 10, 1);
  EXPECT_TRUE(predict(1).trusted);
  EXPECT_LT(predict(1).p95, 20ms);
}

TEST_F(PredictorTest, OtherKindsAndOtherModelsSayNothing) {
  learn(0, 10ms, 50);
  EXPECT_EQ(predict(2).mean, kPrior);
  EXPECT_EQ(predict(3).mean, kPrior);
  EXPECT_FALSE(predict(2).trusted);
}

TEST_F(PredictorTest, NoSampleMakesItJump) {
  learn(1, 10ms, 100);
  double before = mean_ms(0);
  for (int i = 0; i < 30; ++i) {
    learn(0, 20ms);
    learn(1, 10ms, 2);
    const double after = mean_ms(0);
    EXPECT_GE(after, before - 0.3);
    EXPECT_LT(after - before, 7);
    EXPECT_TRUE(predict(0).trusted);
    before = after;
  }
  EXPECT_NEAR(before, 20, 1);
}

TEST_F(PredictorTest, FollowsAStepOfOneReplicaWithinTenSamples) {
  Random random(3);
  const auto serve = [&](std::uint32_t replica, double ms) {
    learn(replica, from_ms(random.lognormal(ms, 0.2)));
  };
  for (int i = 0; i < 200; ++i) {
    for (const std::uint32_t replica : {0, 1, 4}) serve(replica, 10);
  }
  for (int i = 0; i < 10; ++i) {
    serve(0, 30);
    serve(1, 10);
    serve(4, 10);
  }
  EXPECT_NEAR(mean_ms(0), 30, 6);
  EXPECT_NEAR(mean_ms(1), 10, 2);
}

TEST_F(PredictorTest, IsTrustedWhileFresh) {
  learn(0, 10ms, 10);
  EXPECT_TRUE(predict(0, kNow + options.fresh_for).trusted);
  EXPECT_FALSE(predict(0, kNow + options.fresh_for + 1ns).trusted);
  EXPECT_NEAR(to_ms(predict(0, kNow + 1h).mean), 10, 1) << "the last known is the best guess";
}

// The slow one is avoided; nothing else would ever show that it has recovered.
TEST_F(PredictorTest, WhatNobodyMeasuresFadesTowardsItsKind) {
  learn(0, 50ms, 20);
  learn(1, 10ms, 20);
  TimePoint now = kNow;
  const auto others_serve_for = [&](Duration span) {
    for (const TimePoint end = now + span; now < end; now += 100ms) {
      predictor.learn(1, 10ms, kSize, now);
    }
  };
  EXPECT_NEAR(to_ms(predict(0, now).mean), 50, 5);
  others_serve_for(10s);
  EXPECT_GT(predict(0, now).mean, 25ms);
  EXPECT_FALSE(predict(0, now).trusted) << "it rests on old figures";
  others_serve_for(1h);
  EXPECT_LT(predict(0, now).mean, 12ms);
  EXPECT_TRUE(predict(0, now).trusted) << "of its kind";
}

TEST_F(PredictorTest, ShowsWhatWasMeasured) {
  learn(0, 10ms, 3);
  learn(1, 10ms, 2);
  EXPECT_EQ(predictor.own(0).samples(), 3u);
  EXPECT_EQ(predictor.kind(0).samples(), 5u);
  EXPECT_EQ(&predictor.kind(0), &predictor.kind(4));
  EXPECT_NE(&predictor.kind(0), &predictor.kind(2));
}

}  // namespace
}  // namespace sluice::core
