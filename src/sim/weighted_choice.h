// Draws in proportion to weights.
#pragma once

#include <cstddef>
#include <vector>

#include "base/random.h"

namespace sluice::sim {

class WeightedChoice {
 public:
  // Weights are not negative. When their sum is 0, the first is always drawn.
  template <class Weights>
  explicit WeightedChoice(const Weights& weights) {
    double sum = 0;
    for (const double weight : weights) cumulative_.push_back(sum += weight);
  }

  // An index; never one of weight 0 beside others. One random number, O(log weights).
  std::size_t draw(Random& random) const;

 private:
  std::vector<double> cumulative_;
};

}  // namespace sluice::sim
