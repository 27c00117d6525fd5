#include "workload/report_json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace sluice::workload {
namespace {

using Json = nlohmann::ordered_json;

Json number(std::optional<double> value) {
  return value ? Json(*value) : Json(nullptr);
}

// To the microsecond: more digits are noise.
Json milliseconds(Duration d) {
  return std::round(to_ms(d) * 1000) / 1000;
}

Json statistics(const Histogram& h) {
  if (h.count() == 0) {
    return {
        {"mean", nullptr}, {"p50", nullptr}, {"p95", nullptr}, {"p99", nullptr}, {"max", nullptr}};
  }
  return {{"mean", milliseconds(h.mean())},
          {"p50", milliseconds(h.quantile(0.50))},
          {"p95", milliseconds(h.quantile(0.95))},
          {"p99", milliseconds(h.quantile(0.99))},
          {"max", milliseconds(h.max())}};
}

// Also when empty an object, never null.
template <class Map, class Convert>
Json object(const Map& map, Convert convert) {
  Json json = Json::object();
  for (const auto& [name, value] : map) json[name] = convert(value);
  return json;
}

Json counts(const Counts& map) {
  return object(map, [](std::uint64_t n) { return Json(n); });
}

Json groups(const Groups& map) {
  return object(map, [](const Group& g) { return to_json(g); });
}

Json phase_json(const PhaseReport& phase) {
  Json json = to_json(phase.total);
  json["lanes"] = groups(phase.lanes);
  json["models"] = groups(phase.models);
  json["utilization_share"] = number(phase.utilization_share);
  return json;
}

Json replica_json(const ReplicaReport& replica) {
  return {{"utilization_share", number(replica.utilization_share)},
          {"attempts", replica.attempts},
          {"failures", replica.failures}};
}

// The share of the low lane that starved: there alone waiting long is allowed at all.
std::optional<double> starved_share(const Run& run) {
  const auto low = run.lanes.find("low");
  return low == run.lanes.end() ? std::nullopt : low->second.share(low->second.starved);
}

}  // namespace

Json to_json(const Group& group) {
  const auto hit = group.share(group.in_budget);
  return {{"offered", group.offered},
          {"answered", group.answered},
          {"in_budget", group.in_budget},
          {"hit_share", number(hit)},
          {"miss_share", number(hit ? std::optional(1 - *hit) : std::nullopt)},
          {"success_share", number(group.share(group.answered))},
          {"starved_share", number(group.share(group.starved))},
          {"latency_ms", statistics(group.latency)},
          {"wait_ms", statistics(group.wait)},
          {"refused", counts(group.refused)},
          {"failed", counts(group.failed)},
          {"outcomes", counts(group.outcomes)}};
}

Json to_json(const Run& run) {
  Json json = {{"policy", run.policy},
               {"seed", run.seed},
               {"duration_s", to_seconds(run.duration)},
               {"offered_rps", run.per_second(run.total.offered)},
               {"throughput_rps", run.per_second(run.total.answered)},
               {"peak_throughput_rps", run.peak_per_second(run.peak_in_budget)},
               {"peak_raw_rps", run.peak_per_second(run.peak_answered)},
               {"goodput_rps", run.per_second(run.total.in_budget)},
               {"success_share", number(run.total.share(run.total.answered))},
               {"utilization_share", number(run.utilization_share)},
               {"memory_share", number(run.memory_share)},
               {"starved_share", number(starved_share(run))},
               {"total", to_json(run.total)},
               {"lanes", groups(run.lanes)},
               {"tenants", groups(run.tenants)},
               {"models", groups(run.models)},
               {"phases", object(run.phases, phase_json)},
               {"replicas", object(run.replicas, replica_json)},
               {"measures", object(run.measures, number)},
               {"faults", counts(run.faults)},
               {"violations", run.violations}};
  if (run.generator_late) json["generator_late_ms"] = statistics(*run.generator_late);
  return json;
}

Json to_json(const Report& report) {
  Json runs = Json::array();
  for (const Run& run : report.runs) runs.push_back(to_json(run));
  return {{"kind", report.kind},
          {"version", report.version},
          {"scenario", report.scenario},
          {"runs", std::move(runs)}};
}

}  // namespace sluice::workload
