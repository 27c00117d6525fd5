// The core's books against those of the world.
#pragma once

#include <string_view>

#include "core/counters.h"
#include "sim/observer.h"

namespace sluice::sim {

// The first thing in which they differ, in words; empty when they agree. O(1).
std::string_view difference_between(const core::Counters& counters, const Ledger& ledger);

}  // namespace sluice::sim
