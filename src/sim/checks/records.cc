// Records of the control loop (R8, R9, R30; control/*.h): each change says from where to where,
// goes on from where the last one left off, keeps to its bounds and its dwell, and names a figure
// that is past its threshold, so that whoever reads the log alone can tell why.
//
//   corrections   one step at a time, within ±most_steps (≤ 2)
//   lane weights  base … base × range, at most a factor of most_step at a time
//   shares        floor … 1, by the one decrease and the one increase that there are
//   penalties     one level at a time, 0 … 4
//   paths         to another that the model has; away from one that is down, or up, not too soon
#include <array>
#include <cmath>
#include <cstdlib>
#include <variant>
#include <vector>

#include "sim/checks/all.h"
#include "sim/checks/mirror.h"

namespace sluice::sim {
namespace {

constexpr double kRounding = 1e-9;

bool about(double a, double b) {
  return std::abs(a - b) <= kRounding * std::max(std::abs(a), std::abs(b));
}

class Records : public Check {
 public:
  Records() : Check("records") {}

  void on(const core::Action& action, const Step& step, const Mirror& mirror) override {
    const auto* const adjusted = std::get_if<core::Adjusted>(&action);
    if (adjusted == nullptr) return;
    // Breakers act for all, and models come and go for all.
    const bool adapts = !std::holds_alternative<core::BreakerChange>(adjusted->change) &&
                        !std::holds_alternative<core::ResidencyChange>(adjusted->change);
    expect(!adapts || mirror.options().policy.control == core::Control::kAdaptive, step,
           "a change under a policy that does not adapt");
    std::visit([&](const auto& change) { hold(change, step, mirror); }, adjusted->change);
  }

 private:
  // A value that is moved, and when it last was.
  struct Moved {
    double value = 0;
    bool ever = false;
    TimePoint at;
  };

  void follow(Moved& moved, double from, double to, TimePoint at, Duration dwell, const Step& step,
              const Mirror& mirror) {
    expect(about(moved.value, from), step, "a change does not go on from the last one");
    expect(at == mirror.now(), step, "a change has another time than now");
    expect(!moved.ever || at - moved.at >= dwell, step, "a change too soon after the last one");
    moved = {.value = to, .ever = true, .at = at};
  }

  static Moved& in(std::vector<Moved>& table, std::uint32_t at) {
    if (at >= table.size()) table.resize(at + 1);
    return table[at];
  }

  void hold(const core::CorrectionChange& change, const Step& step, const Mirror& mirror) {
    const core::CorrectionOptions& options = mirror.options().control.corrections;
    expect(change.kind.value < mirror.options().task_types.size(), step, "a correction of no kind");
    expect(std::abs(change.to) <= options.most_steps && std::abs(change.to) <= 2, step,
           "a correction beyond its bound");
    expect(std::abs(change.to - change.from) == 1, step, "a correction of more than one step");
    follow(in(corrections_, change.kind.value), change.from, change.to, change.at,
           options.gate.dwell, step, mirror);
    expect(change.cause != core::CorrectionCause::kNone, step, "a correction without a cause");
    expect(std::isfinite(change.figure) && std::isfinite(change.threshold), step,
           "a correction without figures");
    const bool outward = std::abs(change.to) > std::abs(change.from);
    expect(outward ? change.figure >= change.threshold : explains_return(change), step,
           "a correction whose figure does not explain it");
  }

  // Its cause is gone; or another one pulls the other way.
  static bool explains_return(const core::CorrectionChange& change) {
    return change.figure != change.threshold || change.cause == core::CorrectionCause::kIdle;
  }

  void hold(const core::LaneWeightChange& change, const Step& step, const Mirror& mirror) {
    const core::LaneWeightOptions& options = mirror.options().control.lane_weights;
    const auto lane = static_cast<std::size_t>(change.lane);
    const double base = mirror.options().lanes[lane].weight;
    expect(std::isfinite(change.figure) && change.to > 0, step, "a weight without figures");
    if (change.cause == core::WeightCause::kBoost ||
        change.cause == core::WeightCause::kBoostOver) {
      expect(change.at == mirror.now() && change.to >= base * (1 - kRounding), step,
             "a boost below the configured weight");
      return;
    }
    Moved& weight = weights_[lane];
    if (!weight.ever) weight.value = base;
    follow(weight, change.from, change.to, change.at, options.gate.dwell, step, mirror);
    const double factor = std::max(change.to / change.from, change.from / change.to);
    expect(factor <= options.most_step * (1 + kRounding), step, "a weight moves too far at once");
    expect(
        change.to >= base * (1 - kRounding) && change.to <= base * options.range * (1 + kRounding),
        step, "a weight beyond its range");
  }

