#include "core/control/load_gauge.h"

#include <algorithm>

namespace sluice::core {

SystemFigures LoadGauge::step(double busy, double slots,
                              const std::array<Duration, kLanes>& waiting, TimePoint now) {
  const double busy_share = slots > 0 ? std::clamp(busy / slots, 0.0, 1.0) : 1;
  busy_share_.add(busy_share, now, options_.memory);
  const double full_ns = std::max(slots * static_cast<double>(options_.horizon.count()), 1.0);
  for (std::size_t i = 0; i < kLanes; ++i) {
    const double share = static_cast<double>(waiting[i].count()) / full_ns;
    waiting_share_[i].add(std::clamp(share, 0.0, 1.0), now, options_.memory);
  }
  return figures();
}

SystemFigures LoadGauge::figures() const {
  SystemFigures figures{.busy_share = busy_share_.value()};
  for (std::size_t i = 0; i < kLanes; ++i) {
    figures.waiting_share[i] = waiting_share_[i].value();
  }
  return figures;
}

}  // namespace sluice::core
