#include "base/random.h"

#include <bit>
#include <cmath>

namespace sluice {
namespace {

std::uint64_t splitmix64(std::uint64_t& x) {
  std::uint64_t z = (x += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed) {
  for (auto& word : state_) word = splitmix64(seed);
}

std::uint64_t Random::next() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint32_t Random::below(std::uint32_t bound) {
  return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
}

double Random::uniform() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

double Random::uniform(double low, double high) {
  return low + (high - low) * uniform();
}

double Random::exponential(double mean) {
  return -mean * std::log1p(-uniform());
}

double Random::normal() {
  double u = 0;
  double s = 0;
  do {
    u = uniform(-1, 1);
    const double v = uniform(-1, 1);
    s = u * u + v * v;
  } while (s >= 1 || s == 0);
  return u * std::sqrt(-2 * std::log(s) / s);
}

double Random::lognormal(double mean, double cv) {
  if (cv <= 0) return mean;
  const double variance = std::log1p(cv * cv);
  return mean * std::exp(std::sqrt(variance) * normal() - variance / 2);
}

double Random::gamma_of_shape(double shape) {
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log1p(-uniform()) < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
  }
}

double Random::gamma(double cv) {
  const double shape = 1 / (cv * cv);
  if (shape >= 1) return gamma_of_shape(shape) / shape;
  // A shape below 1 is that of one more, times a power of a uniform one.
  const double more = gamma_of_shape(shape + 1);
  return more * std::exp(std::log1p(-uniform()) / shape) / shape;
}

}  // namespace sluice
