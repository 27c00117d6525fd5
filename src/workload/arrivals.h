// When requests arrive: an arrival process along a rate curve.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/random.h"
#include "workload/rate_curve.h"

namespace sluice::workload {

// How the gaps between arrivals are drawn, at equal mean. A further process (Gamma for burstier
// arrivals, say) is a further way to draw a gap of mean 1; nothing else changes.
//   constant  every gap the same: no queueing but the system's own. For finding capacity.
//   poisson   independent callers: exponential gaps, coefficient of variation 1.
enum class Process : std::uint8_t { kConstant, kPoisson };

inline constexpr std::array<std::string_view, 2> kProcessNames{"constant", "poisson"};

class Arrivals {
 public:
  // The same process, curve and seed give the same times on every machine.
  Arrivals(Process process, RateCurve curve, std::uint64_t seed);

  // The next arrival, never earlier than the one before; nullopt after the last phase. O(phases).
  std::optional<RateCurve::Position> next();

  const RateCurve& curve() const { return curve_; }

 private:
  double draw_gap();

  Process process_;
  RateCurve curve_;
  Random random_;
  double expected_ = 0;  // position on the axis of expected arrivals
};

}  // namespace sluice::workload
