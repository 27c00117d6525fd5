// What became of the tasks of a kind (a task type): the history that R1 and R4 look back on, and
// that rules and the control loop judge the kind by.
#pragma once

#include <cstdint>

#include "base/state.h"
#include "base/time.h"
#include "core/classify/live_figures.h"
#include "core/smoothing.h"

namespace sluice::core {

// Exponentially weighted, so it forgets: shares and means remember the last hundred or so tasks,
// the rate the last two seconds. Every function is O(1); 96 bytes; a kind that is idle costs
// nothing.
class KindHistory {
 public:
  // A share's weight of the newest task: 1 ÷ kAlpha tasks are its memory.
  static constexpr double kAlpha = 0.02;
  static constexpr Duration kRateMemory = std::chrono::seconds(2);

  // A task of the kind was classified; `budget` > 0.
  void arrived(Duration budget, TimePoint now);
  // The task was answered, this long after its arrival; late if that is longer than `budget`.
  void answered(Duration latency, Duration budget);
  // The task was refused or expired: it got nothing.
  void dropped();
  // The task was tried, and a fault (not its caller's, see R28) left it without an answer.
  void failed();

  // Share of recent tasks that were dropped, 0..1.
  double drop_share() const { return drop_share_; }
  double error_share() const { return error_share_; }
  // Share that was not answered within budget, for whatever reason.
  double miss_share() const { return miss_share_; }
  double rate_per_s(TimePoint now) const { return rate_.per_s(now, kRateMemory); }
  Duration mean_budget() const { return to_duration(mean_budget_ns_); }
  Duration mean() const { return to_duration(mean_ns_); }
  // Running estimates: right in the long run, within about a tenth on steady traffic.
  Duration p50() const { return to_duration(p50_ns_); }
  Duration p95() const { return to_duration(p95_ns_); }
  std::uint64_t answered_count() const { return answered_; }

  // All of it as rules and the controller see it. `realtime` is the kind's, from the catalogue.
  KindFigures figures(Realtime realtime, TimePoint now) const;

  SLUICE_STATE(drop_share, error_share, miss_share, mean_ns, p50_ns, p95_ns, spread_ns,
               mean_budget_ns, rate, answered, ended);

 private:
  static Duration to_duration(double ns) { return Duration(static_cast<std::int64_t>(ns)); }
  void ended(bool dropped, bool failed, bool missed);

  double drop_share_ = 0;
  double error_share_ = 0;
  double miss_share_ = 0;
  double mean_ns_ = 0;
  double p50_ns_ = 0;
  double p95_ns_ = 0;
  double spread_ns_ = 0;
  double mean_budget_ns_ = 0;
  EventRate rate_;
  std::uint64_t answered_ = 0;
  std::uint64_t ended_ = 0;
};
static_assert(sizeof(KindHistory) <= 128, "two cache lines a kind");

}  // namespace sluice::core
