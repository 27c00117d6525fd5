// Whether to send anything at all to something that may be broken (R29).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/time.h"
#include "core/event.h"
#include "core/ids.h"
#include "core/placement/breaker_options.h"

namespace sluice::core {

// What an attempt says about the health of who served it.
enum class AttemptVerdict : std::uint8_t { kSuccess, kFailure, kNeutral };

// A caller's mistake (4xx) never is a fault of the replica, nor does it prove that the model runs.
// Busy (429, 503) is not broken: it is for admission and placement to react to.
AttemptVerdict verdict_of(AttemptResult result);

enum class BreakerState : std::uint8_t { kClosed, kOpen, kHalfOpen };

enum class BreakerCause : std::uint8_t {
  kConsecutiveFailures,
  kFailureShare,
  kLatency,
  kProbeFailed,      // half-open → open
  kTimeUp,           // open → half-open
  kProbesSucceeded,  // half-open → closed
};

inline constexpr std::array<std::string_view, 3> kBreakerStateNames{"closed", "open", "half-open"};
inline constexpr std::array<std::string_view, 6> kBreakerCauseNames{
    "consecutive_failures", "failure_share", "latency",
    "probe_failed",         "time_up",       "probes_succeeded"};
constexpr std::string_view to_string(BreakerState s) {
  return kBreakerStateNames[static_cast<int>(s)];
}
constexpr std::string_view to_string(BreakerCause c) {
  return kBreakerCauseNames[static_cast<int>(c)];
}

// A change of state with the figures that caused it, for the audit log (R30).
struct BreakerTransition {
  BreakerState from = BreakerState::kClosed;
  BreakerState to = BreakerState::kClosed;
  BreakerCause cause = BreakerCause::kTimeUp;
  std::uint32_t failures_in_a_row = 0;
  std::uint32_t slow_in_a_row = 0;
  double failure_share = 0;  // 0..1
  double volume = 0;         // recent verdicts
  Duration open_for{0};      // when it opens
};

// A replica's breaker has changed its state.
struct BreakerChange {
  NodeId node;
  ModelId model;
  BreakerTransition transition;
};

// Closed: everything passes and is judged. Open: nothing passes. Half-open: a few at a time do, and
// decide. All changes happen in begin() and record(); time alone changes what admits() says, never
// the state, so a breaker that nobody looks at costs nothing.
//
// An attempt belongs to the state in which it began: what was under way when the state changed
// says nothing any more, so stragglers of an outage neither prolong it nor fail the probes.
// Every begin() is followed by exactly one record() or forget() with its ticket. O(1), 56 bytes.
class Breaker {
 public:
  using Ticket = std::uint32_t;
  struct Begun {
    Ticket ticket;
    std::optional<BreakerTransition> transition;
  };

  // `options` must outlive it.
  explicit Breaker(const BreakerOptions& options) : options_(&options) {}

  // Whether one more attempt may begin.
  bool admits(TimePoint now) const;
  // An attempt leaves. Where admits() is false it counts as nothing: forced ones do not disturb.
  Begun begin(TimePoint now);
  // It has ended. slowness: time it took ÷ time predicted when it left; ≤ 1, or unknown, is normal.
  std::optional<BreakerTransition> record(Ticket ticket, AttemptVerdict verdict, TimePoint now,
                                          double slowness = 1);
  // It was cancelled, or its fate is unknown: its probe may be taken by another.
  void forget(Ticket ticket);

  // When admits() becomes true by itself; kNever when only an event can change it.
  TimePoint next_change() const { return state_ == BreakerState::kOpen ? changed_ : kNever; }
  BreakerState state() const { return state_; }

  // For snapshots (base/state.h).
  template <class Self, class Archive>
  static void visit_state(Self& self, Archive& archive) {
    auto& [options, changed, counted, volume, failures, failures_in_a_row, slow_in_a_row, epoch,
           probing, succeeded, openings, state] = self;
    archive(changed, counted, volume, failures, failures_in_a_row, slow_in_a_row, epoch, probing,
            succeeded, openings, state);
  }

 private:
  std::optional<BreakerTransition> record_closed(AttemptVerdict verdict, bool slow, TimePoint now);
  std::optional<BreakerTransition> record_probe(AttemptVerdict verdict, bool slow, TimePoint now);
  void count(bool failure, TimePoint now);
  std::optional<BreakerCause> fault() const;
  BreakerTransition move_to(BreakerState to, BreakerCause cause, TimePoint now);
  Duration open_next(TimePoint now);

  const BreakerOptions* options_;
  // Closed: since when. Open: until when.
  TimePoint changed_;
  TimePoint counted_;   // when volume_ and failures_ were last decayed
  float volume_ = 0;    // recent verdicts
  float failures_ = 0;  // of these
  std::uint32_t failures_in_a_row_ = 0;
  std::uint32_t slow_in_a_row_ = 0;
  Ticket epoch_ = 0;             // changes with the state
  std::uint16_t probing_ = 0;    // attempts under way, half-open
  std::uint16_t succeeded_ = 0;  // probes in a row
  std::uint8_t openings_ = 0;    // since it was last healthy
  BreakerState state_ = BreakerState::kClosed;
};

}  // namespace sluice::core
