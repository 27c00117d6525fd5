// Everything that is written down while a run goes on.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "sim/measures.h"
#include "sim/scenario.h"
#include "sim/tally.h"

namespace sluice::sim {

struct Figures {
  // The scenario must outlive this.
  Figures(const Scenario& scenario, std::function<void(const Ended&)> listener)
      : tally(scenario),
        measures(scenario),
        nodes(scenario.nodes.size()),
        on_ended(std::move(listener)) {}

  void record(const Ended& ended) {
    tally.record(ended);
    measures.record(ended);
    if (on_ended) on_ended(ended);
  }

  struct NodeCounts {
    std::uint64_t attempts = 0;
    std::uint64_t failures = 0;
  };

  Tally tally;
  Measures measures;
  std::vector<NodeCounts> nodes;
  std::uint64_t cold_starts = 0;               // loads for which a task waited
  std::function<void(const Ended&)> on_ended;  // may be empty
};

}  // namespace sluice::sim
