#include "core/placement/path_health.h"

namespace sluice::core {

void PathHealth::enter(TimePoint now) {
  const std::uint32_t next = run_ + 1;
  *this = PathHealth{};
  run_ = next;
  entered_ = now;
}

void PathHealth::succeeded(double slowness, TimePoint now) {
  if (failures_ > 0) ++run_;
  failures_ = failing_nodes_ = 0;
  last_ = now;
  samples_ += samples_ < kLeastSamples ? 1 : 0;
  ratios_.add(slowness);
}

void PathHealth::failed(bool new_node) {
  ++failures_;
  failing_nodes_ += new_node ? 1 : 0;
}

}  // namespace sluice::core
