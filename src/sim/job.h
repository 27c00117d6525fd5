// An attempt of a request as the world outside the scheduler sees it.
#pragma once

#include <cstdint>

#include "base/id.h"
#include "base/time.h"
#include "core/event.h"
#include "core/pool.h"

namespace sluice::sim {

using JobId = PoolId<struct JobTag>;
using OpenId = PoolId<struct OpenTag>;

enum class JobState : std::uint8_t {
  kOnTheWay,    // to the node
  kHeld,        // at a frozen node's door
  kWaiting,     // at the node
  kRunning,     // in a slot
  kComingBack,  // the answer is on its way
  kLost,        // a fault has swallowed it: nobody will hear of it again unless they ask
};

inline constexpr std::uint32_t kNoSlot = 0xffffffff;

// Lives from its dispatch until the gateway has heard how it ended and the node is done with it,
// whichever is later: a node that was given up may still be working.
struct Job {
  // Invalid once the core was told of the end.
  core::AttemptId attempt;
  OpenId request;
  std::uint64_t number = 0;    // of the request: what its draws depend on
  TimePoint arrival;           // of the request at the gateway: what orders those that wait
  TimePoint started = kNever;  // into a slot
  TimePoint over = kNever;     // when its execution will be; kNever while the node is frozen
  Duration left{0};            // of the execution, while the node is frozen
  std::uint32_t node = 0;
  std::uint32_t model = 0;
  std::uint32_t place = 0;    // of the model among the node's models; running: among those running
  std::uint32_t ordinal = 0;  // among the attempts of the request
  std::uint32_t next = kNoSlot;  // waiting: neighbours in its queue
  std::uint32_t prev = kNoSlot;
  std::uint8_t level = 9;
  JobState state = JobState::kOnTheWay;
  core::AttemptResult result = core::AttemptResult::kAnswered;  // coming back
  bool is_cancelled = false;
};

using JobTable = core::Pool<Job, JobId>;

}  // namespace sluice::sim
