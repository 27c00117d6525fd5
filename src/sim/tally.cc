#include "sim/tally.h"

#include <string>
#include <string_view>

namespace sluice::sim {
namespace {

constexpr std::string_view kUnanswered = "unanswered";

bool waited_longer(const Ended& ended, Duration limit) {
  return ended.waited.value_or(ended.latency) > limit;
}

template <std::size_t n>
void add_reasons(const std::array<std::uint64_t, n>& from, workload::Counts& to) {
  for (std::size_t i = 0; i < n; ++i) {
    if (from[i] == 0) continue;
    to[std::string(i < core::kReasons ? core::kReasonNames[i] : kUnanswered)] += from[i];
  }
}

}  // namespace

void Cell::record(const Ended& ended, const LaneRules& rules) {
  ++offered;
  ++outcomes[static_cast<std::size_t>(ended.outcome)];
  const std::size_t reason =
      ended.reason ? static_cast<std::size_t>(*ended.reason) : core::kReasons;
  if (ended.outcome == core::Outcome::kRefused) {
    ++refused[reason];
  } else {
    wait.record(ended.waited.value_or(ended.latency));
  }
  if (ended.outcome == core::Outcome::kFailed) ++failed[reason];
  if (ended.answered()) {
    latency.record(ended.latency);
    if (ended.latency <= rules.budget) ++in_budget;
  }
  if (rules.starved_after && (!ended.waited || *ended.waited > *rules.starved_after)) ++starved;
}

void Cell::add_to(workload::Group& group) const {
  group.offered += offered;
  group.answered += answered();
  group.in_budget += in_budget;
  group.starved += starved;
  group.latency.merge(latency);
  group.wait.merge(wait);
  add_reasons(refused, group.refused);
  add_reasons(failed, group.failed);
  for (std::size_t i = 0; i < core::kOutcomes; ++i) {
    if (outcomes[i] > 0) group.outcomes[std::string(core::kOutcomeNames[i])] += outcomes[i];
  }
}

Tally::Tally(const Scenario& scenario)
    : scenario_(scenario),
      phases_(phases_of(scenario)),
      peak_(peak_of(scenario)),
      cells_(phases_.size() * core::kLanes * scenario.models.size()),
      tenants_(scenario.tenants.size()) {}

Cell& Tally::in(std::vector<std::unique_ptr<Cell>>& cells, std::size_t at) {
  if (!cells[at]) cells[at] = std::make_unique<Cell>();
  return *cells[at];
}

void Tally::record(const Ended& ended) {
  const auto lane = static_cast<std::size_t>(ended.lane);
  const LaneRules& rules = scenario_.lanes[lane];
  const std::size_t row = ended.phase * core::kLanes + lane;
  in(cells_, row * scenario_.models.size() + ended.model).record(ended, rules);
  in(tenants_, ended.tenant).record(ended, rules);
  ++offered_;
  if (rules.starved_after) {
    ++starvable_;
    if (waited_longer(ended, *rules.starved_after)) ++waited_too_long_;
  }
  record_peak(ended, rules);
}

void Tally::record_peak(const Ended& ended, const LaneRules& rules) {
  const Duration answered_at = ended.at.time_since_epoch() + ended.latency;
  if (!ended.answered() || !peak_.contains(answered_at)) return;
  ++peak_answered_;
  if (ended.latency <= rules.budget) ++peak_in_budget_;
}

void Tally::fill(workload::Run& run) const {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    // Phases appear even where nothing arrived.
    const std::size_t row = i / scenario_.models.size();
    workload::PhaseReport& phase = run.phases[phases_[row / core::kLanes].name];
    if (!cells_[i]) continue;
    const std::string lane(core::kLaneNames[row % core::kLanes]);
    const std::string& model = scenario_.models[i % scenario_.models.size()].name;
    for (workload::Group* group : {&run.total, &run.lanes[lane], &run.models[model], &phase.total,
                                   &phase.lanes[lane], &phase.models[model]}) {
      cells_[i]->add_to(*group);
    }
  }
  for (std::size_t i = 0; i < tenants_.size(); ++i) {
    if (tenants_[i]) tenants_[i]->add_to(run.tenants[scenario_.tenants[i].name]);
  }
  run.peak_duration = peak_.length();
  run.peak_answered = peak_answered_;
  run.peak_in_budget = peak_in_budget_;
}

}  // namespace sluice::sim
