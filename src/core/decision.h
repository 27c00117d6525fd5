// Why the core acts as it does (R40): what it weighed, told right before the actions that follow
// from it. Plain data of fixed size, so that it costs a few stores and is always on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/time.h"
#include "core/ids.h"
#include "core/labels.h"
#include "core/outcome.h"

namespace sluice::core {

// A request was let in, or not. Exactly one a submitted request; what follows for it comes after:
// Queued, a Dispatch or its Finish.
struct AdmissionRecord {
  RequestId request;
  TaskId task;
  Reason reason;  // that its refusal has; kNone: it was let in
  Lane lane;
  Priority original;  // by the caller or the table; before rules and its tenant's penalties
  Priority priority;
  bool degraded;  // to `model`, for want of room or time (R17); a rule may have chosen it, too
  ModelId model;
  TenantId tenant;
  Duration budget;
  // On the ready node that would be first to finish it: until it began there, and its service.
  // Zero, untrusted, where there is none. A prediction that is not trusted refuses nobody (R20).
  bool trusted;
  Duration until_slot;
  Duration service;
  // What is served before it: device time, the slots that do it, and its lane's share of these.
  // Zero where it was decided without.
  Duration work_ahead;
  double slots;
  double share;
  AttemptId victim;  // whose slot it takes; invalid: none
};

enum class Verdict : std::uint8_t {
  kRun,       // on `node`
  kWait,      // a busy node is predicted to be in time, no free one is; or none may be used now
  kAway,      // no node that has the model loaded has room
  kHopeless,  // no node is predicted to be in time
};

// What spoke against a node. Nodes are listed by the sum of their marks, then by cost; a strategy
// goes by cost alone where they differ in kLate only.
enum class Mark : std::uint8_t {
  kLate = 1,       // predicted to finish after the deadline
  kFlooded = 2,    // had its share since its figures were sampled
  kOtherPath = 4,  // not on the path that the model takes, or too slow there
  kTried = 8,      // the task has failed there
  kByTime = 16,    // looked at only because no other would do; its cost is its time, in ns
  kSpared = 32,    // a standby, or barred on its path
  kKept = 64,      // reserved for more urgent ones, or its score is too low
  kBusy = 128,     // has no credit
};

// A node that was considered for a task.
struct Weighed {
  NodeId node;
  std::uint8_t marks = 0;
  bool trusted = false;   // the prediction
  Duration predicted{0};  // until it would finish there
  double cost = 0;        // by the policy's placement strategy; smaller is better

  bool has(Mark mark) const { return (marks & static_cast<std::uint8_t>(mark)) != 0; }
};

// It was weighed where a task is to run: the head of its flow, one that is to be hedged, or one
// whose latest start has come. kRun: its Dispatch is the next action; kHopeless: its Finish is.
struct PlacementRecord {
  static constexpr std::size_t kMostListed = 4;

  RequestId request{};
  TaskId task;
  Verdict verdict = Verdict::kWait;
  Lane lane = Lane::kLow;
  Priority priority = 9;
  std::uint8_t listed = 0;       // of `best`
  std::uint32_t considered = 0;  // looks at nodes; of many, a sample is looked at
  NodeId node;                   // decided on, waited for, or the least hopeless; invalid: none
  // `node` first, the others as the strategy prefers them.
  std::array<Weighed, kMostListed> best;
};

}  // namespace sluice::core
