// Starvation of a lane (R16; lane_weights.h): where the policy adapts, a lane whose oldest task
// (the one that entered first, though a later one may have taken longer to arrive) has waited
// beyond `oldest_wait` is never without a boost for longer than boost_for + boost_rest and two of
// the longest periods of the control loop; and it has one for no more than boost_for ÷ (boost_for +
// boost_rest) of the time, give or take a period.
//
// Not claimed while tasks wait again in the lane (they come first in the list of arrivals, whatever
// their age), nor over a jump of the gateway's clock.
#include <array>
#include <queue>
#include <variant>

#include "sim/checks/all.h"
#include "sim/checks/mirror.h"

namespace sluice::sim {
namespace {

class Boost : public Check {
 public:
  Boost() : Check("boost") {}

  void on(const core::Action& action, const Step& step, const Mirror& mirror) override {
    if (const auto* queued = std::get_if<core::Queued>(&action)) {
      const SeenRequest* const request = mirror.find(queued->request);
      if (request == nullptr) return;
      of(queued->lane).waiting.push({request->arrival, queued->request});
    }
    const auto* const adjusted = std::get_if<core::Adjusted>(&action);
    const auto* const change =
        adjusted != nullptr ? std::get_if<core::LaneWeightChange>(&adjusted->change) : nullptr;
    if (change == nullptr || change->cause != core::WeightCause::kBoost) return;
    const core::LaneWeightOptions& options = mirror.options().control.lane_weights;
    LaneState& lane = of(change->lane);
    expect(
        !lane.ever_boosted || change->at - lane.boosted >= options.boost_for + options.boost_rest,
        step, "a boost before the rest of the last one is over");
    lane.ever_boosted = true;
    lane.boosted = change->at;
  }

  void after(const Step& step, const Mirror& mirror) override {
    if (mirror.options().policy.control != core::Control::kAdaptive) return;
    for (int lane = 0; lane < core::kLanes; ++lane) hold_lane(core::Lane(lane), step, mirror);
    last_ = mirror.now();
  }

 private:
  struct Entry {
    TimePoint arrival;
    core::RequestId request;
  };
  struct LaneState {
    std::queue<Entry> waiting;  // in the order in which they entered
    bool starves = false;
    TimePoint since;
    bool ever_boosted = false;
    TimePoint boosted;
  };

  LaneState& of(core::Lane lane) { return lanes_[static_cast<std::size_t>(lane)]; }

  void hold_lane(core::Lane at, const Step& step, const Mirror& mirror) {
    LaneState& lane = of(at);
    const core::ControlOptions& options = mirror.options().control;
    const Duration oldest_wait = options.lane_weights.oldest_wait[static_cast<std::size_t>(at)];
    while (!lane.waiting.empty() && !mirror.waits(lane.waiting.front().request, 1)) {
      lane.waiting.pop();
    }
    const bool starves = !lane.waiting.empty() && mirror.waiting_again(at) == 0 &&
                         saturating_add(lane.waiting.front().arrival, oldest_wait) < mirror.now();
    // While it starves the loop ticks: nothing else than a jump keeps it from it for longer.
    const bool jumped = mirror.now() - last_ > options.period.longest;
    if (!starves || !lane.starves || jumped) lane.since = mirror.now();
    lane.starves = starves;
    if (!starves) return;
    const TimePoint begun = lane.ever_boosted ? std::max(lane.since, lane.boosted) : lane.since;
    expect(mirror.now() - begun <= options.lane_weights.boost_for +
                                       options.lane_weights.boost_rest + 2 * options.period.longest,
           step, "a lane starves without a boost");
  }

  std::array<LaneState, core::kLanes> lanes_;
  TimePoint last_;
};

}  // namespace

std::unique_ptr<Check> boost_check() {
  return std::make_unique<Boost>();
}

}  // namespace sluice::sim
