#include "telemetry/model_metrics.h"

#include <utility>

namespace sluice::telemetry {

void ModelMetrics::on_change(const core::ResidencyChange& change) {
  ++counts_[{change.model, change.to, change.cause}];
}

void ModelMetrics::collect(const core::Options& options, Families& families) const {
  auto changes = family_of(kModelChanges);
  for (const auto& [series, count] : counts_) {
    add_value(
        changes, kModelChanges,
        {options.models[series.model.value].name, to_string(series.to), to_string(series.cause)},
        static_cast<double>(count));
  }
  families.push_back(std::move(changes));
}

}  // namespace sluice::telemetry
