#include "core/control/safety_load.h"

#include <algorithm>

namespace sluice::core {

std::optional<SafetyLoadChange> SafetyLoad::step(double load, TimePoint now) {
  const SafetyLoadOptions& o = options_;
  double to = factor_;
  double threshold = 0;
  if (load >= o.shrink_above && gate_.may_go_out(now, o.gate)) {
    to = std::max(factor_ * o.decrease, o.floor);
    threshold = o.shrink_above;
  } else if (load < o.recover_below && gate_.may_go_in(now, o.gate)) {
    to = std::min(factor_ + o.increase, 1.0);
    threshold = o.recover_below;
  }
  if (to == factor_) return std::nullopt;
  to < factor_ ? gate_.went_out(now, o.gate) : gate_.went_in(now);
  const SafetyLoadChange change{
      .from = factor_, .to = to, .load = load, .threshold = threshold, .at = now};
  factor_ = to;
  return change;
}

}  // namespace sluice::core
