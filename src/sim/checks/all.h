// The promises that are checked, one a file: each says there what is promised and by whom.
#pragma once

#include <memory>

#include "sim/checks/check.h"
#include "sim/scenario.h"

namespace sluice::sim {

// The core's books against those of the world; every request whose caller's patience is over has
// ended.
std::unique_ptr<Check> conservation_check(const Scenario& scenario);
// A request is answered at once, runs only while it waits, ends once.
std::unique_ptr<Check> one_outcome_check();
// No dispatch to a node that is not ready or out of credits; credits in use are open attempts.
std::unique_ptr<Check> credits_check();
// Time does not go back, spans add up, and no wake-up is for nothing.
std::unique_ptr<Check> clock_check();
// Within a flow nothing is passed by what ranks behind it.
std::unique_ptr<Check> order_check();
// Backlogged tenants get device time by weight.
std::unique_ptr<Check> fairness_check();
// Nothing waits beyond its deadline or its lane's maximum age.
std::unique_ptr<Check> age_check();
// A lane whose oldest task waits too long gets a boost.
std::unique_ptr<Check> boost_check();
// Only what may be taken off a slot is.
std::unique_ptr<Check> preemption_check();
// An outcome's reason, figures and times fit together.
std::unique_ptr<Check> outcome_check();
// No table grows beyond what the options allow.
std::unique_ptr<Check> tables_check();
// Every change of the control loop is within bounds, follows the one before, and names figures that
// explain it.
std::unique_ptr<Check> records_check();
// Why a task is let in, refused, placed or given up is told before it happens.
std::unique_ptr<Check> decisions_check();
// Breakers change as they may, and nothing passes an open one.
std::unique_ptr<Check> breakers_check();
// Only what may run twice is tried again, within the retry budget.
std::unique_ptr<Check> retries_check();
// Tenants have no more than their limits.
std::unique_ptr<Check> limits_check();
// Senseless events are counted, each as often as it is senseless.
std::unique_ptr<Check> bad_input_check();
// Models are only asked of nodes that have loaded them, and nodes hold no more than they can.
std::unique_ptr<Check> residency_check();
// What tenants are metered for is what they had.
std::unique_ptr<Check> metering_check();

}  // namespace sluice::sim
