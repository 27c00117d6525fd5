// What hardly ever comes together by chance: a few worlds in a hundred are made for it.
#include <algorithm>

#include "sim/periods.h"
#include "sim/random/parts.h"

namespace sluice::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Duration kFloodAt = seconds(2);

// All requests of the stream at once, nearly.
void make_flood(Stream& stream, Duration length) {
  const double rate = expected_requests(stream) / to_seconds(length);
  stream.phases = {
      {.name = "before", .duration = kFloodAt},
      {.name = "flood", .duration = length, .rate_from_rps = rate, .rate_to_rps = rate},
      {.name = "after", .duration = seconds(20)}};
  stream.arrivals = {};
}

}  // namespace

Theme draw_theme(Dice& dice) {
  if (dice.chance(0.06)) return Theme::kFlood;
  return dice.chance(0.06) ? Theme::kLate : Theme::kNone;
}

void apply_to_cluster(Theme theme, Dice& dice, Scenario& scenario) {
  if (theme == Theme::kFlood) scenario.kinds.front().slots = dice.whole(257, 400);
}

void apply_to_traffic(Theme theme, Dice& dice, Scenario& scenario) {
  for (Stream& stream : scenario.streams) {
    if (theme == Theme::kFlood) {
      make_flood(stream, milliseconds(dice.whole(50, 500)));
    } else if (theme == Theme::kLate) {
      // Too much, then little.
      workload::Phase much = stream.phases.front();
      much.rate_to_rps = much.rate_from_rps;
      workload::Phase little = much;
      little.name = "little";
      little.rate_from_rps = little.rate_to_rps = much.rate_from_rps / 5;
      stream.phases = {much, little};
    }
  }
}

void apply_to_lanes(Theme theme, Dice& dice, Scenario& scenario) {
  if (theme == Theme::kNone) return;
  const Duration work = from_seconds(mean_work_s(scenario));
  for (LaneRules& lane : scenario.lanes) {
    lane.budget = times(work, theme == Theme::kFlood ? 30 : dice.between(1.5, 3));
    lane.client_timeout = times(work, theme == Theme::kFlood ? 40 : 200);
    scenario.drain = std::max(scenario.drain, lane.client_timeout + seconds(3));
  }
}

// All nodes are gone while the flood waits; soon after they are back, time jumps for all that still
// does.
void apply_to_faults(Theme theme, Dice& dice, Scenario& scenario) {
  if (theme != Theme::kFlood) return;
  const Duration flood = kFloodAt + milliseconds(600);
  Fault crash{.kind = FaultKind::kCrash, .at = flood, .until = flood + seconds(dice.whole(2, 4))};
  for (std::size_t node = 0; node < scenario.nodes.size(); ++node) crash.nodes.push_back(node);
  Fault jump{.kind = FaultKind::kClockStep, .at = *crash.until + milliseconds(1100)};
  jump.step = minutes(dice.whole(30, 300));
  scenario.faults = {crash};
  if (dice.chance(0.7)) scenario.faults.push_back(jump);
}

void apply_to_policy(Theme theme, PolicySpec& spec) {
  if (theme == Theme::kNone) return;
  spec = {.name = "mixed", .policy = core::Policy::sluice()};
  spec.policy.name = "mixed";
  spec.policy.admission = core::Admission::kCapacityOnly;
  if (theme == Theme::kLate) spec.policy.reclaim = core::Reclaim::kAtMaxAge;
}

void apply_to_core(Theme theme, Dice& dice, core::Options& options) {
  if (theme == Theme::kNone) return;
  for (core::LaneOptions& lane : options.lanes)
    lane = {.weight = lane.weight, .budget = lane.budget};
  for (core::LaneOptions& lane : options.lanes) lane.max_age = minutes(10);
  for (core::TenantOptions& tenant : options.tenants) tenant.limits = {};
  options.rules.clear();
  options.slow_start.enabled = false;
  for (core::NodeOptions& node : options.nodes) {
    node.service_class.reset();
    node.accepts.reset();
    node.standby = false;
  }
  if (theme != Theme::kLate) return;
  core::CorrectionOptions& corrections = options.control.corrections;
  corrections = {};
  corrections.load = {.enter = 1e6, .leave = 1e5};
  corrections.dwell_tasks = dice.whole(5, 30);
  corrections.gate = {.dwell = milliseconds(dice.whole(100, 500)), .most_doublings = 2};
}

}  // namespace sluice::sim
