// Which options a state belongs to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/options.h"

namespace sluice::core::state {

// FNV-1a, 64 bits: finds what was damaged by accident, not what somebody wants to hide.
std::uint64_t checksum(std::span<const std::byte> bytes);

// One number for all in the options that a state's tables are made from, or that its numbers stand
// for: names and order of models, nodes, tenants, task types and paths, what each node is and may
// run, capacities, the strategies of the policy. Not for figures (budgets, weights, thresholds),
// nor the seed.
std::uint64_t shape_of(const Options& options);

}  // namespace sluice::core::state
