#include "core/placement/path_load.h"

#include <algorithm>

namespace sluice::core {
namespace {

double share(std::uint32_t part, std::uint32_t whole) {
  return whole == 0 ? 0 : std::min(1.0, static_cast<double>(part) / whole);
}

std::uint32_t beyond(std::uint32_t value, std::uint32_t limit) {
  return value > limit ? value - limit : 0;
}

}  // namespace

void PathLoad::change(const Part& from, const Part& to, TimePoint now) {
  settle(now);
  sum_.slots += to.slots - from.slots;
  sum_.credits += to.credits - from.credits;
  sum_.in_flight += to.in_flight - from.in_flight;
}

// What has been so since the last change counts for that long.
void PathLoad::settle(TimePoint now) {
  utilisation_.add(share(sum_.in_flight, sum_.slots), now, kMemory);
  queue_.add(share(beyond(sum_.in_flight, sum_.slots), beyond(sum_.credits, sum_.slots)), now,
             kMemory);
}

double PathLoad::utilisation(TimePoint now) {
  settle(now);
  return utilisation_.value();
}

double PathLoad::queue(TimePoint now) {
  settle(now);
  return queue_.value();
}

}  // namespace sluice::core
