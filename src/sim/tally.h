// What became of the requests of a run, added up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/histogram.h"
#include "core/labels.h"
#include "core/outcome.h"
#include "sim/periods.h"
#include "sim/scenario.h"
#include "workload/report.h"

namespace sluice::sim {

// A request that has ended, as definitions of the stage see it.
struct Ended {
  TimePoint at;                    // arrived at the gateway
  Duration latency{0};             // until it ended
  std::optional<Duration> waited;  // until it first began to run; none: it never did
  core::Outcome outcome = core::Outcome::kCompleted;
  // None: the run was over before anybody knew.
  std::optional<core::Reason> reason;
  core::Lane lane = core::Lane::kLow;
  std::size_t model = 0;
  std::size_t tenant = 0;
  std::size_t phase = 0;     // in phases_of()
  std::uint64_t number = 0;  // of the run's requests, by arrival
  core::Priority level = 9;
  std::optional<std::uint32_t> node;  // of the last attempt

  bool answered() const { return outcome == core::Outcome::kCompleted; }
};

// Requests that have something in common. 23 kB: two histograms.
struct Cell {
  std::uint64_t offered = 0;
  std::uint64_t in_budget = 0;
  std::uint64_t starved = 0;
  std::array<std::uint64_t, core::kOutcomes> outcomes{};
  // By reason; the last is for those that were never answered.
  std::array<std::uint64_t, core::kReasons + 1> refused{};
  std::array<std::uint64_t, core::kReasons + 1> failed{};
  Histogram latency;
  Histogram wait;

  std::uint64_t answered() const { return outcomes[0]; }
  void record(const Ended& ended, const LaneRules& rules);
  void add_to(workload::Group& group) const;
};

// Each request goes into a few cells found by index; the groups of the report, which have names and
// overlap, are put together from them once, at the end.
class Tally {
 public:
  // The scenario must outlive this.
  explicit Tally(const Scenario& scenario);

  void record(const Ended& ended);
  // Groups, phases and the figures of the peak.
  void fill(workload::Run& run) const;

  std::uint64_t offered() const { return offered_; }
  // Of the low lane: waited longer than its threshold, whether served in the end or not. Without
  // those that were turned away at once, which Cell::starved counts, too.
  std::uint64_t waited_too_long() const { return waited_too_long_; }
  std::uint64_t starvable() const { return starvable_; }

 private:
  // Made when it is first needed.
  static Cell& in(std::vector<std::unique_ptr<Cell>>& cells, std::size_t at);
  void record_peak(const Ended& ended, const LaneRules& rules);

  const Scenario& scenario_;
  std::vector<Period> phases_;
  Period peak_;
  std::vector<std::unique_ptr<Cell>> cells_;    // (phase × lanes + lane) × models + model
  std::vector<std::unique_ptr<Cell>> tenants_;  // by tenant
  std::uint64_t offered_ = 0;
  std::uint64_t peak_answered_ = 0;
  std::uint64_t peak_in_budget_ = 0;
  std::uint64_t waited_too_long_ = 0;
  std::uint64_t starvable_ = 0;
};

}  // namespace sluice::sim
