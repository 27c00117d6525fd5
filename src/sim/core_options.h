// The scheduler's options for a scenario: what an operator would have configured.
#pragma once

#include "core/options.h"
#include "sim/policy_spec.h"
#include "sim/scenario.h"

namespace sluice::sim {

// Names, slots, which model is where, weight classes, tiers, the lanes' budgets. Not the service
// times: those a policy has to find out.
core::Options core_options(const Scenario& scenario, const PolicySpec& policy, std::uint64_t seed);

// Whether the scheduler would look at what nodes say of themselves.
bool uses_figures(const core::Options& options);

// Of one request.
core::Labels labels_of(const Scenario& scenario, std::size_t model, std::size_t tenant,
                       core::Priority priority);

// Most attempts, and most accepted requests, at one time.
std::uint32_t most_attempts(const core::Options& options);
std::uint32_t most_requests(const core::Options& options);

}  // namespace sluice::sim
