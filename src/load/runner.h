// Plays a scenario against a target, open loop: requests leave when they are meant to, whatever
// became of those before, and latency counts from that intended time. A server that stalls is
// seen as its callers see it (no coordinated omission).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "base/time.h"
#include "load/scenario.h"
#include "load/target.h"
#include "workload/report.h"

namespace sluice::load {

// Where a run stands, for whoever watches.
struct Progress {
  Duration elapsed{};
  Duration duration{};
  std::uint64_t sent = 0;
  const workload::Run* so_far = nullptr;  // of the requests that have ended; never null
};

struct RunOptions {
  std::string policy;  // a label for the run
  std::uint64_t seed = 1;
  // Called every `progress_every` while the run lasts; may be empty.
  std::function<void(const Progress&)> on_progress;
  Duration progress_every = std::chrono::seconds(1);
};

struct RunResult {
  workload::Run run;
  // Requests that had to wait for a connection of the generator's own.
  std::size_t waited_for_connection = 0;
};

// Blocks until the last request has ended: the phases' time, then at most the callers' timeout.
// Throws std::runtime_error when the target cannot be resolved or reached, or an input not read.
RunResult run(const Scenario& scenario, const Target& target, const RunOptions& options);

}  // namespace sluice::load
