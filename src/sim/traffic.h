// What arrives in a run: the streams of a scenario, drawn and merged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"
#include "sim/scenario.h"
#include "sim/stream_source.h"

namespace sluice::sim {

// All arrivals of a run, in order of time; of equals the earlier stream first. They depend on the
// scenario and the seed alone, so every policy meets the same. Streams draw from random numbers of
// their own: more of one leave the others as they were.
class Traffic {
 public:
  // Keeps what it needs of the scenario, which may go.
  Traffic(const Scenario& scenario, std::uint64_t seed);

  // Nothing once the last phase of every stream is over. O(log streams) and the segments without
  // arrivals; does not allocate.
  std::optional<Request> next();

 private:
  std::vector<StreamSource> sources_;
  std::vector<Request> heads_;  // the next of each stream: a heap, the earliest on top
};

}  // namespace sluice::sim
