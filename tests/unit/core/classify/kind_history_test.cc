#include "core/classify/kind_history.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

TEST(KindHistory, StartsEmpty) {
  const KindHistory history;
  EXPECT_EQ(history.drop_share(), 0);
  EXPECT_EQ(history.mean(), 0ns);
}

TEST(KindHistory, DropShareFollowsWhatIsDroppedAndForgets) {
  KindHistory history;
  for (int i = 0; i < 1000; ++i) i % 4 == 0 ? history.dropped() : history.answered(1ms, 1s);
  EXPECT_NEAR(history.drop_share(), 0.25, 0.05);
  for (int i = 0; i < 500; ++i) history.answered(1ms, 1s);
  EXPECT_LT(history.drop_share(), 0.01);
}

// R1: mean, P50 and P95 of an exponential: 100, 69 and 300 ms.
TEST(KindHistory, QuantilesSettleNearTheTrueOnes) {
  KindHistory history;
  Random random(1);
  for (int i = 0; i < 20000; ++i) history.answered(from_ms(random.exponential(100)), 1s);
  EXPECT_NEAR(to_ms(history.mean()), 100, 30);
  EXPECT_NEAR(to_ms(history.p50()), 69, 20);
  EXPECT_NEAR(to_ms(history.p95()), 300, 60);
  EXPECT_EQ(history.answered_count(), 20000u);
}

TEST(KindHistory, MissesAreLateOrDroppedOrFailed) {
  KindHistory history;
  for (int i = 0; i < 2000; ++i) {
    switch (i % 8) {
      case 0:
        history.dropped();
        break;
      case 1:
        history.failed();
        break;
      default:
        history.answered(i % 8 == 2 ? 51ms : 50ms, 50ms);
    }
  }
  EXPECT_NEAR(history.drop_share(), 0.125, 0.03);
  EXPECT_NEAR(history.error_share(), 0.125, 0.03);
  EXPECT_NEAR(history.miss_share(), 0.375, 0.05);
  EXPECT_EQ(history.answered_count(), 1500u);
}

TEST(KindHistory, RateAndBudgetFollowArrivals) {
  KindHistory history;
  TimePoint now(1s);
  for (int i = 0; i < 2000; ++i) history.arrived(i % 2 == 0 ? 80ms : 120ms, now += 5ms);
  EXPECT_NEAR(history.rate_per_s(now), 200, 10);
  EXPECT_NEAR(to_ms(history.mean_budget()), 100, 2);
  EXPECT_LT(history.rate_per_s(now + 20s), 0.1);
}

TEST(KindHistory, FiguresAreWhatOthersSee) {
  KindHistory history;
  history.arrived(30ms, TimePoint(1s));
  history.answered(40ms, 30ms);
  history.failed();
  const KindFigures seen = history.figures(Realtime::kHigh, TimePoint(1s));
  EXPECT_EQ(seen.budget, 30ms);
  EXPECT_EQ(seen.p95, 40ms);
  EXPECT_EQ(seen.ended, 2u);
  EXPECT_EQ(seen.realtime, Realtime::kHigh);
  EXPECT_EQ(seen.error_share, history.error_share());
  EXPECT_EQ(seen.miss_share, history.miss_share());
  EXPECT_EQ(seen.rate_per_s, 0.5);
}

}  // namespace
}  // namespace sluice::core