  void hold(const core::ShareChange& change, const Step& step, const Mirror& mirror) {
    hold_share(change, share_, mirror.options().control.safety_load, step, mirror);
  }

  void hold(const core::ModelShareChange& change, const Step& step, const Mirror& mirror) {
    const bool exists = change.model.value < mirror.options().models.size();
    expect(exists, step, "a share of no model");
    if (!exists) return;
    hold_share(change.change, in(model_shares_, change.model.value), core::kModelShare, step,
               mirror);
  }

  void hold_share(const core::ShareChange& change, Moved& share, const core::ShareOptions& options,
                  const Step& step, const Mirror& mirror) {
    if (!share.ever) share.value = 1;
    follow(share, change.from, change.to, change.at, options.gate.dwell, step, mirror);
    const bool shrinks = change.to < change.from;
    expect(change.to >= options.floor && change.to <= 1, step, "a share beyond its bounds");
    expect(about(change.to, shrinks ? std::max(change.from * options.decrease, options.floor)
                                    : std::min(change.from + options.increase, 1.0)),
           step, "a share moves by another step");
    expect(shrinks ? change.figure >= options.shrink_above : change.figure < options.recover_below,
           step, "a share whose figure does not explain it");
  }

  void hold(const core::PenaltyChange& change, const Step& step, const Mirror& mirror) {
    const core::PenaltyOptions& options = mirror.options().control.penalties;
    expect(change.tenant.value < mirror.options().tenants.size(), step, "a penalty of nobody");
    expect(change.to >= 0 && change.to < core::kPenaltyLevels, step, "a penalty beyond its levels");
    expect(std::abs(change.to - change.from) == 1, step, "a penalty of more than one level");
    follow(in(penalties_, change.tenant.value), change.from, change.to, change.at,
           options.gate.dwell, step, mirror);
    expect(change.to > change.from ? change.figure >= options.enter : change.figure < options.leave,
           step, "a penalty whose figure does not explain it");
  }

  void hold(const core::PathChange& change, const Step& step, const Mirror& mirror) {
    const core::Options& options = mirror.options();
    const core::PathSwitch& path = change.change;
    const bool exists = change.model.value < options.models.size() &&
                        path.from < options.paths.size() && path.to < options.paths.size();
    expect(exists && path.from != path.to, step, "a model changes to no other path");
    expect(path.entered.ready && path.entered.loaded, step,
           "a model takes a path that cannot serve it");
    expect(explains(path, options.path), step, "a path is left and no figure explains it");
    if (!exists) return;
    Moved& taken = in(paths_, change.model.value);
    expect(!taken.ever || about(taken.value, path.from), step,
           "a change does not go on from the last one");
    // Down to one that is fit is for at once.
    const bool up = path.to < path.from;
    expect(!up || !taken.ever || mirror.now() - taken.at >= options.path.least_stay, step,
           "a better path is taken too soon");
    taken = {.value = static_cast<double>(path.to), .ever = true, .at = mirror.now()};
  }

  static bool explains(const core::PathSwitch& path, const core::PathOptions& options) {
    const core::PathFigures& left = path.left;
    switch (path.cause) {
      case core::PathCause::kNotReady:
        return !left.ready || !left.loaded;
      case core::PathCause::kFailures:
        return left.failures_in_a_row >= options.failures_in_a_row;
      case core::PathCause::kLatency:
        return left.slowness > options.leave_slowness;
      case core::PathCause::kLoad:
        return left.utilisation > options.leave.utilisation || left.queue > options.leave.queue;
      case core::PathCause::kProbed:
        return path.to < path.from && path.hold >= options.hold;
    }
    return false;
  }

  // Of breakers, and whatever else there is: checked elsewhere.
  template <class Other>
  void hold(const Other&, const Step&, const Mirror&) {}

  std::vector<Moved> corrections_;  // by kind
  std::vector<Moved> penalties_;    // by tenant
  std::vector<Moved> paths_;        // by model
  std::array<Moved, core::kLanes> weights_;
  std::vector<Moved> model_shares_;  // by model
  Moved share_;
};

}  // namespace

std::unique_ptr<Check> records_check() {
  return std::make_unique<Records>();
}

}  // namespace sluice::sim
