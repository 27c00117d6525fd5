// How loaded the system is: the one figure that corrections, limiter, shares and the period of
// the control loop share.
#pragma once

#include <array>

#include "base/time.h"
#include "core/classify/live_figures.h"
#include "core/smoothing.h"

namespace sluice::core {

struct LoadGaugeOptions {
  // A queue that takes this long of all slots counts as fully waiting (1); > 0.
  Duration horizon = std::chrono::milliseconds(100);
  // Smoothing; > 0. Below the loops' dwell, so that each step is judged by a load that has seen it.
  Duration memory = std::chrono::milliseconds(200);
};

// Smooths what is read once a period of the control loop. O(1).
class LoadGauge {
 public:
  explicit LoadGauge(const LoadGaugeOptions& options) : options_(options) {}

  // `slots`: of nodes that are up; `busy` of them execute. `waiting`: expected device time of what
  // waits, by lane. With no slots at all whatever waits is load 1, and all slots count as busy.
  SystemFigures step(double busy, double slots, const std::array<Duration, kLanes>& waiting,
                     TimePoint now);
  SystemFigures figures() const;

  // For snapshots (base/state.h).
  template <class Self, class Archive>
  static void visit_state(Self& self, Archive& archive) {
    auto& [options, busy_share, waiting_share] = self;
    archive(busy_share, waiting_share);
  }

 private:
  LoadGaugeOptions options_;
  Smoothed busy_share_;
  std::array<Smoothed, kLanes> waiting_share_{};
};

}  // namespace sluice::core
