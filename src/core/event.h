// What the core is told. A driver turns everything that happens outside into one of these and
// calls Scheduler::handle; it never calls back into the scheduler while handling an action.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "base/time.h"
#include "core/classify/rules.h"
#include "core/ids.h"
#include "core/labels.h"

namespace sluice::core {

// A whole request is here, labels checked. Answered in the same call by exactly one of Queued,
// Dispatch or Finish with the same request id.
struct Submitted {
  RequestId request;
  Labels labels;
  // First byte of the head; not later than now. Budgets count from here.
  TimePoint arrival;
};

// The caller has gone. A task that has already ended is ignored.
struct Cancelled {
  TaskId task;
};

// First byte of the replica's answer. From here on the body of the request is not needed again.
// May be left out when the whole answer came at once.
struct AnswerStarted {
  AttemptId attempt;
};

enum class AttemptResult : std::uint8_t {
  kAnswered,     // the model ran: 2xx
  kRejected,     // any other answer that is no fault of the replica: 3xx, 4xx. Teaches nothing
  kError,        // 5xx, passed through
  kBusy,         // 429 or 503, passed through
  kUnreachable,  // could not connect, or could not send
  kTimeout,      // no whole answer within the attempt's time limit
  kBadAnswer,    // not HTTP, or cut off in the middle
  kStopped,      // ended because the core asked (CancelAttempt), and the replica has stopped
};

// The attempt is over and its credit is free again. Unknown or ended attempts are ignored.
struct AttemptFinished {
  AttemptId attempt;
  AttemptResult result;
};

// The driver cannot learn the attempt's fate. The task fails; the credit comes back because
// nobody will report this attempt again.
struct AttemptLost {
  AttemptId attempt;
};

// What a health check or a probe found out about a node.
struct NodeReport {
  NodeId node;
  bool ready = false;
  // Time for a minimal request there and back, if it was measured. Negative: counted, ignored.
  std::optional<Duration> round_trip;
};

// What somebody else has measured of a node (R24). Shares in 0..1; absent: not measured, and what
// was known stays. A figure that is no share, or older than what is known, is counted and ignored;
// so is a report without any, or from the future.
struct NodeFiguresReport {
  NodeId node;
  std::optional<double> utilisation;  // of the device
  std::optional<double> memory;       // of the device, in use
  Duration age{0};                    // since it was measured; ≥ 0
};

// A change of the rules (R5). Answered in the same call by exactly one RuleAnswer. Tasks that are
// here keep what they were given.
struct RuleChange {
  enum class Kind : std::uint8_t { kAdd, kReplace, kRemove, kMove };
  Kind kind = Kind::kAdd;
  RuleScope as;                // who asks
  RuleId id;                   // of the rule that is changed; not for kAdd
  const Rule* rule = nullptr;  // for kAdd and kReplace: the driver's, read during the call
  std::uint32_t position = 0;  // for kAdd and kMove: within its scope; beyond the end is the end
};

// Time has passed: due by next_wakeup(), harmless at any other time.
struct Tick {};

using Event = std::variant<Submitted, Cancelled, AnswerStarted, AttemptFinished, AttemptLost,
                           NodeReport, NodeFiguresReport, RuleChange, Tick>;

}  // namespace sluice::core
