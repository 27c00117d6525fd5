#include "probe/health_state.h"

#include <gtest/gtest.h>

namespace sluice::probe {
namespace {

TEST(HealthState, FirstResultDecidesAlone) {
  HealthState good(2, 3);
  EXPECT_FALSE(good.ready());
  EXPECT_TRUE(good.observe(true));
  EXPECT_TRUE(good.ready());

  HealthState bad(2, 3);
  EXPECT_TRUE(bad.observe(false));
  EXPECT_FALSE(bad.ready());
}

TEST(HealthState, FailuresInARowTakeItOut) {
  HealthState state(2, 3);
  state.observe(true);
  EXPECT_FALSE(state.observe(false));
  EXPECT_FALSE(state.observe(false));
  EXPECT_TRUE(state.ready());
  EXPECT_TRUE(state.observe(false));
  EXPECT_FALSE(state.ready());
}

TEST(HealthState, SuccessesInARowBringItBack) {
  HealthState state(2, 1);
  state.observe(false);
  EXPECT_FALSE(state.observe(true));
  EXPECT_FALSE(state.ready());
  EXPECT_TRUE(state.observe(true));
  EXPECT_TRUE(state.ready());
}

TEST(HealthState, CountStartsAgainAfterAContradiction) {
  HealthState state(2, 2);
  state.observe(true);
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(state.observe(false));
    EXPECT_FALSE(state.observe(true));
  }
  EXPECT_TRUE(state.ready());
}

TEST(HealthState, ChangeIsReportedOnce) {
  HealthState state(1, 1);
  EXPECT_TRUE(state.observe(true));
  EXPECT_FALSE(state.observe(true));
  EXPECT_TRUE(state.observe(false));
  EXPECT_FALSE(state.observe(false));
}

}  // namespace
}  // namespace sluice::probe
