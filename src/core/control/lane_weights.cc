#include "core/control/lane_weights.h"

#include <algorithm>

#include "base/check.h"

namespace sluice::core {
namespace {

double queue_share(const LaneFigures& figures) {
  if (figures.budget <= Duration::zero()) return 0;
  const double share =
      static_cast<double>(figures.drain.count()) / static_cast<double>(figures.budget.count());
  return std::clamp(share, 0.0, 1.0);
}

// How far apart two weights are, as a factor ≥ 1.
double factor_between(double a, double b) {
  return std::max(a / b, b / a);
}

}  // namespace

LaneWeights::LaneWeights(const LaneWeightOptions& options, const std::array<double, kLanes>& base)
    : options_(options) {
  SLUICE_CHECK(options.most_step > 1 + options.threshold, "a step reaches past its threshold");
  SLUICE_CHECK(options.boost_share > 0 && options.boost_share < 1, "a boost is a part of all");
  for (std::size_t i = 0; i < kLanes; ++i) {
    SLUICE_CHECK(base[i] > 0, "lane weights are positive");
    states_[i].base = states_[i].weight = base[i];
  }
}

std::optional<LaneWeightChange> LaneWeights::step(Lane lane, const LaneFigures& figures,
                                                  TimePoint now) {
  const Wanted target = wanted(states_[index(lane)], figures, now);
  if (const auto change = boost(lane, figures.oldest_wait, now)) return change;
  return move(lane, target, now);
}

LaneWeights::Wanted LaneWeights::wanted(State& state, const LaneFigures& figures,
                                        TimePoint now) const {
  const LaneWeightOptions& o = options_;
  const double missed = std::clamp((o.hit_goal - figures.hit_share) / o.hit_goal, 0.0, 1.0);
  const double queue = 1 + state.queue.add(queue_share(figures), now, o.memory);
  const double shortfall = 1 + state.shortfall.add(missed, now, o.memory);
  const double recent = state.arrivals.add(figures.arrivals_per_s, now, o.memory);
  const double usual = state.usual.add(figures.arrivals_per_s, now, o.usual_memory);
  const double floor = o.rise_floor_per_s;
  const double rise = std::clamp((recent + floor) / (usual + floor), 1.0, 2.0);

  const double weight = state.base * std::min(queue * shortfall * rise, o.range);
  const double strongest = std::max({queue, shortfall, rise});
  if (strongest == 1) return {.weight = weight};
  if (strongest == queue) return {weight, WeightCause::kQueue, queue};
  if (strongest == shortfall) return {weight, WeightCause::kShortfall, shortfall};
  return {weight, WeightCause::kRise, rise};
}

std::optional<LaneWeightChange> LaneWeights::move(Lane lane, const Wanted& wanted, TimePoint now) {
  State& state = states_[index(lane)];
  const LaneWeightOptions& o = options_;
  // What is within the threshold of the base is the base: else a weight would rest beside it.
  const bool at_base = wanted.weight < state.base * (1 + o.threshold);
  const double goal = at_base ? state.base : wanted.weight;
  if (goal == state.weight) return std::nullopt;
  if (!at_base && factor_between(goal, state.weight) < 1 + o.threshold) return std::nullopt;
  if (goal < state.weight) {
    if (!state.gate.may_go_in(now, o.gate)) return std::nullopt;
    state.gate.went_in(now);
  } else {
    if (!state.gate.may_go_out(now, o.gate)) return std::nullopt;
    state.gate.went_out(now, o.gate);
  }
  const double to = std::clamp(goal, state.weight / o.most_step, state.weight * o.most_step);
  const LaneWeightChange change{.lane = lane,
                                .from = state.weight,
                                .to = to,
                                .cause = goal < state.weight ? WeightCause::kCalm : wanted.cause,
                                .figure = wanted.figure,
                                .at = now};
  state.weight = to;
  return change;
}

std::optional<LaneWeightChange> LaneWeights::boost(Lane lane, Duration oldest_wait, TimePoint now) {
  State& state = states_[index(lane)];
  const Duration passed = now - state.boost_since;
  const double before = weight(lane);
  if (state.boosted) {
    if (passed < options_.boost_for) return std::nullopt;
    state.boosted = false;
  } else {
    const bool rested = !state.ever_boosted || passed >= options_.boost_for + options_.boost_rest;
    if (!rested || oldest_wait <= options_.oldest_wait[index(lane)]) return std::nullopt;
    state.boosted = state.ever_boosted = true;
    state.boost_since = now;
  }
  return LaneWeightChange{.lane = lane,
                          .from = before,
                          .to = weight(lane),
                          .cause = state.boosted ? WeightCause::kBoost : WeightCause::kBoostOver,
                          .figure = to_seconds(oldest_wait),
                          .at = now};
}

// The weight w with w ÷ (w + others) = boost_share. Others' own boosts are not counted: two
// starving lanes would push each other up.
double LaneWeights::boost_weight(Lane lane) const {
  double others = 0;
  for (std::size_t i = 0; i < kLanes; ++i) {
    if (i != index(lane)) others += states_[i].weight;
  }
  return others * options_.boost_share / (1 - options_.boost_share);
}

double LaneWeights::weight(Lane lane) const {
  const State& state = states_[index(lane)];
  return state.boosted ? std::max(state.weight, boost_weight(lane)) : state.weight;
}

bool LaneWeights::settled() const {
  return std::all_of(states_.begin(), states_.end(),
                     [](const State& s) { return s.weight == s.base && !s.boosted; });
}

}  // namespace sluice::core
