// Slots that are kept for the high lane and for light models (R12), by class of nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/state.h"
#include "base/time.h"
#include "core/control/active_set.h"
#include "core/control/limiter.h"
#include "core/lanes/flows.h"

namespace sluice::core {

// A class in which urgent tasks have arrived of late has a reserve: other tasks may take no more
// than the rest of its slots, unless they are expected to be out of the way in time. Counted by
// class and not by node, so that an urgent task finds a slot somewhere among its nodes, while none
// of them has to stand empty for it. All calls are O(1); classes without urgent traffic cost
// nothing.
//
// Beside it a fixed share of the slots may be kept for light models: what is neither urgent nor
// light may take no more than what both reserves leave, and is lent what is idle on the same terms.
class Reserves {
 public:
  // `lend`: others' work that is expected to end within this may run in an idle reserved slot.
  Reserves(ReserveOptions options, Duration lend, std::uint32_t classes);

  // An urgent task came that is expected to take so long.
  void arrived(ClassId klass, Duration expected, TimePoint now);
  // The class, in which light models have tasks, has so many ready slots now.
  void set_ready_slots(ClassId klass, std::uint32_t slots) {
    states_[klass.value].all_slots = slots;
  }

  // A task of another lane takes, or gives back, a slot of a node of this class. `heavy`: of a
  // model that is not light.
  void others_began(ClassId klass, bool heavy) {
    ++states_[klass.value].others;
    states_[klass.value].heavy += heavy ? 1 : 0;
  }
  void others_ended(ClassId klass, bool heavy) {
    --states_[klass.value].others;
    states_[klass.value].heavy -= heavy ? 1 : 0;
  }

  // Once a period of the control loop, with slots(klass) → ready slots and eased(klass), which is
  // told when a class restricts less than before.
  template <class Slots, class Eased>
  void step(TimePoint now, Slots slots, Eased eased) {
    active_.sweep([&](ClassId klass) {
      State& state = states_[klass.value];
      const std::uint32_t before = state.reserved;
      const bool restricted = restricts(klass);
      state.slots = slots(klass);
      state.reserved =
          state.reserve.step(state.arrivals.per_s(now, kMemory),
                             Duration(static_cast<std::int64_t>(state.mean_ns)), state.slots, now);
      if (state.reserved < before || (restricted && !restricts(klass))) eased(klass);
      return state.reserved > 0 || state.arrivals.per_s(now, kMemory) > kIdlePerSecond;
    });
  }

  // Others have all that they may have of the class.
  bool restricts(ClassId klass) const {
    const State& state = states_[klass.value];
    return state.reserved > 0 && state.others + state.reserved >= state.slots;
  }
  // The same of what is neither urgent nor light, which leaves both reserves.
  bool restricts_heavy(ClassId klass) const {
    const State& state = states_[klass.value];
    const std::uint32_t light = for_light(state.all_slots);
    const std::uint32_t kept = std::min(light + state.reserved, state.all_slots);
    // One at least, whatever is kept.
    return (light > 0 && state.heavy >= std::max(state.all_slots - kept, 1U)) || restricts(klass);
  }
  // Whether anything is kept for light models anywhere.
  bool keeps_for_light() const { return light_share_ > 0; }
  bool lends_to(Duration expected, bool can_be_taken_back) const {
    return can_be_taken_back || expected <= lend_;
  }
  std::uint32_t slots(ClassId klass) const { return states_[klass.value].reserved; }
  bool idle() const { return active_.size() == 0 && !keeps_for_light(); }

  // For snapshots (base/state.h).
  template <class Self, class Archive>
  static void visit_state(Self& self, Archive& archive) {
    auto& [lend, light_share, states, active] = self;
    archive(states, active);
  }

 private:
  static constexpr Duration kMemory = std::chrono::seconds(1);
  static constexpr double kIdlePerSecond = 0.01;

  struct State {
    Reserve reserve;
    EventRate arrivals;
    double mean_ns = 0;
    std::uint32_t slots = 0;
    std::uint32_t reserved = 0;
    std::uint32_t others = 0;
    std::uint32_t heavy = 0;  // of these
    std::uint32_t all_slots = 0;

    SLUICE_STATE(reserve, arrivals, mean_ns, slots, reserved, others, heavy, all_slots);
  };

  std::uint32_t for_light(std::uint32_t slots) const;

  Duration lend_;
  double light_share_;
  std::vector<State> states_;
  ActiveSet<ClassId> active_;
};

}  // namespace sluice::core
