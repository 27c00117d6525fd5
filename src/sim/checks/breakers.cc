// Breakers (R29, R30; breaker.h): each change follows from the state before it; one that has opened
// stays so for `open_for`, which is within its bounds; while it is open nothing is sent through it,
// while it is half-open at most `probes` attempts at a time. Only where the policy adapts:
// otherwise breakers look on.
#include <algorithm>
#include <variant>
#include <vector>

#include "sim/checks/all.h"
#include "sim/checks/mirror.h"

namespace sluice::sim {
namespace {

using core::BreakerCause;
using core::BreakerState;

class Breakers : public Check {
 public:
  Breakers() : Check("breakers") {}

  void on(const core::Action& action, const Step& step, const Mirror& mirror) override {
    const auto* const adjusted = std::get_if<core::Adjusted>(&action);
    if (adjusted == nullptr) return;
    const auto* const change = std::get_if<core::BreakerChange>(&adjusted->change);
    if (change != nullptr) hold(*change, step, mirror);
  }

  // A call tells its changes last, when all of its dispatches are told: so it opens breakers before
  // it dispatches, and half-opens them as it does.
  void after(const Step& step, const Mirror& mirror) override {
    if (mirror.heard().ended) forget_probe(*mirror.heard().ended);
    if (mirror.options().policy.control != core::Control::kAdaptive) return;
    for (const core::Action& action : step.actions) {
      const auto* const dispatch = std::get_if<core::Dispatch>(&action);
      if (dispatch != nullptr) hold(*dispatch, step, mirror);
    }
  }

 private:
  struct Seen {
    BreakerState state = BreakerState::kClosed;
    TimePoint until;  // open
    std::vector<core::AttemptId> probes;
  };

  Seen& of(core::NodeId node, core::ModelId model, const Mirror& mirror) {
    const std::size_t models = mirror.options().models.size();
    if (seen_.empty()) seen_.resize(mirror.options().nodes.size() * models);
    return seen_[node.value * models + model.value];
  }

  static bool may_follow(const core::BreakerTransition& change) {
    switch (change.cause) {
      case BreakerCause::kConsecutiveFailures:
      case BreakerCause::kFailureShare:
      case BreakerCause::kLatency:
        return change.from == BreakerState::kClosed && change.to == BreakerState::kOpen;
      case BreakerCause::kProbeFailed:
        return change.from == BreakerState::kHalfOpen && change.to == BreakerState::kOpen;
      case BreakerCause::kTimeUp:
        return change.from == BreakerState::kOpen && change.to == BreakerState::kHalfOpen;
      case BreakerCause::kProbesSucceeded:
        return change.from == BreakerState::kHalfOpen && change.to == BreakerState::kClosed;
    }
    return false;
  }

  void hold(const core::BreakerChange& change, const Step& step, const Mirror& mirror) {
    const core::BreakerOptions& options = mirror.options().breaker;
    const core::BreakerTransition& transition = change.transition;
    Seen& seen = of(change.node, change.model, mirror);
    expect(transition.from == seen.state, step, "a breaker does not go on from its last state");
    expect(may_follow(transition), step, "a breaker changes as it may not");
    expect(seen.state != BreakerState::kOpen || mirror.now() >= seen.until, step,
           "a breaker half-opens before its time");
    seen.state = transition.to;
    seen.probes.clear();
    if (transition.to != BreakerState::kOpen) return;
    seen.until = saturating_add(mirror.now(), transition.open_for);
    expect(transition.open_for >= options.open_for &&
               transition.open_for <= std::max(options.longest_open, options.open_for),
           step, "a breaker opens for too short or too long");
  }

  void hold(const core::Dispatch& dispatch, const Step& step, const Mirror& mirror) {
    Seen& seen = of(dispatch.node, dispatch.model, mirror);
    expect(seen.state != BreakerState::kOpen, step, "a dispatch through an open breaker");
    if (seen.state != BreakerState::kHalfOpen) return;
    seen.probes.push_back(dispatch.attempt);
    expect(seen.probes.size() <= mirror.options().breaker.probes, step,
           "more probes at a time than a half-open breaker lets through");
  }

  void forget_probe(const SeenAttempt& ended) {
    for (Seen& seen : seen_) {
      const auto found = std::find(seen.probes.begin(), seen.probes.end(), ended.id);
      if (found != seen.probes.end()) seen.probes.erase(found);
    }
  }

  std::vector<Seen> seen_;  // node × models + model
};

}  // namespace

std::unique_ptr<Check> breakers_check() {
  return std::make_unique<Breakers>();
}

}  // namespace sluice::sim
