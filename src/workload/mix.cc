#include "workload/mix.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace sluice::workload {

Mix::Mix(std::vector<RequestClass> classes) : classes_(std::move(classes)) {
  SLUICE_CHECK(!classes_.empty(), "a mix has a class");
  double sum = 0;
  for (const RequestClass& c : classes_) {
    SLUICE_CHECK(c.share > 0, "a class has a share");
    cumulative_.push_back(sum += c.share);
  }
}

std::size_t Mix::draw(Random& random) const {
  const double point = random.uniform() * cumulative_.back();
  const auto at = std::upper_bound(cumulative_.begin(), cumulative_.end(), point);
  // Rounding may put the point on the sum itself.
  return std::min(static_cast<std::size_t>(at - cumulative_.begin()), classes_.size() - 1);
}

}  // namespace sluice::workload
