// Whether a task can be finished in budget, asked on its arrival (R20).
#pragma once

#include <optional>

#include "base/time.h"
#include "core/placement/placement.h"

namespace sluice::core {

// What stands before a task that has just arrived.
struct WorkAhead {
  // Expected device time of the tasks that will be served before it.
  Duration work{0};
  // Slots that serve them, and the share of these that its lane gets, 0 < share ≤ 1.
  double slots = 1;
  double share = 1;
};

// Until the task would be dispatched.
Duration predicted_wait(const WorkAhead& ahead);

// Nothing: the task is admitted. Otherwise the time after which the same request is predicted to be
// admitted: at least > 0. `best` is the prediction of the best ready node. Nobody is refused by a
// prediction that is not trusted.
std::optional<Duration> refuse_late(const WorkAhead& ahead, const Prediction& best, TimePoint now,
                                    TimePoint deadline, const PredictorOptions& options);

}  // namespace sluice::core
