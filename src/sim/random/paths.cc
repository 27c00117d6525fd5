// Hot and cold paths of the core (R28), which the scenario knows nothing of.
#include <string>

#include "sim/random/parts.h"

namespace sluice::sim {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

void tune_paths(Dice& dice, core::Options& options) {
  if (!dice.chance(0.25)) return;
  const std::uint32_t paths = dice.whole(2, 3);
  for (std::uint32_t i = 0; i < paths; ++i) options.paths.push_back("path-" + std::to_string(i));
  for (core::NodeOptions& node : options.nodes) node.path = {dice.whole(0, paths - 1)};
  core::PathOptions& path = options.path;
  path.leave = {.utilisation = dice.between(0.5, 1), .queue = dice.between(0.3, 1)};
  path.enter = {.utilisation = path.leave.utilisation * dice.between(0.3, 1),
                .queue = path.leave.queue * dice.between(0.3, 1)};
  path.leave_slowness = dice.log_between(0.3, 3);
  path.failures_in_a_row = dice.log_whole(1, 10);
  path.hold = dice.log_between(milliseconds(500), seconds(20));
  path.longest_hold = times(path.hold, dice.log_between(1, 20));
  path.settle = dice.log_between(milliseconds(100), minutes(1));
  path.probes = dice.whole(1, 4);
  path.least_stay = times(path.hold, dice.between(0.05, 1));
}

}  // namespace sluice::sim
