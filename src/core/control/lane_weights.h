// The weights of the three lanes, around the configured ones (R13), and the boost of a lane that
// starves (R16).
//
//   wanted = base × (1 + queue) × (1 + shortfall) × rise
//     queue       how much of the lane's budget its queue takes to drain, 0..1
//     shortfall   how much of its hit goal it misses, 0..1
//     rise        recent arrivals ÷ usual arrivals, 1..2: slots are readied ahead of a rise, before
//                 the queue shows it
//   and at most base × range. Only ratios between lanes matter: raising one is lowering the others,
//   so no weight goes below its base, the ratio of two lanes stays within `range` of the configured
//   one either way, and when all suffer alike nothing changes.
//
// Why it cannot oscillate
//   - `wanted` is a bounded function of figures smoothed over `memory`; load that swings faster is
//     averaged away. There is no integrator.
//   - Nothing moves until `wanted` is `threshold` away from the weight, then by at most `most_step`
//     at a time, and not before `gate.dwell` ≥ `memory` has passed.
//   - Steps back toward the base back off (control/return_gate.h). A step down of most_step is made
//     good by at most 3 steps up of the threshold or more, so a swing of any period comes down to 4
//     changes in the longest hold: 15 a minute.
//
// The boost does not depend on those figures: a lane whose oldest task waits beyond `oldest_wait`
// gets the share `boost_share` of all weight for `boost_for`, then nothing extra for `boost_rest`,
// whatever happens. So it takes at most boost_for ÷ (boost_for + boost_rest) of the time, and
// boost_share × that of the device time in the long run; a lane with work is never without that
// share for longer than `oldest_wait` + `boost_rest`.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/state.h"
#include "base/time.h"
#include "core/control/return_gate.h"
#include "core/labels.h"
#include "core/smoothing.h"

namespace sluice::core {

// What a lane shows. All figures are as of now; smoothing is done here.
struct LaneFigures {
  Duration drain{0};   // expected device time of its waiting tasks ÷ slots
  Duration budget{0};  // mean budget of its tasks; 0 or less: the queue is not judged
  double arrivals_per_s = 0;
  double hit_share = 1;  // finished in budget ÷ ended, recent
  Duration oldest_wait{0};
};

enum class WeightCause : std::uint8_t { kQueue, kShortfall, kRise, kCalm, kBoost, kBoostOver };
inline constexpr std::array<std::string_view, 6> kWeightCauseNames{
    "queue", "shortfall", "rise", "calm", "boost", "boost_over"};
static_assert(static_cast<std::size_t>(WeightCause::kBoostOver) + 1 == kWeightCauseNames.size());
constexpr std::string_view to_string(WeightCause c) {
  return kWeightCauseNames[static_cast<std::size_t>(c)];
}

struct LaneWeightOptions {
  double range = 4;        // > 1
  double threshold = 0.2;  // > 0
  double most_step = 1.5;  // factor a step; > 1 + threshold
  double hit_goal = 0.98;  // 0 < x ≤ 1
  Duration memory = std::chrono::milliseconds(500);
  Duration usual_memory = std::chrono::seconds(5);  // of what arrivals are held against
  // Added to both sides of that comparison, so that a few tasks are no rise.
  double rise_floor_per_s = 20;
  // Oldest wait by lane that starts a boost. High and latency-controlled tasks have budgets that
  // end their wait before.
  std::array<Duration, kLanes> oldest_wait{kNoBoost, kNoBoost, std::chrono::seconds(2)};
  double boost_share = 0.3;  // 0 < x < 1, of the weight of all three lanes
  Duration boost_for = std::chrono::seconds(1);
  Duration boost_rest = std::chrono::seconds(3);
  GateOptions gate{.dwell = std::chrono::milliseconds(500),
                   .most_doublings = 5,
                   .calm = std::chrono::seconds(20)};

  static constexpr Duration kNoBoost = Duration::max();
};

// The record of a change of a lane's weight.
struct LaneWeightChange {
  Lane lane = Lane::kLow;
  double from = 0;
  double to = 0;
  WeightCause cause = WeightCause::kCalm;
  double figure = 0;  // the cause's: a factor; for boosts the oldest wait in seconds
  TimePoint at;
};

// O(1) a step, no memory beyond itself.
class LaneWeights {
 public:
  LaneWeights(const LaneWeightOptions& options, const std::array<double, kLanes>& base);

  // Looks at one lane, once a period of the control loop. At most one change.
  std::optional<LaneWeightChange> step(Lane lane, const LaneFigures& figures, TimePoint now);

  // What the lane is to be served with: the moving weight, or the boosted one if larger.
  double weight(Lane lane) const;
  bool boosted(Lane lane) const { return states_[index(lane)].boosted; }
  // All weights are the configured ones: nothing to undo.
  bool settled() const;

  // For snapshots (base/state.h).
  template <class Self, class Archive>
  static void visit_state(Self& self, Archive& archive) {
    auto& [options, states] = self;
    archive(states);
  }

 private:
  struct State {
    double base = 1;
    double weight = 1;
    Smoothed queue;
    Smoothed shortfall;
    Smoothed arrivals;
    Smoothed usual;
    ReturnGate gate;
    TimePoint boost_since;
    bool boosted = false;
    bool ever_boosted = false;

    SLUICE_STATE(base, weight, queue, shortfall, arrivals, usual, gate, boost_since, boosted,
                 ever_boosted);
  };
  struct Wanted {
    double weight = 1;
    WeightCause cause = WeightCause::kCalm;
    double figure = 1;
  };

  static std::size_t index(Lane lane) { return static_cast<std::size_t>(lane); }
  Wanted wanted(State& state, const LaneFigures& figures, TimePoint now) const;
  std::optional<LaneWeightChange> move(Lane lane, const Wanted& wanted, TimePoint now);
  std::optional<LaneWeightChange> boost(Lane lane, Duration oldest_wait, TimePoint now);
  double boost_weight(Lane lane) const;

  LaneWeightOptions options_;
  std::array<State, kLanes> states_;
};

}  // namespace sluice::core
