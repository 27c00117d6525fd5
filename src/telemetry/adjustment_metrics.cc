#include "telemetry/adjustment_metrics.h"

#include <utility>
#include <variant>

namespace sluice::telemetry {

AdjustmentMetrics::AdjustmentMetrics(const core::Options& options)
    : options_(options),
      breakers_(options.nodes.size()),
      switches_(options.paths.empty() ? 0 : options.models.size()) {}

void AdjustmentMetrics::on_adjusted(const core::Adjusted& adjusted) {
  if (const auto* breaker = std::get_if<core::BreakerChange>(&adjusted.change)) {
    ++breakers_[breaker->node.value][static_cast<std::size_t>(breaker->transition.to)];
  } else if (const auto* path = std::get_if<core::PathChange>(&adjusted.change)) {
    ++switches_[path->model.value][static_cast<std::size_t>(path->change.cause)];
  }
}

void AdjustmentMetrics::collect(Families& families) const {
  auto breakers = family_of(kBreakerChanges);
  for (std::size_t n = 0; n < breakers_.size(); ++n) {
    for (std::size_t to = 0; to < breakers_[n].size(); ++to) {
      add_value(breakers, kBreakerChanges, {options_.nodes[n].name, core::kBreakerStateNames[to]},
                static_cast<double>(breakers_[n][to]));
    }
  }
  families.push_back(std::move(breakers));
  auto switches = family_of(kPathSwitches);
  for (std::size_t m = 0; m < switches_.size(); ++m) {
    for (std::size_t cause = 0; cause < switches_[m].size(); ++cause) {
      add_value(switches, kPathSwitches, {options_.models[m].name, core::kPathCauseNames[cause]},
                static_cast<double>(switches_[m][cause]));
    }
  }
  families.push_back(std::move(switches));
}

}  // namespace sluice::telemetry
