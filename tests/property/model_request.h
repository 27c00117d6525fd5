// What the model of the scheduler knows of a request.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "core/scheduler.h"

namespace sluice::core {

// Throws where a promise of the core is broken.
inline void expect(bool holds, const char* promise) {
  if (!holds) throw std::logic_error(promise);
}

struct ModelRequest {
  enum class State { kNew, kQueued, kRunning, kEnded };

  Labels labels;
  State state = State::kNew;
  Lane lane = Lane::kLow;
  TimePoint arrival;
  TimePoint deadline;
  TimePoint entered;
  // The lane, and the nodes that it may run on.
  std::vector<std::uint32_t> flow;
  TaskId task;
  AttemptId attempt;
  AttemptId other;  // of two that run
  NodeId node;
  bool hedged = false;
  bool cancelling = false;
  bool again = false;  // behind others of equal rank
  std::uint32_t preemptions = 0;

  bool has(AttemptId one) const { return one.valid() && (one == attempt || one == other); }
  bool waits() const { return state == State::kNew || state == State::kQueued; }
};

}  // namespace sluice::core
