// What a tenant has had (R36).
#pragma once

#include <array>
#include <cstdint>

#include "base/state.h"
#include "base/time.h"
#include "core/labels.h"
#include "core/outcome.h"

namespace sluice::core {

// Live metering of a tenant, since the start.
struct TenantUsage {
  std::uint64_t submitted = 0;
  std::array<std::uint64_t, kOutcomes> outcomes{};
  std::array<std::uint64_t, kReasons> reasons{};
  Duration device_time{0};
  std::uint32_t running = 0;
  std::array<std::uint32_t, kLanes> waiting{};
  std::array<std::uint64_t, kLanes> waiting_bytes{};

  SLUICE_STATE(submitted, outcomes, reasons, device_time, running, waiting, waiting_bytes);
};

}  // namespace sluice::core
