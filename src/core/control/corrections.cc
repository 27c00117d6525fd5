#include "core/control/corrections.h"

#include <algorithm>
#include <cstdlib>

#include "base/check.h"

namespace sluice::core {
namespace {

// P95 ÷ budget. The running estimate of P95 falls slowly, by 0.5 % of the spread a task; the share
// of misses forgets twice as fast as `dwell_tasks` pass. Where P95 is above the budget, 5 % miss
// it: with fewer than half of that, the estimate is yesterday's, and counts as less than 1.
double latency_ratio(const KindFigures& figures) {
  constexpr double kMissesOfOldP95 = 0.025;
  if (figures.budget <= Duration::zero()) return 0;
  const double ratio =
      static_cast<double>(figures.p95.count()) / static_cast<double>(figures.budget.count());
  if (figures.miss_share >= kMissesOfOldP95) return ratio;
  return std::min(ratio, figures.miss_share / kMissesOfOldP95);
}

}  // namespace

Corrections::Corrections(const CorrectionOptions& options, std::size_t kinds)
    : options_(options), states_(kinds) {
  SLUICE_CHECK(options.most_steps >= 0 && options.most_steps <= 2, "a correction is at most 2");
  for (const Band& band : {options.failures, options.load, options.latency, options.drops}) {
    SLUICE_CHECK(band.leave < band.enter, "a cause leaves below where it enters");
  }
}

// In order of precedence. Until there is news of the kind, its own figures are no cause, and no
// end of the one they were: they read as the middle of that band.
std::array<Corrections::Reading, 4> Corrections::read(const State& state,
                                                      const KindFigures& figures, double load,
                                                      TimePoint now) const {
  const CorrectionOptions& o = options_;
  const bool news =
      figures.ended - state.ended_at_change >= o.dwell_tasks || state.gate.calm(now, o.gate);
  const auto own = [&](CorrectionCause cause, int direction, double figure, const Band& band) {
    const double old = cause == state.cause ? (band.enter + band.leave) / 2 : 0;
    return Reading{cause, direction, news ? figure : old, band};
  };
  // A load that concerns only urgent kinds reads as no load for the others.
  const double urgent_load = figures.realtime == Realtime::kHigh ? load : 0;
  return {own(CorrectionCause::kFailures, +1, figures.error_share, o.failures),
          Reading{CorrectionCause::kLoad, -1, urgent_load, o.load},
          own(CorrectionCause::kLatency, -1, latency_ratio(figures), o.latency),
          own(CorrectionCause::kDrops, -1, figures.drop_share, o.drops)};
}

std::optional<CorrectionChange> Corrections::step(TaskTypeId kind, const KindFigures& figures,
                                                  double system_load, TimePoint now) {
  const State& state = states_[kind.value];
  const double idle_below = options_.idle_below_per_s;
  if (figures.rate_per_s < idle_below) {
    const Reading idle{CorrectionCause::kIdle, 0, figures.rate_per_s, {idle_below, idle_below}};
    return release(kind, idle, figures.ended, now);
  }
  const auto readings = read(state, figures, system_load, now);
  for (const Reading& r : readings) {
    if (r.figure >= r.band.enter) return push(kind, r, figures.ended, now);
  }
  Reading gone;
  for (const Reading& r : readings) {
    const bool pulls_same_way = r.direction * state.offset > 0;
    if (pulls_same_way && r.figure >= r.band.leave) return std::nullopt;
    if (r.cause == state.cause) gone = r;
  }
  return release(kind, gone, figures.ended, now);
}

std::optional<CorrectionChange> Corrections::push(TaskTypeId kind, const Reading& why,
                                                  std::uint64_t ended, TimePoint now) {
  State& state = states_[kind.value];
  const int to = state.offset + why.direction;
  if (std::abs(to) > options_.most_steps) return std::nullopt;
  if (std::abs(to) < std::abs(state.offset)) {
    // The other way: a return first, with the patience of one.
    if (!state.gate.may_go_in(now, options_.gate)) return std::nullopt;
    state.gate.went_in(now);
  } else {
    if (!state.gate.may_go_out(now, options_.gate)) return std::nullopt;
    state.gate.went_out(now, options_.gate);
    state.cause = why.cause;
  }
  return move(kind, to, why, why.band.enter, ended, now);
}

std::optional<CorrectionChange> Corrections::release(TaskTypeId kind, const Reading& why,
                                                     std::uint64_t ended, TimePoint now) {
  State& state = states_[kind.value];
  if (state.offset == 0 || !state.gate.may_go_in(now, options_.gate)) return std::nullopt;
  state.gate.went_in(now);
  const int to = state.offset > 0 ? state.offset - 1 : state.offset + 1;
  return move(kind, to, why, why.band.leave, ended, now);
}

CorrectionChange Corrections::move(TaskTypeId kind, int to, const Reading& why, double threshold,
                                   std::uint64_t ended, TimePoint now) {
  State& state = states_[kind.value];
  const CorrectionChange change{.kind = kind,
                                .from = state.offset,
                                .to = to,
                                .cause = why.cause,
                                .figure = why.figure,
                                .threshold = threshold,
                                .at = now};
  state.offset = static_cast<std::int8_t>(to);
  state.ended_at_change = ended;
  return change;
}

}  // namespace sluice::core
