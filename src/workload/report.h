// What a run amounts to: the figures that the load generator, the demo and the simulator report
// under the same names, so that one table and one check serve all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/histogram.h"
#include "base/time.h"
#include "workload/rate_curve.h"

namespace sluice::workload {

// One request that has ended. Outcome and reason are named as core::Outcome and core::Reason are.
struct Sample {
  std::string_view lane;
  std::string_view tenant;
  std::string_view model;
  std::string_view outcome;        // completed, refused, expired, cancelled, failed
  std::string_view reason;         // "none" for completed
  std::string_view replica;        // empty when it reached none, or none was named
  std::size_t phase = 0;           // in which it arrived
  Duration intended{};             // send time, since the start of the run
  Duration latency{};              // intended to ended
  std::optional<Duration> wait{};  // in the queue, where the answer tells
  Duration budget{};
  Duration starved_after{};

  bool answered() const { return outcome == "completed"; }
  bool in_budget() const { return answered() && latency <= budget; }
  // Waited too long, or was never served.
  bool starved() const { return !answered() || (wait && *wait > starved_after); }
};

using Counts = std::map<std::string, std::uint64_t, std::less<>>;

// GROUP of the report format: what became of the requests that have something in common.
struct Group {
  std::uint64_t offered = 0;
  std::uint64_t answered = 0;   // without error, before the caller gave up
  std::uint64_t in_budget = 0;  // of these, within budget
  std::uint64_t starved = 0;
  Histogram latency;  // of the answered
  Histogram wait;     // of those whose wait is known
  Counts refused;     // by reason
  Counts failed;      // by reason
  Counts outcomes;

  void record(const Sample& sample);

  // nullopt when nothing was offered: a share of nothing is no number.
  std::optional<double> share(std::uint64_t part) const;
};

using Groups = std::map<std::string, Group, std::less<>>;

struct PhaseReport {
  Group total;
  Groups lanes;
  Groups models;
  std::optional<double> utilization_share;
};

struct ReplicaReport {
  std::uint64_t attempts = 0;
  std::uint64_t failures = 0;
  std::optional<double> utilization_share;  // only who runs the replica knows
};

// One run of a scenario. Absent figures are null in JSON: not measured, or infinite.
struct Run {
  std::string policy;
  std::uint64_t seed = 0;
  Duration duration{};  // of the phases; answers may come later
  Group total;
  Groups lanes;
  Groups tenants;
  Groups models;
  std::map<std::string, PhaseReport, std::less<>> phases;
  std::map<std::string, ReplicaReport, std::less<>> replicas;
  // Answers that came while the peak phase lasted, and those of them in budget.
  Duration peak_duration{};
  std::uint64_t peak_answered = 0;
  std::uint64_t peak_in_budget = 0;
  std::optional<double> utilization_share;
  std::optional<double> memory_share;
  Counts faults;
  std::uint64_t violations = 0;
  // Figures that only some scenarios ask for, by name.
  std::map<std::string, std::optional<double>, std::less<>> measures;
  // How late requests left the generator, which it counts as latency all the same.
  std::optional<Histogram> generator_late;

  double per_second(std::uint64_t count) const;
  double peak_per_second(std::uint64_t count) const;
};

struct Report {
  std::string kind;  // load, demo, sim, replay
  std::string version;
  std::string scenario;
  std::vector<Run> runs;
};

// Adds up the samples of one run. O(log names) a sample; memory grows with the number of names
// (lanes, tenants, models, phases, replicas), not with that of samples.
class RunRecorder {
 public:
  RunRecorder(std::string policy, std::uint64_t seed, const RateCurve& curve);

  // Each offered request once, when it has ended.
  void record(const Sample& sample);

  Run& run() { return run_; }
  const Run& run() const { return run_; }

 private:
  void record_peak(const Sample& sample);
  void record_replica(const Sample& sample);

  Run run_;
  std::vector<PhaseReport*> phases_;  // by index; they live in run_
  Duration peak_begin_{};
  Duration peak_end_{};
};

}  // namespace sluice::workload
