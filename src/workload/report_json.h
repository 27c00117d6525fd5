// A report as JSON: shares are 0..1, times in milliseconds, rates per second, null for what was
// not measured or is infinite.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "workload/report.h"

namespace sluice::workload {

nlohmann::ordered_json to_json(const Group& group);
nlohmann::ordered_json to_json(const Run& run);
nlohmann::ordered_json to_json(const Report& report);

}  // namespace sluice::workload
