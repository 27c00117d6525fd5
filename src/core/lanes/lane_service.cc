#include "core/lanes/lane_service.h"

#include <algorithm>

#include "base/check.h"

namespace sluice::core {

LaneService::LaneService(const std::array<double, kLanes>& weights) : weights_(weights) {
  for (const double w : weights_) SLUICE_CHECK(w > 0, "lane weights are positive");
}

std::optional<Lane> LaneService::pick(const std::array<bool, kLanes>& runnable) const {
  std::optional<Lane> best;
  double least = 0;
  for (std::size_t i = 0; i < kLanes; ++i) {
    if (!runnable[i]) continue;
    const double start = std::max(virtual_ns_[i], now_ns_);
    if (best && start >= least) continue;
    best = Lane(i);
    least = start;
  }
  return best;
}

void LaneService::charge(Lane lane, Duration cost) {
  double& mine = virtual_ns_[static_cast<std::size_t>(lane)];
  now_ns_ = std::max(now_ns_, mine);
  mine = now_ns_ + static_cast<double>(std::max<std::int64_t>(cost.count(), 1)) /
                       weights_[static_cast<std::size_t>(lane)];
}

void LaneService::settle(Lane lane, Duration more) {
  virtual_ns_[static_cast<std::size_t>(lane)] +=
      static_cast<double>(more.count()) / weights_[static_cast<std::size_t>(lane)];
}

}  // namespace sluice::core
