// Draws of the kinds that worlds are made of.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/random.h"
#include "base/time.h"

namespace sluice::sim {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  bool chance(double share) { return random_.uniform() < share; }
  double between(double low, double high) { return random_.uniform(low, high); }
  // Every order of magnitude alike; low > 0.
  double log_between(double low, double high) {
    return low * std::exp(random_.uniform() * std::log(high / low));
  }
  Duration log_between(Duration low, Duration high) {
    return Duration(static_cast<std::int64_t>(
        log_between(static_cast<double>(low.count()), static_cast<double>(high.count()))));
  }
  // Both included.
  std::uint32_t whole(std::uint32_t low, std::uint32_t high) {
    return low + random_.below(high - low + 1);
  }
  // Small ones more often: every order of magnitude alike.
  std::uint32_t log_whole(std::uint32_t low, std::uint32_t high) {
    return static_cast<std::uint32_t>(log_between(low, high + 1 - 1e-9));
  }
  template <class List>
  const auto& of(const List& list) {
    return list[random_.below(static_cast<std::uint32_t>(std::size(list)))];
  }
  std::uint64_t seed() { return random_.next(); }

 private:
  Random random_;
};

inline Duration times(Duration d, double factor) {
  return Duration(static_cast<std::int64_t>(static_cast<double>(d.count()) * factor));
}

}  // namespace sluice::sim
