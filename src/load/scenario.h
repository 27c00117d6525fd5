// A scenario: the traffic to send and how its callers behave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"
#include "workload/arrivals.h"
#include "workload/mix.h"
#include "workload/rate_curve.h"

namespace sluice::load {

struct Callers {
  // From the intended send time: then a caller gives up and closes its connection. > 0
  Duration timeout = std::chrono::seconds(10);
  // At most so many connections at once; a request that finds none free waits, and its latency
  // counts all the same. > 0
  std::size_t connections = 256;
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
