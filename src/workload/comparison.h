// Policies side by side, for a person: a row a figure, a column a policy.
#pragma once

#include <string>

#include "workload/report.h"

namespace sluice::workload {

// First the six figures of the reference experiment (R47), then what explains them, then a block a
// lane, a block for tenants where there are several, and the measures of the scenario. Policies in
// the order in which they first come; runs of one policy (seeds) become mean ± standard deviation.
// With several policies the last column is the relative improvement of the last over the first:
// positive is better, whichever way the figure goes. "-" is not measured, or infinite.
std::string to_comparison(const Report& report);

}  // namespace sluice::workload
