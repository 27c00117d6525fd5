// Whether a node is ready, by the checks it passed and failed.
#pragma once

#include <cstdint>

namespace sluice::probe {

// Hysteresis by consecutive results. The first check decides alone: a gateway that has just been
// started should serve at once, and say at once what is down.
class HealthState {
 public:
  // Checks in a row that turn an unready node ready, and a ready one unready; ≥ 1.
  HealthState(std::uint32_t healthy_after, std::uint32_t unhealthy_after)
      : healthy_after_(healthy_after), unhealthy_after_(unhealthy_after) {}

  // One more result. True when it decided something: readiness changed, or is known from now on.
  bool observe(bool passed);

  // False until the first result.
  bool ready() const { return ready_; }

 private:
  std::uint32_t healthy_after_;
  std::uint32_t unhealthy_after_;
  std::uint32_t against_ = 0;  // results in a row that contradict ready_
  bool known_ = false;
  bool ready_ = false;
};

}  // namespace sluice::probe
