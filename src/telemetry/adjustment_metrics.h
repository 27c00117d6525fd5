// What is counted when something is decided about more than one task (R30).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/action.h"
#include "core/options.h"
#include "telemetry/family.h"

namespace sluice::telemetry {

// Of the decisions that an operator wants to be woken by: breakers and paths. All of them are in
// the log, in words (adjustment_text.h).
class AdjustmentMetrics {
 public:
  // `options` must outlive this.
  explicit AdjustmentMetrics(const core::Options& options);

  // Once for every Adjusted. O(1), allocates nothing.
  void on_adjusted(const core::Adjusted& adjusted);

  // Appends the families of kBreakerChanges and kPathSwitches. A series that can occur is there
  // from the start, with 0.
  void collect(Families& families) const;

 private:
  const core::Options& options_;
  std::vector<std::array<std::uint64_t, core::kBreakerStateNames.size()>> breakers_;  // by node
  std::vector<std::array<std::uint64_t, core::kPathCauseNames.size()>> switches_;     // by model
};

}  // namespace sluice::telemetry
