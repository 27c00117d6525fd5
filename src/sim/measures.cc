#include "sim/measures.h"

#include <algorithm>
#include <cmath>

namespace sluice::sim {
namespace {

constexpr Duration kHalfSecond = std::chrono::milliseconds(500);
constexpr std::uint32_t kFewestToJudge = 5;
constexpr std::string_view kInSla = "_in_sla";
constexpr std::string_view kSuccess = "_success";

Period window_of(const Scenario& scenario) {
  if (!scenario.window) return {.name = "window", .end = traffic_end(scenario)};
  return {.name = "window", .begin = (*scenario.window)[0], .end = (*scenario.window)[1]};
}

std::optional<double> share(std::uint64_t part, std::uint64_t of) {
  if (of == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(of);
}

}  // namespace

Measures::Measures(const Scenario& scenario)
    : scenario_(scenario),
      window_(window_of(scenario)),
      tenants_(scenario.tenants.size()),
      high_(static_cast<std::size_t>(window_.length() / kHalfSecond) + 1) {
  for (std::size_t i = 0; i < tenants_.size(); ++i) {
    const std::string& name = scenario.tenants[i].name;
    const bool is_asked_for = scenario.measures.count(name + std::string(kInSla)) > 0 ||
                              scenario.measures.count(name + std::string(kSuccess)) > 0;
    if (is_asked_for) tenants_[i] = std::make_unique<Cell>();
  }
}

void Measures::record(const Ended& ended) {
  const Duration at = ended.at.time_since_epoch();
  if (!window_.contains(at)) return;
  const auto lane = static_cast<std::size_t>(ended.lane);
  const LaneRules& rules = scenario_.lanes[lane];
  lanes_[lane].record(ended, rules);
  if (tenants_[ended.tenant]) tenants_[ended.tenant]->record(ended, rules);
  if (ended.lane != core::Lane::kHigh) return;
  HalfSecond& half = high_[static_cast<std::size_t>((at - window_.begin) / kHalfSecond)];
  ++half.arrived;
  if (ended.answered() && ended.latency <= rules.budget) ++half.in_time;
}

void Measures::fill(MeasureMap& measures) const {
  const auto asked = [&](const char* name) { return scenario_.measures.count(name) > 0; };
  if (asked("reaction_s")) measures["reaction_s"] = reaction_s();
  if (asked("high_p99") || scenario_.window) measures["high_p99_all_ms"] = high_p99_all_ms();
  fill_tenants(measures);
  if (scenario_.window) fill_lanes(measures);
}

// P95 is over the budget when fewer than 95 % are within it.
std::optional<double> Measures::reaction_s() const {
  for (std::size_t i = high_.size(); i-- > 0;) {
    const HalfSecond& half = high_[i];
    if (half.arrived < kFewestToJudge) continue;
    if (half.in_time < 0.95 * half.arrived) {
      return to_seconds(kHalfSecond) * static_cast<double>(i + 1);
    }
  }
  return 0;
}

std::optional<double> Measures::high_p99_all_ms() const {
  const Cell& high = lanes_[static_cast<std::size_t>(core::Lane::kHigh)];
  const double rank = std::ceil(0.99 * static_cast<double>(high.offered));
  const auto answered = static_cast<double>(high.answered());
  if (high.offered == 0 || rank > answered) return std::nullopt;
  return to_ms(high.latency.quantile(rank / answered));
}

void Measures::fill_tenants(MeasureMap& measures) const {
  for (std::size_t i = 0; i < tenants_.size(); ++i) {
    if (!tenants_[i]) continue;
    const Cell& of = *tenants_[i];
    const std::string& name = scenario_.tenants[i].name;
    measures[name + std::string(kInSla)] = share(of.in_budget, of.offered);
    measures[name + std::string(kSuccess)] = share(of.answered(), of.offered);
  }
}

void Measures::fill_lanes(MeasureMap& measures) const {
  for (std::size_t i = 0; i < core::kLanes; ++i) {
    const Cell& of = lanes_[i];
    const std::string name = "window_" + std::string(core::kLaneNames[i]);
    measures[name + "_success_share"] = share(of.answered(), of.offered);
    measures[name + "_in_budget_share"] = share(of.in_budget, of.offered);
    measures[name + "_p95_ms"] =
        of.answered() == 0 ? std::nullopt : std::optional(to_ms(of.latency.quantile(0.95)));
  }
}

}  // namespace sluice::sim
