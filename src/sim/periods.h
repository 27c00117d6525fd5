// The spans of a scenario's time that figures are given for.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/time.h"
#include "sim/scenario.h"

namespace sluice::sim {

struct Period {
  std::string name;
  Duration begin{0};
  Duration end{0};

  Duration length() const { return end - begin; }
  bool contains(Duration at) const { return at >= begin && at < end; }
};

// The phases of all streams, one stream's after another's. Where there are several streams they are
// called "stream" or "stream/phase".
std::vector<Period> phases_of(const Scenario& scenario);

// Where the phases of each stream begin in that list.
std::vector<std::size_t> first_phases(const Scenario& scenario);

// When the last stream ends.
Duration traffic_end(const Scenario& scenario);

// The span between two borders of phases in which most is meant to arrive a second, all streams
// together: the first of equals. The peak hold of the figures.
Period peak_of(const Scenario& scenario);

}  // namespace sluice::sim
