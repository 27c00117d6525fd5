// A request that was accepted and classified, and an attempt to run one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/state.h"
#include "base/time.h"
#include "core/ids.h"
#include "core/labels.h"

namespace sluice::core {

// Waiting → Running → ended; or Waiting → ended. A task that has ended is not kept.
enum class TaskState : std::uint8_t { kWaiting, kRunning };

struct Task {
  RequestId request{};
  TimePoint arrival;
  TimePoint deadline;
  // When it leaves the queue unserved at the latest: its deadline or its lane's maximum age.
  TimePoint expires;
  // The last moment at which it could begin and be in time, as far as is known.
  TimePoint latest_start;
  TimePoint dispatched;
  // Service time to assume where none was measured.
  Duration prior_service{0};
  // Device time it is expected to take: what the lane's backlog counts it as, until it leaves.
  Duration expected_service{0};
  std::uint64_t size_bytes = 0;
  ModelId model;
  TenantId tenant;
  TaskTypeId task_type;
  std::int64_t key = 0;  // its rank in its flow, fixed when it enters
  std::uint32_t flow = 0;
  AttemptId attempt;  // while running
  AttemptId hedge;    // a second one, while both run
  NodeId node;        // where it runs
  // Where attempts at it have failed: the others are tried first.
  static constexpr std::size_t kMostTried = 3;
  std::array<NodeId, kMostTried> tried{};
  std::uint8_t attempts = 0;     // begun so far, without those whose slot was taken
  std::uint8_t preemptions = 0;  // how often its slot was taken
  TaskState state = TaskState::kWaiting;
  bool teaches = true;
  bool retriable = false;
  bool promoted = false;
  bool hedge_planned = false;
  Lane lane = Lane::kLow;
  Priority priority = 9;
  // What nodes were asked to accept: what it entered with, also after it was promoted (R26).
  Priority accepted_as = 9;
  // Where a rule sends it first; invalid: the path that its model takes (R28).
  PathId path;

  bool has_tried(NodeId where) const {
    return tried[0] == where || tried[1] == where || tried[2] == where;
  }

  SLUICE_STATE(request, arrival, deadline, expires, latest_start, dispatched, prior_service,
               expected_service, size_bytes, model, tenant, task_type, key, flow, attempt, hedge,
               node, tried, attempts, preemptions, state, teaches, retriable, promoted,
               hedge_planned, lane, priority, accepted_as, path);
};

// One try of a task on a node. Holds a credit of the node until it is known to have ended, longer
// than its task when the caller leaves.
struct Attempt {
  TaskId task;  // invalid once abandoned
  NodeId node;
  ModelId model;
  std::uint64_t size_bytes = 0;
  std::uint32_t replica = 0;         // model and node, see placement/eligibility.h
  std::uint32_t breaker_ticket = 0;  // of the replica's breaker
  // What its tenant's share and its lane were charged, to be put right when it has ended.
  std::uint32_t share = 0;
  TenantId tenant;
  Lane lane = Lane::kLow;
  Duration charged{0};
  bool reserved = false;  // paid from its tenant's reserve: the share was charged nothing
  bool teaches = true;
  bool stoppable = false;  // its slot may be taken for a task of the high lane
  bool preempted = false;  // and was
  bool heavy = false;      // of a model for which less than all slots may be had (R12)
  bool probe = false;      // of a path that its model does not take (R28)
  TimePoint dispatched;
  Duration budget{0};  // of its task
  // When the replica is thought to have begun, moved by the way back of the answer: now − began is
  // the service time. kNever while it waits at the node behind others.
  TimePoint began;
  TimePoint answer_started = kNever;

  SLUICE_STATE(task, node, model, size_bytes, replica, breaker_ticket, share, tenant, lane, charged,
               reserved, teaches, stoppable, preempted, heavy, probe, dispatched, budget, began,
               answer_started);
};

}  // namespace sluice::core
