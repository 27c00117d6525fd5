#include "sim/rate_segments.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sluice::sim {
namespace {

// Later than any phase: "does not change".
constexpr Duration kNeverChanges = Duration::max();

double rate_at(const workload::Phase& phase, Duration inside) {
  const double done = to_seconds(inside) / to_seconds(phase.duration);
  return phase.rate_from_rps + (phase.rate_to_rps - phase.rate_from_rps) * done;
}

}  // namespace

// The root of from·t + slope·t²/2 = expected, in the form that neither cancels nor divides by a
// slope of 0.
Duration RateSegment::reach(double expected) const {
  const Duration length = end - begin;
  if (expected <= 0) return begin;
  if (from_rps == to_rps) {
    return begin + std::min(from_seconds(expected / from_rps), length - Duration(1));
  }
  const double slope = (to_rps - from_rps) / to_seconds(length);
  const double under_root = std::max(from_rps * from_rps + 2 * slope * expected, 0.0);
  const double seconds = 2 * expected / (from_rps + std::sqrt(under_root));
  return begin + std::min(from_seconds(seconds), length - Duration(1));
}

RateSegments::RateSegments(std::vector<workload::Phase> phases, const Arrivals& arrivals,
                           std::uint64_t seed)
    : phases_(std::move(phases)),
      modulation_(arrivals.modulation),
      on_off_(arrivals.on_off),
      modulation_random_(seed),
      spell_random_(modulation_random_.next()),
      factor_ends_(modulation_.cv > 0 ? Duration::zero() : kNeverChanges),
      spell_ends_(on_off_ ? Duration::zero() : kNeverChanges) {
  // Which state the stream begins in, as if it had been switching for ever.
  if (!on_off_) return;
  const double share_on = to_seconds(on_off_->on) / to_seconds(on_off_->on + on_off_->off);
  on_ = spell_random_.uniform() >= share_on;  // the first spell begins with a switch
}

void RateSegments::draw_modulation() {
  factor_ = std::min(modulation_random_.lognormal(1, modulation_.cv), modulation_.cap);
  factor_ends_ += modulation_.interval;
}

void RateSegments::switch_spell() {
  on_ = !on_;
  const Duration mean = on_ ? on_off_->on : on_off_->off;
  const double factor =
      on_off_->lengths == SpellLengths::kExponential ? spell_random_.exponential(1) : 1;
  spell_ends_ += std::max(from_seconds(to_seconds(mean) * factor), Duration(1));
}

std::optional<RateSegment> RateSegments::next() {
  if (phase_ == phases_.size()) return std::nullopt;
  if (now_ == factor_ends_) draw_modulation();
  if (now_ == spell_ends_) switch_spell();
  const workload::Phase& phase = phases_[phase_];
  const Duration phase_end = phase_begin_ + phase.duration;
  const double factor = factor_ * (!on_off_ ? 1 : on_ ? on_off_->on_factor : on_off_->off_factor);
  RateSegment segment{
      .begin = now_, .end = std::min({phase_end, factor_ends_, spell_ends_}), .phase = phase_};
  segment.from_rps = factor * rate_at(phase, segment.begin - phase_begin_);
  segment.to_rps = factor * rate_at(phase, segment.end - phase_begin_);
  now_ = segment.end;
  if (now_ == phase_end) {
    ++phase_;
    phase_begin_ = phase_end;
  }
  return segment;
}

}  // namespace sluice::sim
