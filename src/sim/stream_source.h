// One stream of a scenario, drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/random.h"
#include "base/time.h"
#include "core/labels.h"
#include "sim/rate_segments.h"
#include "sim/scenario.h"
#include "sim/weighted_choice.h"

namespace sluice::sim {

// What arrives. Indexes are into the scenario, `phase` into the phases of the stream.
struct Request {
  TimePoint at;  // zero is the start of the run
  std::size_t stream = 0;
  std::size_t phase = 0;
  std::size_t model = 0;
  core::Priority priority = 0;
  std::size_t tenant = 0;
};

// Arrivals by time rescaling: gaps of mean 1 on the axis of expected arrivals become gaps that
// follow the rate. Times, modulation and labels are drawn from random numbers of their own: another
// mix leaves the times as they were.
class StreamSource {
 public:
  StreamSource(const Stream& stream, std::size_t index, std::uint64_t seed);

  // In order of time; nothing after the last phase.
  std::optional<Request> next();

 private:
  double draw_gap();
  std::optional<Duration> advance(double gap);
  void label(Request& request);

  std::size_t index_;
  ArrivalProcess process_;
  double gap_cv_;
  RateSegments segments_;
  std::optional<RateSegment> segment_;
  double expected_ = 0;  // arrivals since the begin of the segment
  double segment_expected_ = 0;
  Duration last_{0};
  WeightedChoice model_;
  std::vector<WeightedChoice> priority_;  // by model
  WeightedChoice tenant_;
  Random gap_random_;
  Random label_random_;
};

}  // namespace sluice::sim
