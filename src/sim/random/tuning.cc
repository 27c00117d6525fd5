// The core's knobs, anywhere in their bounds. Half of the time a group of them is left as it is:
// what users run most is the defaults.
#include <algorithm>

#include "core/task.h"
#include "sim/periods.h"
#include "sim/random/parts.h"

namespace sluice::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

void tune_models(Dice& dice, core::Options& options) {
  const bool shared_types = dice.chance(0.3);
  for (std::uint32_t i = 0; i < options.models.size(); ++i) {
    core::ModelOptions& model = options.models[i];
    model.realtime = core::Realtime(dice.whole(0, 2));
    // The same queue may then hold kinds with corrections of their own.
    if (shared_types) model.task_type = {i / 2};
    if (dice.chance(0.2)) model.expected_service = dice.log_between(milliseconds(1), seconds(5));
    if (dice.chance(0.3)) model.hedge = true;
    const std::uint32_t other =
        dice.whole(0, static_cast<std::uint32_t>(options.models.size()) - 1);
    if (dice.chance(0.2) && other != i) model.degrade_to = core::ModelId{other};
  }
}

// R26: whom nodes are for, and which of them stand by.
void tune_service(Dice& dice, core::Options& options) {
  const bool classes = dice.chance(0.15);
  const bool standbys = dice.chance(0.15);
  bool any_managed = false;
  for (core::NodeOptions& node : options.nodes) {
    if (classes && dice.chance(0.4)) node.service_class = core::Realtime(dice.whole(0, 2));
    if (classes && dice.chance(0.4)) {
      const auto from = static_cast<core::Priority>(dice.whole(0, 9));
      node.accepts = {from, static_cast<core::Priority>(dice.whole(from, 9))};
    }
    node.standby = standbys && dice.chance(0.3);
    any_managed = any_managed || node.managed;
  }
  // The models of a standby stay loaded.
  for (core::NodeOptions& node : options.nodes) node.standby = node.standby && !any_managed;
  options.slow_start.enabled = dice.chance(0.7);
  if (dice.chance(0.5)) options.slow_start.attempts = dice.log_whole(1, 10);
  options.slow_start.joins_after = dice.log_between(milliseconds(1), seconds(30));
}

core::NodeWeights draw_node_weights(Dice& dice) {
  return {.utilisation = dice.between(0.1, 1),
          .memory = dice.between(0, 1),
          .queue = dice.between(0, 1)};
}

void tune_placement(Dice& dice, core::Options& options) {
  if (dice.chance(0.2)) options.policy.placement = core::PlacementKind::kScore;
  if (dice.chance(0.5)) return;
  core::PlacementOptions& placement = options.placement;
  placement.task = {.latency = dice.between(0.1, 1),
                    .resources = dice.between(0, 1),
                    .urgency = dice.between(0, 1),
                    .shift = dice.between(0, 1)};
  placement.node = draw_node_weights(dice);
  if (dice.chance(0.3)) {
    placement.node_rows.push_back(
        {.weight = core::WeightClass(dice.whole(0, 2)), .weights = draw_node_weights(dice)});
  }
  placement.ages.fresh_for = dice.log_between(milliseconds(100), seconds(10));
  placement.ages.unknown_after = times(placement.ages.fresh_for, dice.between(1, 5));
  placement.top_k = dice.whole(1, core::PlacementOptions::kMostTop);
  placement.throttle = dice.between(0, 3);
  placement.least_score = dice.chance(0.5) ? 0 : dice.between(0, 0.9);
}

void tune_nodes(Dice& dice, core::Options& options) {
  const bool unlike = dice.chance(0.2);
  for (core::NodeOptions& node : options.nodes) {
    if (unlike) node.kind.clear();
    if (!node.credits && dice.chance(0.1)) node.credits = dice.whole(1, node.slots * 4);
    if (dice.chance(0.1)) node.round_trip = dice.log_between(milliseconds(1), milliseconds(200));
  }
}

core::TenantLimits draw_limits(Dice& dice, double rate_rps) {
  core::TenantLimits limits;
  if (dice.chance(0.4)) {
    limits.rate_rps = rate_rps * dice.log_between(0.05, 1);
    limits.over_rate = core::OverRate(dice.whole(0, 1));
    if (dice.chance(0.5)) limits.burst = dice.log_between(0.5, 50);
  }
  if (dice.chance(0.3)) limits.concurrency = dice.log_whole(1, 20);
  if (dice.chance(0.3)) limits.device_share = dice.between(0.05, 1);
  for (std::size_t lane = 0; lane < core::kLanes; ++lane) {
    if (dice.chance(0.2)) limits.waiting[lane] = dice.log_whole(1, 50);
    if (dice.chance(0.1)) limits.waiting_bytes[lane] = dice.log_whole(1000, 1'000'000);
  }
  return limits;
}

