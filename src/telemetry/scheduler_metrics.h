// What the scheduler looks like at the moment of a scrape.
#pragma once

#include "core/scheduler.h"
#include "telemetry/family.h"

namespace sluice::telemetry {

// Appends the families of kLaneWaiting .. kEventsIgnored. Called between two events, on the thread
// that runs the scheduler. O(lanes + nodes + models).
void collect_scheduler(const core::Scheduler& scheduler, Families& families);

}  // namespace sluice::telemetry
