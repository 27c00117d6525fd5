// The version of this binary: in build information, in reports, in --version.
#pragma once

#include <string_view>

namespace sluice::telemetry {

// "MAJOR.MINOR.PATCH", as the build declares it.
std::string_view version();

}  // namespace sluice::telemetry
