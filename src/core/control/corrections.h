// Priority corrections from what becomes of each kind of task (R7, R8, R9).
//
// A correction is an offset of −2..+2 steps of priority, by kind (task type); negative is more
// urgent. It is applied when the heads of queues are compared, never to tasks in a queue, so a
// change costs nothing per task.
//
// Why it cannot oscillate
//   - Bounded integrator: one step at a time, |offset| ≤ 2, nothing accumulates beyond.
//   - Dead band: a cause acts from `enter` and holds down to `leave` < enter; between the two
//     nothing moves, so noise smaller than the band moves nothing.
//   - Dwell ≥ memory of the figures, in time and in tasks: after a change, the kind's shares have
//     been replaced by newer tasks (`dwell_tasks` = 2 ÷ KindHistory::kAlpha: 13 % of the old is
//     left) before they can move it again.
//   - Returns back off (control/return_gate.h): a correction that removes its own cause is tried
//     back after 1, 2, 4 … 64 dwells. An excursion is at most `most_steps` steps out and as many
//     back, so whatever the plant does, delay and gain included, it comes down to 2 × `most_steps`
//     changes in a longest hold: 8 a minute.
//   - The causes act in a fixed order, and a step in the other direction is a return like any
//     other, so two causes that pull apart back off too.
//   - System load and failures do not depend on the order of queues: for these there is no loop.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/state.h"
#include "base/time.h"
#include "core/classify/live_figures.h"
#include "core/control/return_gate.h"
#include "core/ids.h"

namespace sluice::core {

enum class CorrectionCause : std::uint8_t {
  kNone,
  kFailures,  // error share: the kind burns device time for nothing, so it falls
  kLoad,      // system load, for kinds of realtime level high: they rise
  kLatency,   // P95 ÷ budget: rises
  kDrops,     // share refused or expired: rises
  kIdle,      // only to go back: the kind has no traffic, so its figures say nothing any more
};
inline constexpr std::array<std::string_view, 6> kCorrectionCauseNames{
    "none", "failures", "load", "latency", "drops", "idle"};
constexpr std::string_view to_string(CorrectionCause c) {
  return kCorrectionCauseNames[static_cast<std::size_t>(c)];
}

// A figure acts from `enter` up and holds what it did down to `leave`; leave < enter.
struct Band {
  double enter;
  double leave;
};

struct CorrectionOptions {
  Band failures{.enter = 0.25, .leave = 0.1};
  Band load{.enter = 1.1, .leave = 0.9};     // of SystemFigures::load()
  Band latency{.enter = 1.3, .leave = 1.0};  // P95 ÷ mean budget
  Band drops{.enter = 0.05, .leave = 0.02};
  // Largest offset either way; at most 2.
  int most_steps = 2;
  // Tasks of the kind that must have ended since the last change before its own figures count, or
  // `gate.calm` must have passed. A kind never changed: since it was first seen.
  std::uint32_t dwell_tasks = 100;
  // A kind with fewer arrivals than this is idle: its last figures are old news.
  double idle_below_per_s = 0.01;
  GateOptions gate;
};

// The record of a change (R9). Made again from the same figures, it comes out the same.
struct CorrectionChange {
  TaskTypeId kind;
  int from = 0;
  int to = 0;
  // Outward: what raised or lowered it. Back: what did, and is gone now; or kIdle.
  CorrectionCause cause = CorrectionCause::kNone;
  double figure = 0;
  double threshold = 0;  // that the figure is past: `enter` outward, `leave` back
  TimePoint at;
};

// The corrections of all kinds. 48 bytes a kind; nothing to do for kinds that are settled.
class Corrections {
 public:
  Corrections(const CorrectionOptions& options, std::size_t kinds);

  // The present offset, −2..+2; negative is more urgent. 0 for a kind never stepped.
  int offset(TaskTypeId kind) const { return states_[kind.value].offset; }

  // Looks at one kind, once a period of the control loop while it has traffic and until it is
  // settled. At most one step. O(1). Figures that are NaN cause nothing.
  std::optional<CorrectionChange> step(TaskTypeId kind, const KindFigures& figures,
                                       double system_load, TimePoint now);

  // Nothing will move while the kind has no traffic: need not be stepped until it has some.
  bool settled(TaskTypeId kind) const { return offset(kind) == 0; }

  // For snapshots (base/state.h).
  template <class Self, class Archive>
  static void visit_state(Self& self, Archive& archive) {
    auto& [options, states] = self;
    archive(states);
  }

 private:
  struct State {
    std::uint64_t ended_at_change = 0;
    ReturnGate gate;
    std::int8_t offset = 0;
    CorrectionCause cause = CorrectionCause::kNone;  // of the last step outward

    SLUICE_STATE(ended_at_change, gate, offset, cause);
  };
  struct Reading {
    CorrectionCause cause = CorrectionCause::kNone;
    int direction = 0;
    double figure = 0;
    Band band{};
  };

  std::array<Reading, 4> read(const State& state, const KindFigures& figures, double load,
                              TimePoint now) const;
  CorrectionChange move(TaskTypeId kind, int to, const Reading& why, double threshold,
                        std::uint64_t ended, TimePoint now);
  std::optional<CorrectionChange> push(TaskTypeId kind, const Reading& why, std::uint64_t ended,
                                       TimePoint now);
  std::optional<CorrectionChange> release(TaskTypeId kind, const Reading& why, std::uint64_t ended,
                                          TimePoint now);

  CorrectionOptions options_;
  std::vector<State> states_;  // by kind
};

}  // namespace sluice::core
