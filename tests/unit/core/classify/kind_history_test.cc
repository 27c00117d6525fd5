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
  for (int i = 0; i < 1000; ++i) i % 4 == 0 ? history.dropped() : history.answered(1ms);
  EXPECT_NEAR(history.drop_share(), 0.25, 0.05);
  for (int i = 0; i < 500; ++i) history.answered(1ms);
  EXPECT_LT(history.drop_share(), 0.01);
}

// R1: mean, P50 and P95 of an exponential: 100, 69 and 300 ms.
TEST(KindHistory, QuantilesSettleNearTheTrueOnes) {
  KindHistory history;
  Random random(1);
  for (int i = 0; i < 20000; ++i) history.answered(from_ms(random.exponential(100)));
  EXPECT_NEAR(to_ms(history.mean()), 100, 30);
  EXPECT_NEAR(to_ms(history.p50()), 69, 20);
  EXPECT_NEAR(to_ms(history.p95()), 300, 60);
  EXPECT_EQ(history.answered_count(), 20000u);
}

}  // namespace
}  // namespace sluice::core
