// The traffic of a run: who arrives, and when. What the load generator sends and the simulator
// plays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/random.h"
#include "base/time.h"
#include "workload/arrivals.h"
#include "workload/mix.h"
#include "workload/rate_curve.h"

namespace sluice::workload {

struct Arrival {
  Duration at;  // intended send time, since the start of the run
  std::size_t phase;
  std::size_t request_class;  // index into mix().classes()
};

class Traffic {
 public:
  // Times and classes come from streams of their own: another mix leaves the times as they were.
  Traffic(Process process, RateCurve curve, Mix mix, std::uint64_t seed);

  // In order of time; nullopt once the last phase is over.
  std::optional<Arrival> next();

  const RateCurve& curve() const { return arrivals_.curve(); }
  const Mix& mix() const { return mix_; }

 private:
  Arrivals arrivals_;
  Mix mix_;
  Random class_random_;
};

}  // namespace sluice::workload
