// Which lane is next: weighted round robin in device time (R13).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/state.h"
#include "base/time.h"
#include "core/labels.h"

namespace sluice::core {

// Start-time fair queueing (Goyal, Vin, Cheng 1996). Each lane has a virtual time that moves on by
// cost ÷ weight with every dispatch; the lane that is furthest behind is next, the more urgent one
// when equal. A turn-based round robin would count a document of 30 ms like a picture of 1 ms and
// would let an urgent task wait for the others' turns; here a lane that uses less than its share
// is always the furthest behind, so it is served at once, and none gets less than its share:
// between two backlogged lanes, shares of device time per weight differ by at most one task of
// each per weight. O(1).
class LaneService {
 public:
  explicit LaneService(const std::array<double, kLanes>& weights);

  // The next lane among those for which `runnable` is true: one with a waiting task whose class has
  // credit. None when no lane is. Time during which a lane was not runnable earns it nothing.
  std::optional<Lane> pick(const std::array<bool, kLanes>& runnable) const;

  // A task of this expected device time was dispatched from the lane.
  void charge(Lane lane, Duration cost);
  // It took so much more, or less, than it was charged.
  void settle(Lane lane, Duration more);

  // From its next task on; > 0.
  void set_weight(Lane lane, double weight) { weights_[static_cast<std::size_t>(lane)] = weight; }
  double weight(Lane lane) const { return weights_[static_cast<std::size_t>(lane)]; }

  SLUICE_STATE(weights, virtual_ns, now_ns);

 private:
  std::array<double, kLanes> weights_;
  std::array<double, kLanes> virtual_ns_{};
  double now_ns_ = 0;  // virtual time: the start tag of the last dispatch
};

}  // namespace sluice::core
