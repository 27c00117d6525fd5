#include "core/control/shrinking_share.h"

#include <algorithm>

namespace sluice::core {

std::optional<ShareChange> ShrinkingShare::step(double figure, TimePoint now,
                                                const ShareOptions& o) {
  double to = share_;
  double threshold = 0;
  if (figure >= o.shrink_above && gate_.may_go_out(now, o.gate)) {
    to = std::max(share_ * o.decrease, o.floor);
    threshold = o.shrink_above;
  } else if (figure < o.recover_below && gate_.may_go_in(now, o.gate)) {
    to = std::min(share_ + o.increase, 1.0);
    threshold = o.recover_below;
  }
  if (to == share_) return std::nullopt;
  to < share_ ? gate_.went_out(now, o.gate) : gate_.went_in(now);
  const ShareChange change{
      .from = share_, .to = to, .figure = figure, .threshold = threshold, .at = now};
  share_ = to;
  return change;
}

}  // namespace sluice::core
