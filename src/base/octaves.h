// Logarithm and power of two that are the same on any machine: the C library's may differ in the
// last bit from version to version, and then one scheduler decides what another does not.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace sluice {

// log2(x) of a normal number x > 0, to within 2e-6 of an octave. O(1), some 15 instructions.
// The series of artanh around 1: log2(m) = 2 ÷ ln 2 × artanh((m − 1) ÷ (m + 1)).
inline float log2_of(float x) {
  constexpr float kRootOfTwo = 1.41421356F;
  const auto bits = std::bit_cast<std::uint32_t>(x);
  auto octave = static_cast<float>(static_cast<std::int32_t>(bits >> 23U) - 127);
  float mantissa = std::bit_cast<float>((bits & 0x007fffffU) | 0x3f800000U);
  if (mantissa > kRootOfTwo) {
    mantissa /= 2;
    ++octave;
  }
  const float t = (mantissa - 1) / (mantissa + 1);
  const float square = t * t;
  return octave + t * (2.88539008F + square * (0.961796694F + square * 0.577078016F));
}

// 2 to the power of x, -126 ≤ x ≤ 127, to within a millionth of itself. The series of exp.
inline float exp2_of(float x) {
  const float whole = std::floor(x + 0.5F);
  const float rest = (x - whole) * 0.693147181F;
  const float power =
      1 +
      rest * (1 + rest * (0.5F + rest * (0.166666667F +
                                         rest * (0.0416666667F + rest * (0.00833333333F +
                                                                         rest * 0.00138888889F)))));
  const auto exponent = static_cast<std::uint32_t>(static_cast<std::int32_t>(whole) + 127);
  return power * std::bit_cast<float>(exponent << 23U);
}

}  // namespace sluice
