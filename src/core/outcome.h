// How a task ends. One terminal outcome a task: it is the metric label, the log line and what the
// caller is told.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace sluice::core {

enum class Outcome : std::uint8_t {
  kCompleted,  // a replica answered, and not with a fault of its own
  kRefused,    // never queued: see the reason
  kExpired,    // left the queue because its deadline or its lane's maximum age passed
  kCancelled,  // the caller went away
  kFailed,     // the attempt failed
};

inline constexpr int kOutcomes = 5;
inline constexpr std::array<std::string_view, kOutcomes> kOutcomeNames{
    "completed", "refused", "expired", "cancelled", "failed"};
constexpr std::string_view to_string(Outcome o) {
  return kOutcomeNames[static_cast<int>(o)];
}

// Why. Stable strings: callers and dashboards match on them.
enum class Reason : std::uint8_t {
  kNone,                 // completed
  kQueueFull,            // refused: the lane has no room for one more task or its bytes
  kWouldMissDeadline,    // refused: no candidate is predicted to finish within budget (R20)
  kWouldQueue,           // refused: asked to run now or not at all, and no credit is free
  kNoReplica,            // refused: every candidate is down
  kNotAccepted,          // refused: no replica of the model takes its priority (R26)
  kRateLimited,          // refused: over the tenant's rate
  kTenantQueueFull,      // refused: the tenant has as much waiting in the lane as it may
  kTenantSuspended,      // refused: the tenant has misused replicas, and is kept out for a while
  kRuleRefused,          // refused: a rule says so
  kRuleRateLimited,      // refused: over the rate of a rule
  kDeadlinePassed,       // expired
  kDeadlineUnreachable,  // expired early: no candidate can finish it in time any more (R17)
  kShed,                 // expired early: its lane was full, and it had the least slack (R10)
  kQueueTimeout,         // expired: the lane's maximum age
  kLoadFailed,           // expired: its model could not be loaded, and is not tried again in time
  kCallerGone,           // cancelled
  kReplicaError,         // failed: the replica answered 5xx
  kReplicaBusy,          // failed: the replica answered 429 or 503; it is not broken
  kReplicaUnreachable,   // failed: no connection
  kReplicaTimeout,       // failed: no answer in time
  kBadAnswer,            // failed: what came was not an answer
  kAttemptLost,          // failed: nobody can say what became of the attempt
};

inline constexpr int kReasons = 23;
inline constexpr std::array<std::string_view, kReasons> kReasonNames{"none",
                                                                     "queue_full",
                                                                     "would_miss_deadline",
                                                                     "would_queue",
                                                                     "no_replica",
                                                                     "not_accepted",
                                                                     "rate_limited",
                                                                     "tenant_queue_full",
                                                                     "tenant_suspended",
                                                                     "rule_refused",
                                                                     "rule_rate_limited",
                                                                     "deadline_passed",
                                                                     "deadline_unreachable",
                                                                     "shed",
                                                                     "queue_timeout",
                                                                     "load_failed",
                                                                     "caller_gone",
                                                                     "replica_error",
                                                                     "replica_busy",
                                                                     "replica_unreachable",
                                                                     "replica_timeout",
                                                                     "bad_answer",
                                                                     "attempt_lost"};
constexpr std::string_view to_string(Reason r) {
  return kReasonNames[static_cast<int>(r)];
}

}  // namespace sluice::core