void tune_tenants(Dice& dice, core::Options& options, double rate_rps) {
  const bool weights = dice.chance(0.5);
  const bool limits = dice.chance(0.4);
  const bool reserves = dice.chance(0.2);
  for (core::TenantOptions& tenant : options.tenants) {
    if (weights) tenant.weight = dice.log_between(0.2, 8);
    if (dice.chance(0.2)) tenant.core = dice.chance(0.5);
    if (dice.chance(0.1)) tenant.best_priority = static_cast<core::Priority>(dice.whole(0, 9));
    if (reserves && dice.chance(0.4)) tenant.reserved_share = dice.between(0, 0.3);
    if (limits && dice.chance(0.6)) tenant.limits = draw_limits(dice, rate_rps);
  }
}

void tune_lanes(Dice& dice, core::Options& options) {
  const bool weights = dice.chance(0.3);
  const bool small = dice.chance(0.4);
  const bool ages = dice.chance(0.4);
  const bool saturation = dice.chance(0.5);
  for (core::LaneOptions& lane : options.lanes) {
    if (weights) lane.weight = dice.log_between(0.2, 20);
    if (small) lane.capacity = dice.log_whole(3, 1000);
    if (saturation) lane.saturation = core::Saturation(dice.whole(0, 2));
    lane.degrade_from = dice.between(0, 1);
    if (small && dice.chance(0.3)) lane.capacity_bytes = dice.log_whole(10'000, 10'000'000);
    if (ages) lane.max_age = times(lane.budget, dice.log_between(0.1, 10));
  }
  // A third each: nothing but arrival and priority; defaults; anything.
  if (dice.chance(0.33)) {
    options.score = {.per_priority = options.lanes[0].budget / 2,
                     .per_expected_service = 0,
                     .per_drop_share = Duration::zero(),
                     .shortest_service = dice.between(0, 50)};
  } else if (dice.chance(0.5)) {
    options.score = {.per_priority = times(options.lanes[1].budget, dice.between(0, 2)),
                     .per_expected_service = dice.between(0, 3),
                     .per_drop_share = times(options.lanes[1].budget, dice.between(0, 2))};
  }
}

void tune_predictor(Dice& dice, core::Options& options) {
  if (dice.chance(0.5)) return;
  options.predictor.alpha = dice.log_between(0.02, 1);
  options.predictor.min_samples = dice.log_whole(1, 30);
  options.predictor.fresh_for = dice.log_between(milliseconds(100), minutes(1));
  for (Duration& prior : options.predictor.prior) {
    prior = dice.log_between(milliseconds(1), seconds(5));
  }
}

void tune_breaker(Dice& dice, core::Options& options) {
  if (dice.chance(0.4)) return;
  core::BreakerOptions& breaker = options.breaker;
  breaker.consecutive_failures = dice.chance(0.2) ? 0 : dice.log_whole(1, 20);
  breaker.failure_share = dice.between(0.05, 1.2);
  breaker.min_volume = dice.log_between(1, 50);
  breaker.window = dice.log_between(milliseconds(500), minutes(1));
  breaker.slow_ratio = dice.log_between(1.1, 10);
  breaker.slow_in_a_row = dice.chance(0.2) ? 0 : dice.log_whole(1, 20);
  breaker.open_for = dice.log_between(milliseconds(10), seconds(10));
  breaker.longest_open = dice.log_between(milliseconds(10), minutes(2));
  breaker.healthy_after = dice.log_between(milliseconds(100), minutes(2));
  breaker.probes = static_cast<std::uint16_t>(dice.log_whole(1, 5));
  breaker.successes_to_close = static_cast<std::uint16_t>(dice.log_whole(1, 5));
}

void tune_retries(Dice& dice, core::Options& options) {
  if (dice.chance(0.4)) return;
  options.retry.most_attempts = dice.whole(1, core::Task::kMostTried + 1);
  options.retry.budget = {.share = dice.between(0, 1),
                          .floor_per_second = dice.chance(0.2) ? 0 : dice.log_between(0.1, 50),
                          .burst = dice.log_between(1, 100)};
}

core::GateOptions draw_gate(Dice& dice) {
  core::GateOptions gate{.dwell = dice.log_between(milliseconds(20), seconds(2)),
                         .most_doublings = static_cast<std::uint8_t>(dice.whole(0, 6))};
  gate.calm = times(gate.longest_hold(), dice.between(1, 3));
  return gate;
}

core::Band draw_band(Dice& dice, double low, double high) {
  const double leave = dice.log_between(low, high);
  return {.enter = leave * dice.between(1.05, 3), .leave = leave};
}

void tune_corrections(Dice& dice, core::CorrectionOptions& corrections) {
  corrections.failures = draw_band(dice, 0.01, 0.5);
  corrections.load = draw_band(dice, 0.1, 2);
  corrections.latency = draw_band(dice, 0.3, 2);
  corrections.drops = draw_band(dice, 0.005, 0.5);
  corrections.most_steps = static_cast<int>(dice.whole(0, 2));
  corrections.dwell_tasks = dice.log_whole(1, 100);
  corrections.idle_below_per_s = dice.log_between(0.01, 2);
  corrections.gate = draw_gate(dice);
}

void tune_lane_weights(Dice& dice, core::LaneWeightOptions& weights) {
  weights.range = dice.between(1.5, 10);
  weights.threshold = dice.between(0.05, 0.5);
  weights.most_step = 1 + weights.threshold * dice.between(1.1, 4);
  weights.hit_goal = dice.between(0.5, 1);
  weights.memory = dice.log_between(milliseconds(50), seconds(5));
  weights.usual_memory = dice.log_between(milliseconds(500), minutes(1));
  weights.rise_floor_per_s = dice.log_between(0.1, 20);
  for (Duration& wait : weights.oldest_wait) {
    if (dice.chance(0.5)) wait = dice.log_between(milliseconds(50), seconds(20));
  }
  weights.boost_share = dice.between(0.05, 0.9);
  weights.boost_for = dice.log_between(milliseconds(50), seconds(5));
  weights.boost_rest = dice.log_between(milliseconds(50), seconds(10));
  weights.gate = draw_gate(dice);
}

void tune_limiter(Dice& dice, core::ControlOptions& control) {
  for (core::LoadRamp& ramp : control.limiter.ramps) {
    ramp.from = dice.between(0.3, 1.5);
    ramp.to = ramp.from + dice.between(0.05, 2);
    ramp.floor = dice.between(0, 1);
  }
  control.limiter.ramps[0] = {};
  control.reserve.beta = dice.between(0, 4);
  control.reserve.most_share = dice.chance(0.3) ? 0 : dice.between(0, 1);
  control.reserve.rise = dice.log_between(milliseconds(50), seconds(5));
  control.reserve.fall = dice.log_between(milliseconds(50), seconds(30));
  control.reserve.light_share = dice.chance(0.7) ? 0 : dice.between(0, 1);
  control.reserve.lend = dice.log_between(milliseconds(1), seconds(2));
}

void tune_tenant_control(Dice& dice, core::ControlOptions& control) {
  core::ShareOptions& safety = control.safety_load;
  safety.recover_below = dice.between(0.2, 1.2);
  safety.shrink_above = safety.recover_below * dice.between(1.05, 2);
  safety.decrease = dice.between(0.3, 0.95);
  safety.increase = dice.between(0.01, 0.5);
  safety.floor = dice.between(0.02, 1);
  safety.gate = draw_gate(dice);
  core::PenaltyOptions& penalties = control.penalties;
  penalties.enter = dice.between(0.05, 0.9);
  penalties.leave = penalties.enter * dice.between(0.1, 0.95);
  penalties.min_requests = dice.log_between(1, 30);
  penalties.half_life = dice.log_between(milliseconds(200), seconds(10));
  penalties.gate = draw_gate(dice);
}

void tune_control(Dice& dice, core::ControlOptions& control) {
  if (dice.chance(0.5)) {
    control.load.horizon = dice.log_between(milliseconds(20), seconds(5));
    control.load.memory = dice.log_between(milliseconds(20), seconds(2));
  }
  if (dice.chance(0.6)) tune_corrections(dice, control.corrections);
  if (dice.chance(0.6)) tune_lane_weights(dice, control.lane_weights);
  if (dice.chance(0.5)) tune_limiter(dice, control);
  if (dice.chance(0.6)) tune_tenant_control(dice, control);
  if (dice.chance(0.3)) {
    control.period.shortest = dice.log_between(milliseconds(10), milliseconds(50));
    control.period.longest = dice.log_between(control.period.shortest, milliseconds(51));
    control.period.many = dice.whole(1, 10);
    control.period.lengthen = dice.between(1.05, 3);
  }
}

// What is taken from the low lane, and given to it.
void tune_lane_changes(Dice& dice, const Scenario& scenario, core::Options& options) {
  options.preemption.most = dice.whole(0, 3);
  if (dice.chance(0.5)) {
    options.promotion = {.after = times(scenario.lanes[2].budget, dice.log_between(0.05, 2)),
                         .most_share = dice.chance(0.2) ? 0 : dice.log_between(0.01, 1)};
  }
  options.large_task.reset();
  if (dice.chance(0.3)) {
    options.large_task = times(scenario.lanes[0].budget, dice.log_between(0.05, 2));
  }
}

double mean_rate(const Scenario& scenario) {
  double requests = 0;
  for (const Stream& stream : scenario.streams) requests += expected_requests(stream);
  return requests / to_seconds(traffic_end(scenario));
}

}  // namespace

void tune(Dice& dice, const Scenario& scenario, core::Options& options) {
  tune_models(dice, options);
  tune_nodes(dice, options);
  tune_service(dice, options);
  tune_placement(dice, options);
  tune_tenants(dice, options, mean_rate(scenario));
  tune_lanes(dice, options);
  tune_lane_changes(dice, scenario, options);
  for (std::uint32_t rules = dice.chance(0.3) ? dice.whole(1, 6) : 0; rules > 0; --rules) {
    options.rules.push_back(draw_rule(dice, options, mean_rate(scenario)));
  }
  tune_predictor(dice, options);
  tune_breaker(dice, options);
  tune_retries(dice, options);
  tune_control(dice, options.control);
  tune_loading(dice, options);
  tune_paths(dice, options);
}

}  // namespace sluice::sim
