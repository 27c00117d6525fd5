// When models are brought into the memory of nodes, and when they leave it (R18, R25).
#pragma once

#include <cstdint>

#include "base/time.h"

namespace sluice::core {

struct ResidencyOptions {
  // A load without an answer for so long is taken back, and another node tried; longer than the
  // slowest model takes. > 0.
  Duration load_timeout = std::chrono::minutes(2);
  // An unload without an answer for so long is asked for again; what waits for its room is given
  // up. > 0.
  Duration unload_timeout = std::chrono::seconds(30);
  // A model that has been idle for so long may be evicted for one that is wanted; and any idle one
  // for a task that has waited for so long, so that no model waits for ever beside one that is used
  // now and then. Two models that share room for one take turns no faster than this. ≥ 0.
  Duration idle = std::chrono::seconds(10);
  // After a failed load its node is left alone for so long, > 0; doubled with each failure in a
  // row, up to the longest. The model as a whole, too, from its second failure in a row.
  Duration backoff = std::chrono::seconds(1);
  Duration longest_backoff = std::chrono::seconds(60);
  // Loads at a time on a node, ≥ 1: they share its disk and bus.
  std::uint32_t loads_per_node = 1;
  // A model is *in demand* from this many urgent requests a second on, until they are fewer than
  // `demand_until`, seen over the last `demand_memory` or so: two within a moment are enough, and a
  // hundred a second are remembered for a quarter of an hour. 0 < until < from.
  double demand_from_per_s = 0.03;
  double demand_until_per_s = 0.003;
  Duration demand_memory = std::chrono::seconds(60);
};

}  // namespace sluice::core
