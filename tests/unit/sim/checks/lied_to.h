// A check that is shown another course of events than there was.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/checks/all.h"
#include "sim/checks/checks.h"
#include "sim/core_options.h"
#include "sim/simulation.h"
#include "unit/sim/small_world.h"

namespace sluice::sim {

// Changes the actions of one step as it likes.
using Lie = std::function<void(std::vector<core::Action>&)>;

class LiedTo : public Observer {
 public:
  LiedTo(const core::Options& believed, std::unique_ptr<Check> check, Lie lie)
      : lie_(std::move(lie)) {
    std::vector<std::unique_ptr<Check>> one;
    one.push_back(std::move(check));
    checks_ = std::make_unique<Checks>(believed, std::move(one), findings_);
  }

  void after(const Step& step) override {
    if (findings_.count() > 0) return;
    std::vector<core::Action> actions(step.actions.begin(), step.actions.end());
    if (lie_) lie_(actions);
    checks_->after({.now = step.now,
                    .core_now = step.core_now,
                    .event = step.event,
                    .actions = actions,
                    .scheduler = step.scheduler,
                    .cluster = step.cluster,
                    .ledger = step.ledger});
  }

  // The first thing that was found to be wrong; empty: nothing.
  std::string found() const { return findings_.kept().empty() ? "" : findings_.kept().front(); }

 private:
  Lie lie_;
  Findings findings_;
  std::unique_ptr<Checks> checks_;
};

// Two nodes of two slots, 30 % more work than they can do, callers of two tenants.
inline Scenario crowded_world() {
  Scenario scenario = small_world(2);
  scenario.service.distribution = ServiceDistribution::kLognormal;
  for (workload::Phase& phase : scenario.streams[0].phases) {
    phase.rate_from_rps = phase.rate_to_rps = 270;
  }
  return scenario;
}

inline core::Options options_for(const Scenario& scenario) {
  return core_options(scenario, *policy_spec("sluice", scenario), 1);
}

// What the check says of a crowded world that runs with `core`, when it is lied to, or believes in
// other options than these.
inline std::string found_in(const Scenario& scenario, std::unique_ptr<Check> check,
                            const core::Options& core, const core::Options& believed,
                            Lie lie = nullptr) {
  LiedTo observer(believed, std::move(check), std::move(lie));
  RunOptions options{.seed = 1, .core = core};
  options.observers = {&observer};
  simulate(scenario, *policy_spec("sluice", scenario), options);
  return observer.found();
}

inline std::string found_when_lied_to(std::unique_ptr<Check> check, Lie lie) {
  const Scenario scenario = crowded_world();
  const core::Options core = options_for(scenario);
  return found_in(scenario, std::move(check), core, core, std::move(lie));
}

// A lie about each action of a kind, from the `nth` on.
template <class Action>
Lie about(std::function<void(Action&)> change, int nth = 20) {
  return [change = std::move(change), nth](std::vector<core::Action>& actions) mutable {
    for (core::Action& action : actions) {
      auto* const one = std::get_if<Action>(&action);
      if (one != nullptr && --nth < 0) change(*one);
    }
  };
}

// One action of a kind is kept back, the `nth`.
template <class Action>
Lie without(int nth = 20) {
  return [nth](std::vector<core::Action>& actions) mutable {
    std::erase_if(actions, [&](const core::Action& action) {
      return std::holds_alternative<Action>(action) && --nth == 0;
    });
  };
}

// One is told twice.
template <class Action>
Lie twice(int nth = 20) {
  return [nth](std::vector<core::Action>& actions) mutable {
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (!std::holds_alternative<Action>(actions[i]) || --nth != 0) continue;
      const core::Action again = actions[i];
      return void(actions.push_back(again));
    }
  };
}

// This is told besides, at the `nth` step.
inline Lie besides(core::Action action, int nth = 50) {
  return [action = std::move(action), nth](std::vector<core::Action>& actions) mutable {
    if (--nth == 0) actions.push_back(action);
  };
}

}  // namespace sluice::sim
