#include "sim/draws.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/sim/small_world.h"

namespace sluice::sim {
namespace {

Scenario uneven_world() {
  Scenario scenario = small_world();
  scenario.service.distribution = ServiceDistribution::kLognormal;
  scenario.kinds.push_back({.name = "slower"});
  scenario.service.mean = {{milliseconds(10), milliseconds(20)}, {milliseconds(100), std::nullopt}};
  scenario.paths[0].most = milliseconds(3);
  return scenario;
}

// Two policies ask in different orders, and for different nodes in between.
TEST(Draws, DoNotDependOnWhatWasDrawnBefore) {
  const Scenario scenario = uneven_world();
  const Draws one(scenario, 7);
  const Draws other(scenario, 7);
  const Duration first = one.service(1, 0, 0);
  const Duration second = one.service(2, 0, 0);
  other.delay(2, 0, 0, Draws::Way::kThere);
  EXPECT_EQ(other.service(2, 0, 0), second);
  EXPECT_EQ(other.service(1, 0, 0), first);
  EXPECT_EQ(one.delay(9, 1, 0, Draws::Way::kBack), other.delay(9, 1, 0, Draws::Way::kBack));
}

TEST(Draws, DifferByRequestKindWayAttemptAndSeed) {
  const Scenario scenario = uneven_world();
  const Draws draws(scenario, 7);
  EXPECT_NE(draws.service(1, 0, 0), draws.service(2, 0, 0));
  // Not one number stretched to the kind's mean.
  EXPECT_NE(draws.service(1, 0, 0) * 2, draws.service(1, 0, 1));
  EXPECT_NE(draws.delay(1, 0, 0, Draws::Way::kThere), draws.delay(1, 0, 0, Draws::Way::kBack));
  EXPECT_NE(draws.delay(1, 0, 0, Draws::Way::kThere), draws.delay(1, 1, 0, Draws::Way::kThere));
  EXPECT_NE(draws.fate(1, 0), draws.fate(1, 1));
  EXPECT_NE(draws.service(1, 0, 0), Draws(scenario, 8).service(1, 0, 0));
}

TEST(Draws, HaveTheMeanAndTheSpreadOfTheScenario) {
  const Scenario scenario = uneven_world();
  const Draws draws(scenario, 3);
  constexpr int kCount = 100'000;
  double sum = 0;
  double squares = 0;
  double way = 0;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const double ms = to_ms(draws.service(i, 1, 0));
    sum += ms;
    squares += ms * ms;
    const Duration delay = draws.delay(i, 0, 0, Draws::Way::kThere);
    ASSERT_GE(delay, milliseconds(1));
    ASSERT_LE(delay, milliseconds(3));
    way += to_ms(delay);
  }
  const double mean = sum / kCount;
  EXPECT_NEAR(mean, 100, 1);
  EXPECT_NEAR(std::sqrt(squares / kCount - mean * mean) / mean, 0.5, 0.02);
  EXPECT_NEAR(way / kCount, 2, 0.02);
}

TEST(Draws, AConstantServiceIsItsMean) {
  const Scenario scenario = small_world();
  EXPECT_EQ(Draws(scenario, 1).service(5, 0, 0), milliseconds(10));
}

TEST(Draws, AnExponentialServiceVariesAsMuchAsItsMean) {
  Scenario scenario = small_world();
  scenario.service.distribution = ServiceDistribution::kExponential;
  const Draws draws(scenario, 1);
  int longer = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) longer += draws.service(i, 0, 0) > milliseconds(10);
  EXPECT_NEAR(longer, 10'000 * std::exp(-1), 200);
}

}  // namespace
}  // namespace sluice::sim
