#include "sim/weighted_choice.h"

#include <algorithm>

namespace sluice::sim {

std::size_t WeightedChoice::draw(Random& random) const {
  const double sum = cumulative_.back();
  const double point = random.uniform() * sum;
  // Rounding may put the point on the sum itself: then the last that has a weight.
  const auto at = point < sum ? std::upper_bound(cumulative_.begin(), cumulative_.end(), point)
                              : std::lower_bound(cumulative_.begin(), cumulative_.end(), sum);
  return static_cast<std::size_t>(at - cumulative_.begin());
}

}  // namespace sluice::sim
