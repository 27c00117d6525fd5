// What the core wants done. Actions come in the order in which they were decided; a driver carries
// them out after handle() has returned.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "base/time.h"
#include "core/classify/rule_book.h"
#include "core/control/corrections.h"
#include "core/control/lane_weights.h"
#include "core/control/shrinking_share.h"
#include "core/control/tenant_penalty.h"
#include "core/decision.h"
#include "core/ids.h"
#include "core/labels.h"
#include "core/outcome.h"
#include "core/placement/breaker.h"
#include "core/placement/path.h"
#include "core/placement/residency_state.h"

namespace sluice::core {

// The task waits in its lane. The driver may cancel it by this id.
struct Queued {
  RequestId request;
  TaskId task;
  ModelId model;
  Lane lane;
  Priority priority;
  TimePoint deadline;
  std::int64_t rank;  // among what its tenant has waiting for the model; smaller first
};

// Send the request to this node. The credit is taken until AttemptFinished or AttemptLost.
struct Dispatch {
  RequestId request;
  TaskId task;
  AttemptId attempt;
  NodeId node;
  ModelId model;
  Lane lane;
  Priority priority;
  TimePoint deadline;
  std::int64_t rank;  // as in Queued
  Duration expected;  // device time that it is predicted to take: what its lane is charged
};

// The task waits in another lane from now on: it had waited too long in its own (R16).
struct Promoted {
  RequestId request;
  TaskId task;
  Priority from;
  Priority to;
  Duration waited;
  std::int64_t rank;  // as in Queued, there
};

// The task's attempt came to nothing and it waits again, with its age: the driver keeps the
// request. `cause` is that of the Finish it would otherwise have had; kNone when its slot was taken
// for a more urgent task.
struct Requeued {
  RequestId request;
  TaskId task;
  Reason cause;
  AttemptId attempt;  // that came to nothing
  NodeId node;        // that it was tried on
};

// The task has ended; its id is dead. The one place from which answers, metrics and logs of an
// outcome come. Emitted exactly once a submitted request.
struct Finish {
  RequestId request;
  TaskId task;
  Outcome outcome;
  Reason reason;
  Lane lane;
  Priority priority;
  ModelId model;
  TenantId tenant;
  NodeId node;  // where it ran last; invalid when it never did
  // That ran when it ended; invalid when it waited. If this has brought an answer, it is the
  // task's.
  AttemptId attempt;
  TimePoint arrival;
  TimePoint deadline;
  Duration waited;   // arrival to dispatch, or to leaving the queue
  Duration service;  // dispatch to here; zero when it never ran
  // Refusals: from now until the same request is predicted to be admitted, at least. Zero
  // otherwise.
  Duration retry_after;
  // The rule that refused it, where one did: Scheduler::rule() tells more.
  RuleId rule;

  // Answered in time.
  bool in_budget(TimePoint now) const { return outcome == Outcome::kCompleted && now <= deadline; }
};

// Nobody waits for this attempt any more: stop it where the replica can be stopped. The attempt
// still ends with AttemptFinished: its credit returns on proof.
struct CancelAttempt {
  AttemptId attempt;
  NodeId node;
};

// What became of a RuleChange.
struct RuleAnswer {
  RuleResult result;
};

// Bring the model into the node's memory; the driver tells the end by ModelLoaded, well or not.
struct LoadModel {
  NodeId node;
  ModelId model;
};

// Take it out again; the driver tells the end by ModelUnloaded.
struct UnloadModel {
  NodeId node;
  ModelId model;
};

// Something was decided about more than one task, and by which figures (R9, R30).
struct Adjusted {
  std::variant<BreakerChange, PathChange, CorrectionChange, LaneWeightChange, ShareChange,
               ModelShareChange, PenaltyChange, ResidencyChange>
      change;
};

using Action = std::variant<AdmissionRecord, PlacementRecord, Queued, Dispatch, Promoted, Requeued,
                            Finish, CancelAttempt, RuleAnswer, LoadModel, UnloadModel, Adjusted>;

// Owned by the driver and emptied by it; the core only appends. Keeps its memory between calls.
using ActionBuffer = std::vector<Action>;

}  // namespace sluice::core
