#include "core/placement/reserves.h"

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

void Reserves::set_slots_beside_light(ClassId klass, std::uint32_t slots) {
  State& state = states_[klass.value];
  state.all_slots = slots;
  state.for_light = static_cast<std::uint32_t>(std::ceil(light_share_ * slots));
}

}  // namespace sluice::core
