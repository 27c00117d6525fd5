#include "core/control/period.h"

#include <algorithm>

namespace sluice::core {

TimePoint Period::next(const TickFigures& figures, TimePoint now) {
  if (figures.active == 0) return kNever;
  const PeriodOptions& o = options_;
  const double by_load = (figures.load - o.easy_load) / (o.full_load - o.easy_load);
  const double by_changes = static_cast<double>(figures.changes) / o.many;
  const double hurry = std::clamp(std::max(by_load, by_changes), 0.0, 1.0);
  const double span = static_cast<double>((o.longest - o.shortest).count());
  const Duration wanted = o.longest - Duration(static_cast<std::int64_t>(hurry * span));
  const double most = o.lengthen * static_cast<double>(period_.count());
  period_ = std::min(wanted, Duration(static_cast<std::int64_t>(most)));
  return saturating_add(now, period_);
}

TimePoint Period::wake(TimePoint now) {
  period_ = options_.shortest;
  return saturating_add(now, period_);
}

}  // namespace sluice::core
