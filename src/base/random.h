// Seeded random numbers, the same on every machine. The standard distributions are not: their
// algorithms differ between libraries, so the few that Sluice draws from are here.
#pragma once

#include <array>
#include <cstdint>

#include "base/state.h"

namespace sluice {

// xoshiro256++ (Blackman and Vigna, 2019), seeded through splitmix64. Not for secrets.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  std::uint64_t next();

  // Uniform in [0, bound), without bias worth naming (Lemire's multiply-shift). bound > 0.
  std::uint32_t below(std::uint32_t bound);
  // Uniform in [0, 1), 53 bits.
  double uniform();
  // Uniform in [low, high).
  double uniform(double low, double high);
  // Exponential with the given mean (> 0).
  double exponential(double mean);
  // Standard normal (polar method).
  double normal();
  // Lognormal with this mean (> 0) and coefficient of variation (≥ 0; 0 gives the mean itself).
  double lognormal(double mean, double cv);
  // Gamma of mean 1 with this coefficient of variation (> 0; 1 is exponential): Marsaglia and Tsang
  // 2000. Very large ones draw 0 now and then.
  double gamma(double cv);

  SLUICE_STATE(words);

 private:
  // Of this shape (≥ 1) and scale 1.
  double gamma_of_shape(double shape);

  std::array<std::uint64_t, 4> state_;
};

}  // namespace sluice
