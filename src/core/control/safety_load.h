// The share of non-core tenants over the safety load (R33): multiplicative decrease, additive
// recovery.
#pragma once

#include <cstdint>
#include <optional>

#include "base/time.h"
#include "core/control/return_gate.h"

namespace sluice::core {

struct SafetyLoadOptions {
  double shrink_above = 1.2;   // of SystemFigures::load()
  double recover_below = 1.0;  // < shrink_above; between the two nothing moves
  double decrease = 0.8;       // factor a step, 0 < x < 1
  double increase = 0.05;      // added a step, > 0
  double floor = 0.1;          // 0 < x ≤ 1
  GateOptions gate{.dwell = std::chrono::milliseconds(250),
                   .most_doublings = 4,
                   .calm = std::chrono::seconds(10)};
};

// The record of a change.
struct SafetyLoadChange {
  double from = 1;
  double to = 1;
  double load = 0;
  double threshold = 0;
  TimePoint at;
};

// One factor for all non-core tenants, on their weight (share of device time) and on their rate:
// no work per tenant. Core tenants (vip, or as configured) are never shrunk.
//
// Full to floor takes 11 steps, 2.5 s; back takes 18 steps of `dwell` × 2^k, 4.5 s for the first
// time. Why it cannot oscillate: between the thresholds nothing moves; a step is taken on a load
// that has seen the one before (dwell > the gauge's memory); recovery is additive and small against
// the decrease, and where it brings the overload back, it slows down (control/return_gate.h): the
// swing around the edge is at most one decrease (20 %) and one increase, at most once in 4 s.
class SafetyLoad {
 public:
  explicit SafetyLoad(const SafetyLoadOptions& options) : options_(options) {}

  // Once a period of the control loop. O(1). A load that is NaN moves nothing.
  std::optional<SafetyLoadChange> step(double load, TimePoint now);

  double factor() const { return factor_; }  // floor..1
  bool settled() const { return factor_ == 1; }

 private:
  SafetyLoadOptions options_;
  ReturnGate gate_;
  double factor_ = 1;
};

}  // namespace sluice::core
