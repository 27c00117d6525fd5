#include "workload/report.h"

#include <utility>

namespace sluice::workload {
namespace {

// operator[] without a temporary string when the name is there already, as it nearly always is.
template <class Map>
typename Map::mapped_type& named(Map& map, std::string_view name) {
  const auto at = map.find(name);
  return at != map.end() ? at->second
                         : map.emplace(name, typename Map::mapped_type{}).first->second;
}

double rate(std::uint64_t count, Duration over) {
  return over > Duration::zero() ? static_cast<double>(count) / to_seconds(over) : 0;
}

}  // namespace

void Group::record(const Sample& sample) {
  ++offered;
  ++named(outcomes, sample.outcome);
  if (sample.answered()) {
    ++answered;
    latency.record(sample.latency);
  }
  if (sample.in_budget()) ++in_budget;
  if (sample.starved()) ++starved;
  if (sample.wait) wait.record(*sample.wait);
  if (sample.outcome == "refused") ++named(refused, sample.reason);
  if (sample.outcome == "failed") ++named(failed, sample.reason);
}

std::optional<double> Group::share(std::uint64_t part) const {
  if (offered == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(offered);
}

double Run::per_second(std::uint64_t count) const {
  return rate(count, duration);
}

double Run::peak_per_second(std::uint64_t count) const {
  return rate(count, peak_duration);
}

RunRecorder::RunRecorder(std::string policy, std::uint64_t seed, const RateCurve& curve) {
  run_.policy = std::move(policy);
  run_.seed = seed;
  run_.duration = curve.duration();
  for (const Phase& phase : curve.phases()) phases_.push_back(&named(run_.phases, phase.name));
  const std::size_t peak = curve.peak_phase();
  peak_begin_ = curve.phase_begin(peak);
  peak_end_ = curve.phase_end(peak);
  run_.peak_duration = peak_end_ - peak_begin_;
}

void RunRecorder::record(const Sample& sample) {
  run_.total.record(sample);
  named(run_.lanes, sample.lane).record(sample);
  named(run_.tenants, sample.tenant).record(sample);
  named(run_.models, sample.model).record(sample);
  PhaseReport& phase = *phases_.at(sample.phase);
  phase.total.record(sample);
  named(phase.lanes, sample.lane).record(sample);
  named(phase.models, sample.model).record(sample);
  record_peak(sample);
  record_replica(sample);
}

void RunRecorder::record_peak(const Sample& sample) {
  const Duration ended = sample.intended + sample.latency;
  if (!sample.answered() || ended < peak_begin_ || ended >= peak_end_) return;
  ++run_.peak_answered;
  if (sample.in_budget()) ++run_.peak_in_budget;
}

void RunRecorder::record_replica(const Sample& sample) {
  if (sample.replica.empty()) return;
  ReplicaReport& replica = named(run_.replicas, sample.replica);
  ++replica.attempts;
  if (sample.outcome == "failed") ++replica.failures;
}

}  // namespace sluice::workload
