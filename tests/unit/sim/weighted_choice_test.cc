#include "sim/weighted_choice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace sluice::sim {
namespace {

std::vector<int> draws_of(const std::vector<double>& weights, int draws) {
  const WeightedChoice choice(weights);
  Random random(1);
  std::vector<int> counts(weights.size());
  for (int i = 0; i < draws; ++i) ++counts.at(choice.draw(random));
  return counts;
}

TEST(WeightedChoice, DrawsInProportion) {
  const auto counts = draws_of({1, 3, 6}, 100'000);
  for (std::size_t i = 0; i < 3; ++i) {
    const double share = std::vector<double>{0.1, 0.3, 0.6}[i];
    EXPECT_NEAR(counts[i], 1e5 * share, 5 * std::sqrt(1e5 * share * (1 - share)));
  }
}

TEST(WeightedChoice, NeverDrawsWhatHasNoWeight) {
  const auto counts = draws_of({0, 1, 0, 0, 1e-3, 0}, 100'000);
  EXPECT_EQ(counts[0] + counts[2] + counts[3] + counts[5], 0);
  EXPECT_GT(counts[4], 0);
}

TEST(WeightedChoice, WithoutAnyWeightTakesTheFirst) {
  EXPECT_EQ(draws_of({0, 0}, 10)[0], 10);
}

}  // namespace
}  // namespace sluice::sim
