// A scenario: the traffic to send and how its callers behave.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "workload/arrivals.h"
#include "workload/mix.h"
#include "workload/rate_curve.h"

namespace sluice::load {

// What becomes of a request that finds every connection busy.
//   wait  for one, and its latency counts all the same: so many callers, come what may.
//   drop  it, counted as failed: never more than `connections` at the server, each busy all the
//         time. For finding capacity.
enum class WhenBusy : std::uint8_t { kWait, kDrop };

inline constexpr std::array<std::string_view, 2> kWhenBusyNames{"wait", "drop"};

struct Callers {
  // From the intended send time: then a caller gives up and closes its connection. > 0
  Duration timeout = std::chrono::seconds(10);
  // At most so many connections at once. > 0
  std::size_t connections = 256;
  WhenBusy when_busy = WhenBusy::kWait;
  // Share of callers that leave at a random moment before their budget is over, 0..1.
  double leave_share = 0;
};

struct Scenario {
  std::string name;
  std::uint64_t seed = 1;
  workload::Process process = workload::Process::kPoisson;
  workload::RateCurve curve;
  std::vector<workload::RequestClass> classes;
  Callers callers;
};

}  // namespace sluice::load
