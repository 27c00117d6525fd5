#include "core/placement/reserves.h"

#include <algorithm>
#include <cmath>

namespace sluice::core {

Reserves::Reserves(ReserveOptions options, Duration lend, std::uint32_t classes)
    : lend_(lend),
      light_share_(options.light_share),
      states_(classes, State{.reserve = Reserve(options)}),
      active_(classes) {}

void Reserves::arrived(ClassId klass, Duration expected, TimePoint now) {
  State& state = states_[klass.value];
  constexpr double kAlpha = 0.02;
  const auto ns = static_cast<double>(expected.count());
  state.mean_ns += state.mean_ns == 0 ? ns : kAlpha * (ns - state.mean_ns);
  state.arrivals.add(now, kMemory);
  active_.mark(klass);
}

std::uint32_t Reserves::for_light(std::uint32_t slots) const {
  // 7 % of 100 are 7, also where the product is a little more.
  constexpr double kRounding = 1e-9;
  return static_cast<std::uint32_t>(std::ceil(std::max(light_share_ * slots - kRounding, 0.0)));
}

}  // namespace sluice::core
