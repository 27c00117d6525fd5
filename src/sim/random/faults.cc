// What breaks when.
#include <algorithm>
#include <numeric>

#include "sim/periods.h"
#include "sim/random/parts.h"

namespace sluice::sim {
namespace {

std::vector<std::size_t> draw_struck(Dice& dice, std::size_t nodes) {
  std::vector<std::size_t> struck;
  const bool all = dice.chance(0.1);
  const double share = dice.log_between(0.03, 0.7);
  for (std::size_t node = 0; node < nodes; ++node) {
    if (all || dice.chance(share)) struck.push_back(node);
  }
  if (struck.empty()) struck.push_back(dice.whole(0, static_cast<std::uint32_t>(nodes) - 1));
  return struck;
}

// A partition cuts a way, and with it all nodes at its end.
std::vector<std::size_t> nodes_along(const Scenario& scenario, std::size_t path) {
  std::vector<std::size_t> nodes;
  for (std::size_t node = 0; node < scenario.nodes.size(); ++node) {
    if (scenario.kinds[scenario.nodes[node].kind].path == path) nodes.push_back(node);
  }
  return nodes;
}

Duration draw_clock_step(Dice& dice) {
  const Duration step = dice.log_between(
      std::chrono::milliseconds(1),
      dice.chance(0.3) ? Duration(std::chrono::minutes(1)) : Duration(std::chrono::seconds(2)));
  return dice.chance(0.5) ? step : -step;
}

Fault draw_fault(Dice& dice, const Scenario& scenario, Duration at, Duration end) {
  Fault fault;
  fault.kind = FaultKind(dice.whole(0, kFaultKindNames.size() - 1));
  fault.at = at;
  const Duration lasts = dice.log_between(std::chrono::milliseconds(50), std::chrono::seconds(40));
  fault.until = std::min(at + lasts, end);
  fault.factor = dice.log_between(1.2, 50);
  fault.share = dice.chance(0.3) ? 1 : dice.between(0.01, 1);
  fault.period = dice.log_between(std::chrono::milliseconds(200), std::chrono::seconds(10));
  if (fault.kind == FaultKind::kClockStep) {
    fault.step = draw_clock_step(dice);
  } else if (fault.kind == FaultKind::kPartition) {
    const auto paths = static_cast<std::uint32_t>(scenario.paths.size());
    fault.nodes = nodes_along(scenario, dice.whole(0, paths - 1));
  } else {
    fault.nodes = draw_struck(dice, scenario.nodes.size());
  }
  return fault;
}

}  // namespace

void draw_faults(Dice& dice, Scenario& scenario) {
  if (dice.chance(0.1)) return;
  const Duration end = traffic_end(scenario);
  const Duration apart = dice.log_between(std::chrono::seconds(8), std::chrono::minutes(3));
  Duration at = times(apart, dice.between(0, 1));
  while (at < end) {
    scenario.faults.push_back(draw_fault(dice, scenario, at, end));
    at += std::max(times(apart, dice.between(0, 2)), Duration(1));
  }
}

}  // namespace sluice::sim
