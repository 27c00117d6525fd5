// A run of a scenario in virtual time, with the same scheduler that the gateway runs.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "core/options.h"
#include "core/policy.h"
#include "sim/habits.h"
#include "sim/noise.h"
#include "sim/observer.h"
#include "sim/policy_spec.h"
#include "sim/scenario.h"
#include "sim/tally.h"
#include "workload/report.h"

namespace sluice::sim {

struct Progress {
  Duration simulated{0};
  Duration whole{0};
  std::uint64_t requests = 0;  // so far
};

struct RunOptions {
  std::uint64_t seed = 1;
  // Check after each event what the core promises (sim/checks), not only the books at the end. The
  // first violation ends the run: what comes after it says nothing.
  bool check = false;
  // In place of what an operator would have configured for the scenario.
  std::optional<core::Options> core;
  Habits habits;
  NoiseOptions noise;
  // So many times, at equal steps of simulated time, the scheduler is written down and another one,
  // made from these bytes, takes its place: nothing changes by that.
  std::uint32_t restores = 0;
  // Called about 200 times a run, at equal steps of simulated time, if set.
  std::function<void(const Progress&)> progress;
  // Called when a request has ended, if set; in the order in which they end.
  std::function<void(const Ended&)> on_ended;
  // See every event; not owned.
  std::vector<Observer*> observers;
};

struct Result {
  workload::Run run;
  // What was found to be wrong, in words; the first hundred. run.violations counts all.
  std::vector<std::string> violations;
  std::uint64_t requests = 0;
  std::uint64_t events = 0;  // of the simulated world
  Duration simulated{0};     // until the end, or the first violation
  std::array<std::uint64_t, kSenselessNames.size()> senseless{};  // that was told besides, by kind
};

// Deterministic: the same scenario, policy and seed give the same result, byte for byte. The
// arrivals, and what chance does to a request, depend on scenario and seed only. Time grows with
// the number of requests, memory with those that are open at one time.
Result simulate(const Scenario& scenario, const PolicySpec& policy, const RunOptions& options);

}  // namespace sluice::sim
