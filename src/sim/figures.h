// Everything that is written down while a run goes on.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/measures.h"
#include "sim/scenario.h"
#include "sim/tally.h"

namespace sluice::sim {

struct Figures {
  // The scenario must outlive this.
  explicit Figures(const Scenario& scenario)
      : tally(scenario), measures(scenario), nodes(scenario.nodes.size()) {}

  void record(const Ended& ended) {
    tally.record(ended);
    measures.record(ended);
  }

  struct NodeCounts {
    std::uint64_t attempts = 0;
    std::uint64_t failures = 0;
  };

  Tally tally;
  Measures measures;
  std::vector<NodeCounts> nodes;
};

}  // namespace sluice::sim
