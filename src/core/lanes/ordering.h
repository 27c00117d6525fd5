// The rank of a task within its flow, fixed when it enters.
#pragma once

#include <cstdint>

#include "core/options.h"
#include "core/task.h"

namespace sluice::core {

// Smaller is served first, whatever the ordering. Ageing is linear in all of them, so it needs no
// update: every waiting task ages at the same rate and the rank between two of them stays.
// `drop_share` is that of the task's kind, 0..1.
std::int64_t order_key(Ordering ordering, const Task& task, double drop_share,
                       const ScoreWeights& weights);

}  // namespace sluice::core
