#include "base/octaves.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sluice {
namespace {

TEST(Octaves, LogarithmIsThatOfTheCLibrary) {
  for (float x = 1e-30F; x < 1e30F; x *= 1.00137F) {
    ASSERT_NEAR(log2_of(x), std::log2(x), 2e-6 + 1e-7 * std::abs(std::log2(x))) << x;
  }
}

TEST(Octaves, PowersOfTwoAreExact) {
  for (int n = -126; n <= 127; ++n) {
    const float power = std::ldexp(1.0F, n);
    ASSERT_EQ(log2_of(power), static_cast<float>(n));
    ASSERT_EQ(exp2_of(static_cast<float>(n)), power);
  }
}

TEST(Octaves, PowerIsThatOfTheCLibrary) {
  for (float x = -126; x <= 127; x += 0.0137F) {
    ASSERT_NEAR(exp2_of(x) / std::exp2(x), 1, 3e-6) << x;
  }
}

}  // namespace
}  // namespace sluice
