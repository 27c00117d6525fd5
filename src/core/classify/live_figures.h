// All that rules, classifier and controller may see of each other and of the running system (R6).
//
//   histories ──► KindFigures, SystemFigures ──► rules (match on them), control loop (steers by
//   them) control loop ──► Corrections, LaneWeights, … ──► dispatch
//
// Both sides take these values and nothing else: neither holds a reference to the other or to a
// queue, so that either can be replaced, tested alone, or run in another process.
#pragma once

#include <array>
#include <cstdint>

#include "base/time.h"
#include "core/labels.h"

namespace sluice::core {

// Of the recent tasks of a kind (a task type). Shares are 0..1.
struct KindFigures {
  double rate_per_s = 0;   // arrivals
  double error_share = 0;  // ended by a fault of a replica, or of the kind itself (5xx)
  double drop_share = 0;   // refused or expired
  double miss_share = 0;   // not answered within budget: late, dropped or failed
  Duration p95{0};         // arrival to answer
  Duration budget{0};      // mean of what they asked for: the SLO that P95 is held against
  // Tasks that ended so far: says how much of the figures is new.
  std::uint64_t ended = 0;
  // The most urgent level among the kind's models, so that it does not change with the mix.
  Realtime realtime = Realtime::kMedium;
};

// How loaded the system is, smoothed (see control/load_gauge.h).
struct SystemFigures {
  // Slots in use ÷ slots of the nodes that are up, 0..1.
  double busy_share = 0;
  // Per lane: waiting device time ÷ (slots × horizon), 0..1: 1 when its queue alone fills every
  // slot for the horizon.
  std::array<double, kLanes> waiting_share{};

  // 0 idle; 1 all slots busy and nothing urgent waits; more: what waits in the high and latency
  // lanes on top. The low lane's queue is what fills spare time: long by intent, no sign of load.
  double load() const { return load_before(Lane::kLow); }
  // What stands before a task of this lane: never its own lane's queue, since to hold a lane back
  // for its own queue makes that queue longer.
  double load_before(Lane lane) const {
    double sum = busy_share;
    for (std::size_t i = 0; i < static_cast<std::size_t>(lane); ++i) sum += waiting_share[i];
    return sum;
  }
};

}  // namespace sluice::core
