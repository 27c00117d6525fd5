// Which groups have a new choice, whose cache lines are still far away.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace sluice::core {

// Whom a group will serve next is known long before it has a credit, but the way from the group to
// the task is a chain of look-ups, each of which says where the next one is: with a million tasks
// waiting each is a wait for memory. So the way is gone ahead, one step an event, and every step
// asks for what the next one will read. Nothing but speed depends on it.
//
// The last kPlaces groups are followed; a newer one takes the place of the oldest. O(kPlaces) a
// step, no memory beyond that.
class Lookahead {
 public:
  static constexpr std::size_t kPlaces = 16;
  // One way: how far it has come, and where it stands.
  struct Way {
    std::uint32_t group = 0;
    std::uint32_t at = 0;
    std::uint8_t step = kDone;
  };
  static constexpr std::uint8_t kDone = 0xff;

  // The group's choice has changed: its way is gone from the beginning.
  void begin(std::uint32_t group) {
    const auto same = [&](const Way& way) { return way.step != kDone && way.group == group; };
    auto* place = std::find_if(ways_.begin(), ways_.end(), same);
    if (place == ways_.end()) place = &ways_[next_++ % kPlaces];
    *place = {.group = group, .at = 0, .step = 0};
  }

  // Goes one step of every way: take(way) goes it, and returns whether there is another.
  template <class Take>
  void step(Take take) {
    for (Way& way : ways_) {
      if (way.step == kDone) continue;
      way.step = take(way) ? static_cast<std::uint8_t>(way.step + 1) : kDone;
    }
  }

 private:
  std::array<Way, kPlaces> ways_{};
  std::size_t next_ = 0;
};

}  // namespace sluice::core
