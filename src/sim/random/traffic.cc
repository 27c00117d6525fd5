// Who asks for what, when, and how long they wait for it.
#include <algorithm>
#include <string>

#include "sim/periods.h"
#include "sim/random/parts.h"

namespace sluice::sim {
namespace {

Arrivals draw_arrivals(Dice& dice) {
  Arrivals arrivals;
  arrivals.process = ArrivalProcess(dice.whole(0, 2));
  arrivals.cv = dice.between(0.3, 4);
  if (dice.chance(0.3)) {
    arrivals.modulation = {
        .cv = dice.between(0.05, 1),
        .interval = dice.log_between(std::chrono::milliseconds(100), std::chrono::seconds(10))};
  }
  if (dice.chance(0.3)) {
    arrivals.on_off =
        OnOff{.on = dice.log_between(std::chrono::milliseconds(50), std::chrono::seconds(10)),
              .off = dice.log_between(std::chrono::milliseconds(50), std::chrono::seconds(20)),
              .on_factor = dice.between(1, 10),
              .off_factor = dice.chance(0.5) ? 0 : dice.between(0, 1),
              .lengths = SpellLengths(dice.whole(0, 1))};
  }
  return arrivals;
}

// What the rate comes to, spells of on and off together.
double mean_factor(const Arrivals& arrivals) {
  if (!arrivals.on_off) return 1;
  const OnOff& spells = *arrivals.on_off;
  const double on = to_seconds(spells.on);
  const double off = to_seconds(spells.off);
  return (on * spells.on_factor + off * spells.off_factor) / (on + off);
}

std::vector<double> draw_weights(Dice& dice, std::size_t count) {
  std::vector<double> weights(count, 1);
  if (dice.chance(0.5)) {
    for (double& weight : weights) weight = dice.log_between(0.05, 1);
  }
  return weights;
}

// All levels, or only some.
std::array<double, core::kPriorities> draw_priorities(Dice& dice) {
  std::array<double, core::kPriorities> weights{};
  const bool some = dice.chance(0.5);
  for (double& weight : weights) weight = some && dice.chance(0.6) ? 0 : dice.log_between(0.1, 1);
  weights[dice.whole(0, core::kPriorities - 1)] = 1;
  return weights;
}

// `requests` in all over the length, up and down.
std::vector<workload::Phase> draw_phases(Dice& dice, Duration length, double requests) {
  std::vector<workload::Phase> phases;
  const std::uint32_t count = dice.whole(1, 4);
  double expected = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    workload::Phase phase{.name = "phase-" + std::to_string(i),
                          .duration = std::max<Duration>(length / count, Duration(1)),
                          .rate_from_rps = dice.log_between(0.3, 3),
                          .rate_to_rps = dice.log_between(0.3, 3)};
    if (dice.chance(0.5)) phase.rate_to_rps = phase.rate_from_rps;
    expected += phase.expected_arrivals();
    phases.push_back(phase);
  }
  for (workload::Phase& phase : phases) {
    phase.rate_from_rps *= requests / expected;
    phase.rate_to_rps *= requests / expected;
  }
  return phases;
}

}  // namespace

double expected_requests(const Stream& stream) {
  double sum = 0;
  for (const workload::Phase& phase : stream.phases) sum += phase.expected_arrivals();
  return sum * mean_factor(stream.arrivals);
}

void draw_tenants(Dice& dice, Scenario& scenario) {
  const std::uint32_t count = dice.whole(1, 8);
  for (std::uint32_t i = 0; i < count; ++i) {
    scenario.tenants.push_back(
        {.name = "tenant-" + std::to_string(i), .tier = core::Tier(dice.whole(0, 2))});
  }
}

void draw_streams(Dice& dice, Scenario& scenario, double rate_rps, std::uint64_t tasks) {
  const std::uint32_t count = dice.whole(1, 4);
  const Duration length = from_seconds(static_cast<double>(tasks) / rate_rps);
  const std::vector<double> parts = draw_weights(dice, count);
  double all = 0;
  for (const double part : parts) all += part;
  for (std::uint32_t i = 0; i < count; ++i) {
    Stream stream;
    stream.name = "stream-" + std::to_string(i);
    stream.mix = draw_weights(dice, scenario.models.size());
    for (std::size_t model = 0; model < scenario.models.size(); ++model) {
      stream.priority_weights.push_back(draw_priorities(dice));
    }
    stream.tenants = draw_weights(dice, scenario.tenants.size());
    stream.arrivals = draw_arrivals(dice);
    const double requests = static_cast<double>(tasks) * parts[i] / all;
    stream.phases = draw_phases(dice, length, requests / mean_factor(stream.arrivals));
    scenario.streams.push_back(std::move(stream));
  }
}

void draw_lanes(Dice& dice, Scenario& scenario) {
  const Duration work = from_seconds(mean_work_s(scenario));
  const Duration most = std::max(2 * work, traffic_end(scenario) / 4);
  const std::array<double, core::kLanes> tight{2, 4, 10};
  const std::array<double, core::kLanes> wide{20, 60, 300};
  for (std::size_t lane = 0; lane < core::kLanes; ++lane) {
    LaneRules& rules = scenario.lanes[lane];
    rules.budget = times(work, dice.log_between(tight[lane], wide[lane]));
    // Nobody waits for much longer than anything else takes.
    rules.client_timeout = std::min(times(rules.budget, dice.log_between(0.8, 8)), most);
    scenario.drain = std::max(scenario.drain, rules.client_timeout);
  }
  scenario.lanes[2].starved_after = scenario.lanes[2].budget;
  scenario.drain += std::chrono::seconds(3);
  scenario.health_check =
      dice.log_between(std::chrono::milliseconds(100), std::chrono::seconds(10));
}

}  // namespace sluice::sim
