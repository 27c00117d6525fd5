#include "workload/mix.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::workload {
namespace {

TEST(Mix, DrawsInProportionToShares) {
  const Mix mix({{.name = "a", .share = 6}, {.name = "b", .share = 3}, {.name = "c", .share = 1}});
  Random random(4);
  std::vector<double> counts(3);
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) ++counts.at(mix.draw(random));
  EXPECT_NEAR(counts[0] / kDraws, 0.6, 0.01);
  EXPECT_NEAR(counts[1] / kDraws, 0.3, 0.01);
  EXPECT_NEAR(counts[2] / kDraws, 0.1, 0.01);
}

TEST(Mix, ASingleClassIsAlwaysDrawn) {
  const Mix mix({{.name = "only", .share = 0.001}});
  Random random(1);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(mix.draw(random), 0u);
}

}  // namespace
}  // namespace sluice::workload
