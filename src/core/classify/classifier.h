// Labels → what the scheduler needs to know of a task (R1, R2, R3).
#pragma once

#include "base/time.h"
#include "core/labels.h"
#include "core/options.h"

namespace sluice::core {

// What a request was found to be.
struct Classification {
  TaskTypeId task_type;
  Priority priority = 9;
  Lane lane = Lane::kLow;
  Duration budget{0};
  // Service time to assume while there are no measurements.
  Duration prior_service{0};
};

// Fills in what the labels leave out and looks the priority up. Pure, O(1). The labels' ids must be
// those of `options`.
//   priority: request (clamped to the tenant's best) > table
//   budget:   request > model > realtime level > lane
Classification classify(const Labels& labels, const Options& options);

}  // namespace sluice::core
