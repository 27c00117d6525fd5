// When a controlled value may move: what keeps every loop of this folder from oscillating.
//
// Each loop has a state of rest (no correction, the configured weight, no penalty) and makes
// excursions from it while something is wrong. Its own success removes the cause, so a loop that
// goes back as soon as the cause is gone brings the cause back: with any plant whose answer to one
// step is larger than the dead band there is a limit cycle, however the thresholds are set. The
// gate bounds that cycle without knowing the plant:
//
//   - a step outward (away from rest) waits `dwell` after the last step: at least as long as the
//     figures remember, so each step is judged by figures from after the last one (no integrator
//     winding up on old news, no overshoot by more than the one step that was in flight);
//   - a step inward waits `dwell` × 2^k;
//   - an outward step within `calm` after an inward one is a relapse: the cause was not gone, it
//     was held down. It adds 1 to k, up to `most_doublings`. Quiet for longer than `calm`: k = 0.
//
// So the n-th fruitless return of a cycle comes dwell × 2^n after the excursion began: within a
// time T at most log2(T ÷ dwell) + 1 of them, and never more than one in dwell × 2^most_doublings
// from then on (calm ≥ that, or k would be forgotten in between). Going out is never slowed: only
// the trying of whether it is over.
#pragma once

#include <cstdint>

#include "base/state.h"
#include "base/time.h"

namespace sluice::core {

struct GateOptions {
  Duration dwell = std::chrono::milliseconds(500);  // > 0
  // 2^most_doublings × dwell is the longest an excursion outlives its cause, for each step.
  std::uint8_t most_doublings = 6;
  // Longest time after a step back in which going out again counts as the same trouble.
  Duration calm = std::chrono::seconds(40);

  Duration longest_hold() const { return dwell * (std::int64_t{1} << most_doublings); }
};

// One controlled value's gate. 24 bytes, O(1).
class ReturnGate {
 public:
  bool may_go_out(TimePoint now, const GateOptions& o) const { return since(now) >= o.dwell; }
  bool may_go_in(TimePoint now, const GateOptions& o) const { return since(now) >= hold(o); }

  void went_out(TimePoint now, const GateOptions& o) {
    const bool recent = since(now) <= o.calm;
    if (last_was_in_) doublings_ = recent ? next_doubling(o) : std::uint8_t{0};
    last_ = now;
    last_was_in_ = false;
    moved_ = true;
  }
  void went_in(TimePoint now) {
    last_ = now;
    last_was_in_ = true;
    moved_ = true;
  }

  // Has moved, and not for longer than `calm`.
  bool calm(TimePoint now, const GateOptions& o) const { return moved_ && since(now) > o.calm; }

  // How long the present excursion is kept after its last step.
  Duration hold(const GateOptions& o) const { return o.dwell * (std::int64_t{1} << doublings_); }

  SLUICE_STATE(last, doublings, last_was_in, moved);

 private:
  Duration since(TimePoint now) const { return moved_ ? now - last_ : Duration::max(); }
  std::uint8_t next_doubling(const GateOptions& o) const {
    return doublings_ < o.most_doublings ? static_cast<std::uint8_t>(doublings_ + 1) : doublings_;
  }

  TimePoint last_;
  std::uint8_t doublings_ = 0;
  bool last_was_in_ = false;
  bool moved_ = false;
};

}  // namespace sluice::core
