#include "core/control/limiter.h"

#include <algorithm>
#include <cmath>

namespace sluice::core {
namespace {

double share_at(double load, const LoadRamp& ramp) {
  const double along = std::clamp((load - ramp.from) / (ramp.to - ramp.from), 0.0, 1.0);
  return 1 - along * (1 - ramp.floor);
}

}  // namespace

std::uint32_t running_cap(Lane lane, const SystemFigures& figures, std::uint32_t slots,
                          const LimiterOptions& options) {
  const LoadRamp& ramp = options.ramps[static_cast<std::size_t>(lane)];
  const double share = share_at(figures.load_before(lane), ramp);
  return std::max(static_cast<std::uint32_t>(std::lround(share * slots)), 1u);
}

std::uint32_t Reserve::step(double arrivals_per_s, Duration mean_service, std::uint32_t slots,
                            TimePoint now) {
  const double offered = arrivals_per_s * to_seconds(mean_service);
  const double load =
      std::max(rising_.add(offered, now, options_.rise), falling_.add(offered, now, options_.fall));
  // A hundredth of a slot is nobody: the reserve ends, rather than fading for ever.
  const double wanted = load < 0.01 ? 0 : std::ceil(load + options_.beta * std::sqrt(load) + 0.5);
  reserved_ = static_cast<std::uint32_t>(std::min(wanted, std::floor(options_.most_share * slots)));
  return reserved_;
}

}  // namespace sluice::core
