// docs/metrics.md, made from the definitions.
#pragma once

#include <string>

namespace sluice::telemetry {

// The whole file. A unit test holds the committed one equal to it.
std::string metrics_document();

}  // namespace sluice::telemetry
