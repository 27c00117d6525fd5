#include "probe/health_state.h"

namespace sluice::probe {

bool HealthState::observe(bool passed) {
  if (known_ && passed == ready_) {
    against_ = 0;
    return false;
  }
  ++against_;
  if (known_ && against_ < (passed ? healthy_after_ : unhealthy_after_)) return false;
  known_ = true;
  ready_ = passed;
  against_ = 0;
  return true;
}

}  // namespace sluice::probe
