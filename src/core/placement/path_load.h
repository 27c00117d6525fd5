// How busy the nodes of a path are (R28).
#pragma once

#include <cstdint>

#include "base/state.h"
#include "base/time.h"
#include "core/smoothing.h"

namespace sluice::core {

// From our own counts, which are always fresh, over the nodes that are ready. Means over the last
// second or so: at one moment a node with a single slot is always either idle or full. O(1).
class PathLoad {
 public:
  // What one node adds; nothing while it is not ready.
  struct Part {
    std::uint32_t slots = 0;
    std::uint32_t credits = 0;
    std::uint32_t in_flight = 0;

    bool operator==(const Part&) const = default;

    SLUICE_STATE(slots, credits, in_flight);
  };

  void change(const Part& from, const Part& to, TimePoint now);

  // Attempts in flight ÷ slots, at most 1.
  double utilisation(TimePoint now);
  // Attempts beyond the slots ÷ credits beyond the slots, at most 1; 0 where there are none.
  double queue(TimePoint now);

  SLUICE_STATE(sum, utilisation, queue);

 private:
  static constexpr Duration kMemory = std::chrono::seconds(1);

  void settle(TimePoint now);

  Part sum_;
  Smoothed utilisation_;
  Smoothed queue_;
};

}  // namespace sluice::core
