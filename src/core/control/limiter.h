// How many slots each lane may have at once (R12): a cap on what runs of the less urgent lanes when
// the system is loaded, and a reserve that is kept free for the high lane.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/time.h"
#include "core/classify/live_figures.h"
#include "core/smoothing.h"

namespace sluice::core {

// A lane's share of slots: all up to load `from`, then falling evenly to `floor` at load `to`.
struct LoadRamp {
  double from = 1;
  double to = 2;     // > from
  double floor = 1;  // 0..1; 1 is no cap
};

struct LimiterOptions {
  // High never. Low from 1 on: all slots busy and something more urgent waits. Latency after low.
  // The ramps begin at 1 and not below because a busy slot is no harm by itself: with nothing more
  // urgent in the queue, a cap would only idle devices; what is about to arrive has the reserve.
  std::array<LoadRamp, kLanes> ramps{LoadRamp{}, LoadRamp{.from = 1.25, .to = 2, .floor = 0.3},
                                     LoadRamp{.from = 1, .to = 1.75, .floor = 0.1}};
};

// Most tasks of the lane that may run, of `slots` in all; at least 1. Pure, O(1).
//
// It cannot oscillate: a cap is a continuous function, falling in a load that is smoothed
// (LoadGauge) and does not contain the lane's own queue: to be held back does not make a lane's
// load larger, and as the more urgent queues drain the cap rises as gradually as it fell. Whatever
// the load does, a cap stays between floor × slots and slots.
std::uint32_t running_cap(Lane lane, const SystemFigures& figures, std::uint32_t slots,
                          const LimiterOptions& options);

struct ReserveOptions {
  // Square-root staffing (Halfin and Whitt 1981): with a + β√a + ½ slots for an offered load of a,
  // an arriving task waits with a probability that hardly depends on a: 1.85 gives 6 % at most, 1
  // gives 22 %, 2.4 gives 1 %. (The ½ is the usual correction for slots being whole.)
  double beta = 1.85;
  double most_share = 0.5;  // of all slots, 0..1; 0 turns the reserve off
  // The load is followed up within `rise`, down within `fall`: too few slots cost more than too
  // many.
  Duration rise = std::chrono::milliseconds(500);
  Duration fall = std::chrono::seconds(5);
  // An idle reserved slot is lent to work that is expected to end within this; ≥ 0. Absent: half of
  // the high lane's budget.
  std::optional<Duration> lend;
  // Of the slots of each class that has light models, 0..1: heavier ones leave them to those,
  // unless their task is urgent. It is not learnt: how much light work ought to find a slot at once
  // is for the operator to say.
  double light_share = 0;
};

// Slots for the tasks of one class (the high lane), running ones included: others
// may run in `slots − reserve.slots()`. No loop: what arrives does not depend on the reserve.
class Reserve {
 public:
  explicit Reserve(const ReserveOptions& options) : options_(options) {}

  // Once a period of the control loop. `arrivals_per_s` × `mean_service` is the offered load, in
  // slots. Returns what slots() says from now on. O(1).
  std::uint32_t step(double arrivals_per_s, Duration mean_service, std::uint32_t slots,
                     TimePoint now);
  std::uint32_t slots() const { return reserved_; }

  // For snapshots (base/state.h).
  template <class Self, class Archive>
  static void visit_state(Self& self, Archive& archive) {
    auto& [options, rising, falling, reserved] = self;
    archive(rising, falling, reserved);
  }

 private:
  ReserveOptions options_;
  Smoothed rising_;
  Smoothed falling_;
  std::uint32_t reserved_ = 0;
};

}  // namespace sluice::core
