// control: the knobs of the control loop that an operator may want to turn.
#include <chrono>

#include "config/serve/sections.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

void read_band(Fields& f, std::string_view key, Kind<double> kind, core::Band& out,
               std::string_view text) {
  f.map(key, text, [&](Fields& band) {
    band.optional("enter", kind, out.enter, "Acts from here up");
    band.optional("leave", kind, out.leave, "Acts down to here once it has begun");
    if (out.leave >= out.enter) band.fail("leave", "must be below enter");
  });
}

void read_corrections(Fields& f, core::CorrectionOptions& out) {
  f.optional("most_steps", count(0, 2), out.most_steps,
             "Steps of priority that a task type is moved by at most; 0 turns corrections off");
  read_band(f, "latency", number(0.1, 100), out.latency,
            "P95 ÷ budget that makes a task type more urgent");
  read_band(f, "drops", share(), out.drops,
            "Share refused or expired that makes a task type more urgent");
  read_band(f, "failures", share(), out.failures,
            "Share failed that makes a task type less urgent");
  read_band(f, "load", number(0.1, 100), out.load,
            "System load that makes task types of realtime level high more urgent");
}

void read_lane_weights(Fields& f, core::LaneWeightOptions& out) {
  f.optional("range", number(1.01, 100), out.range,
             "Most factor between a lane's weight and its configured one");
  f.optional("threshold", number(0.01, 10), out.threshold,
             "Change, as a share, below which a weight does not move");
  f.optional("hit_goal", share(), out.hit_goal, "Share in budget below which a lane gets more");
  f.optional("starved_after", duration(1ms, 24h), out.oldest_wait[2],
             "Oldest wait in the low lane that starts its boost");
  f.optional("boost_share", share(), out.boost_share, "Of all weight, while boosted");
  f.optional("boost_for", duration(1ms, 1h), out.boost_for, "Length of a boost");
  f.optional("boost_rest", duration(1ms, 1h), out.boost_rest, "Between two boosts, at least");
}

void read_ramp(Fields& f, core::LoadRamp& out) {
  f.optional("from", number(0, 100), out.from,
             "Load up to which the lane may have all slots; 1 is all slots busy with what is more "
             "urgent");
  f.optional("to", number(0, 100), out.to, "Load from which on it has no more than floor");
  f.optional("floor", share(), out.floor, "Of all slots, always left to it; 100% is no cap");
  if (out.to <= out.from) f.fail("to", "must be above from");
}

// The high lane is never held back.
void read_limiter(Fields& f, core::LimiterOptions& out) {
  for (const core::Lane lane : {core::Lane::kLatency, core::Lane::kLow}) {
    const auto at = static_cast<std::size_t>(lane);
    f.map(std::string(core::to_string(lane)), "How that lane gives way to more urgent ones",
          [&](Fields& inner) { read_ramp(inner, out.ramps[at]); });
  }
}

void read_reserve(Fields& f, core::ReserveOptions& out) {
  f.optional("most_share", share(), out.most_share,
             "Of all slots, kept for the high lane at most; 0% turns it off");
  f.optional("beta", number(0, 10), out.beta,
             "Slots beyond what the high lane is expected to use, in square roots of it");
  f.optional(
      "lend", duration(0s, 1h), out.lend,
      "An idle reserved slot is lent to work that is expected to end within this. Absent: half "
      "of the high lane's budget");
  f.optional("light_share", share(), out.light_share,
             "Of the slots of each set of replicas that light models share with others: kept for "
             "the light ones. Requests of heavier models leave them, unless they are of the high "
             "lane or are lent one");
}

void read_preemption(Fields& f, core::PreemptionOptions& out) {
  f.optional("most", count(0, 100), out.most,
             "How often one request of the low lane may lose its slot to an urgent one that would "
             "be late; 0: never. Only on replicas with cancel: stops");
}

void read_promotion(Fields& f, core::PromotionOptions& out) {
  f.optional("after", duration(1ms, 24h), out.after,
             "Wait in the low lane after which a request moves to the lane above");
  f.optional("most_share", share(), out.most_share,
             "Of all slots, waited for by promoted requests at once; 0% turns it off");
}

}  // namespace

void read_control(Fields& root, core::Options& out) {
  root.map("control", "The control loop of policies with control: adaptive", [&](Fields& f) {
    f.optional("shortest_period", duration(1ms, 10s), out.control.period.shortest,
               "Between two looks at the figures, under load");
    f.optional("longest_period", duration(1ms, 10s), out.control.period.longest,
               "The same when little happens");
    if (out.control.period.longest < out.control.period.shortest) {
      f.fail("longest_period", "must not be below shortest_period");
    }
    f.map("corrections", "Of priorities, by task type",
          [&](Fields& inner) { read_corrections(inner, out.control.corrections); });
    f.map("lane_weights", "Around the configured weights",
          [&](Fields& inner) { read_lane_weights(inner, out.control.lane_weights); });
    f.map("limiter", "Slots that the less urgent lanes may have at once when the system is loaded",
          [&](Fields& inner) { read_limiter(inner, out.control.limiter); });
    f.map("reserve", "Slots kept for the high lane",
          [&](Fields& inner) { read_reserve(inner, out.control.reserve); });
    f.map("preemption", "Slots taken back for the high lane",
          [&](Fields& inner) { read_preemption(inner, out.preemption); });
    f.map("promotion", "Of requests that starve",
          [&](Fields& inner) { read_promotion(inner, out.promotion); });
  });
}

}  // namespace sluice::config
