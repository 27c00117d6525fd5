// Who watches a run: the place where checkers, traces and logs of decisions are put in.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/action.h"
#include "core/event.h"
#include "core/scheduler.h"
#include "sim/cluster.h"

namespace sluice::sim {

// How many requests and attempts the world outside counts: what the core's figures must agree with.
struct Ledger {
  std::uint64_t submitted = 0;
  std::uint64_t ended = 0;          // with an outcome of the core
  std::uint64_t open_requests = 0;  // live
  std::uint64_t open_attempts = 0;  // of which the core was not told the end
};

// One event of the core, what it decided, and the world after the actions were carried out. Valid
// during the call only.
struct Step {
  TimePoint now;       // true time
  TimePoint core_now;  // what the core was told
  const core::Event& event;
  std::span<const core::Action> actions;
  const core::Scheduler& scheduler;
  const Cluster& cluster;
  const Ledger& ledger;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void after(const Step& step) = 0;
};

}  // namespace sluice::sim
