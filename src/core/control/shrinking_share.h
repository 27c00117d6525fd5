// A share that shrinks under pressure and recovers smoothly: multiplicative decrease, additive
// recovery. Used twice: for all non-core tenants over the safety load (R33), and for a model whose
// replicas stay backlogged (R7).
#pragma once

#include <cstdint>
#include <optional>

#include "base/state.h"
#include "base/time.h"
#include "core/control/return_gate.h"
#include "core/ids.h"

namespace sluice::core {

struct ShareOptions {
  double shrink_above = 1.2;   // of the figure that step() is given
  double recover_below = 1.0;  // < shrink_above; between the two nothing moves
  double decrease = 0.8;       // factor a step, 0 < x < 1
  double increase = 0.05;      // added a step, > 0
  double floor = 0.1;          // 0 < x ≤ 1
  GateOptions gate{.dwell = std::chrono::milliseconds(250),
                   .most_doublings = 4,
                   .calm = std::chrono::seconds(10)};
};

// R33: figure = SystemFigures::load(). One share for all non-core tenants, on their weight and on
// their rate, so there is no work per tenant; core tenants are never shrunk.
inline constexpr ShareOptions kSafetyLoadShare{};

// R7: figure = expected time until a replica of the model has a free slot ÷ the model's budget,
// mean of its replicas. That is what waits *at the replicas*, never the central queue: a smaller
// dispatch share drains the one, and would make the other longer, so that a model held back for it
// would be held back for good.
inline constexpr ShareOptions kModelShare{.shrink_above = 0.5, .recover_below = 0.2, .floor = 0.25};

// The record of a change.
struct ShareChange {
  double from = 1;
  double to = 1;
  double figure = 0;
  double threshold = 0;
  TimePoint at;
};

// R7: that of one model.
struct ModelShareChange {
  ModelId model;
  ShareChange change;
};

// One share. O(1), a few words; nothing to do once it is settled and its figure has no cause to
// rise.
//
// Full to the floor of 0.1 takes 11 steps, 2.5 s; back takes 18 steps of `dwell` × 2^k, 4.5 s for
// the first time.
//
// Why it cannot oscillate: between the thresholds nothing moves; a step is taken on a figure that
// has seen the one before (dwell > its smoothing, see LoadGauge); recovery is small against the
// decrease, and where it brings the pressure back, it slows down (return_gate.h), to one step in
// 4 s. A load, which follows the share at once, swings by one decrease and one increase; a queue,
// which takes time to drain, by the decreases of that time.
class ShrinkingShare {
 public:
  // Once a period of the control loop. A figure that is NaN moves nothing.
  std::optional<ShareChange> step(double figure, TimePoint now, const ShareOptions& options);

  double share() const { return share_; }  // floor..1
  bool settled() const { return share_ == 1; }

  SLUICE_STATE(gate, share);

 private:
  ReturnGate gate_;
  double share_ = 1;
};

}  // namespace sluice::core
