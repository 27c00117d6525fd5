#include "workload/rate_curve.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"

namespace sluice::workload {
namespace {

// Seconds into the phase at which `expected` arrivals have come: the root of
// from·t + slope·t²/2 = expected, in the form that neither cancels nor divides by a slope of 0.
double seconds_until(const Phase& phase, double expected) {
  if (expected <= 0) return 0;
  const double slope = (phase.rate_to_rps - phase.rate_from_rps) / to_seconds(phase.duration);
  const double under_root = phase.rate_from_rps * phase.rate_from_rps + 2 * slope * expected;
  return 2 * expected / (phase.rate_from_rps + std::sqrt(std::max(under_root, 0.0)));
}

}  // namespace

double Phase::expected_arrivals() const {
  return (rate_from_rps + rate_to_rps) / 2 * to_seconds(duration);
}

RateCurve::RateCurve(std::vector<Phase> phases) : phases_(std::move(phases)) {
  SLUICE_CHECK(!phases_.empty(), "a rate curve has a phase");
  Duration end{};
  for (const Phase& phase : phases_) {
    SLUICE_CHECK(phase.duration > Duration::zero(), "a phase lasts");
    SLUICE_CHECK(phase.rate_from_rps >= 0 && phase.rate_to_rps >= 0, "rates are not negative");
    end += phase.duration;
    ends_.push_back(end);
  }
}

Duration RateCurve::phase_begin(std::size_t phase) const {
  return phase == 0 ? Duration::zero() : ends_[phase - 1];
}

std::optional<RateCurve::Position> RateCurve::reach(double expected) const {
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    const double here = phases_[i].expected_arrivals();
    if (here > 0 && expected <= here) {
      const Duration inside = from_seconds(seconds_until(phases_[i], expected));
      return Position{phase_begin(i) + std::min(inside, phases_[i].duration), i};
    }
    expected -= here;
  }
  return std::nullopt;
}

std::size_t RateCurve::peak_phase() const {
  const auto mean_rate = [](const Phase& p) { return p.rate_from_rps + p.rate_to_rps; };
  const auto peak =
      std::max_element(phases_.begin(), phases_.end(),
                       [&](const Phase& a, const Phase& b) { return mean_rate(a) < mean_rate(b); });
  return static_cast<std::size_t>(peak - phases_.begin());
}

RateCurve RateCurve::scaled(double factor) const {
  std::vector<Phase> phases = phases_;
  for (Phase& phase : phases) {
    phase.rate_from_rps *= factor;
    phase.rate_to_rps *= factor;
  }
  return RateCurve(std::move(phases));
}

}  // namespace sluice::workload
