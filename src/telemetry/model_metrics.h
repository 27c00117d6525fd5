// What is counted when a model comes into the memory of a node, or leaves it.
#pragma once

#include <cstdint>
#include <map>
#include <variant>

#include "core/action.h"
#include "core/options.h"
#include "telemetry/family.h"

namespace sluice::telemetry {

// Series appear with their first change: models × states × causes would be too many to list before.
// Such changes are few, so that looking them up does not matter.
class ModelMetrics {
 public:
  // Once for every Adjusted. O(log changes seen).
  void on_adjusted(const core::Adjusted& adjusted) {
    if (const auto* change = std::get_if<core::ResidencyChange>(&adjusted.change)) {
      on_change(*change);
    }
  }
  void on_change(const core::ResidencyChange& change);

  // Appends the family of kModelChanges. Names come from the options the scheduler runs with.
  void collect(const core::Options& options, Families& families) const;

 private:
  struct Series {
    core::ModelId model;
    core::ResidencyState to;
    core::ResidencyCause cause;
    auto operator<=>(const Series&) const = default;
  };

  std::map<Series, std::uint64_t> counts_;
};

}  // namespace sluice::telemetry
