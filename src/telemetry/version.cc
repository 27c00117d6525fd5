#include "telemetry/version.h"

namespace sluice::telemetry {

std::string_view version() {
  return SLUICE_VERSION;
}

}  // namespace sluice::telemetry
