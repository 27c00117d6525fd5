// What attempts of one model say about one path (R28).
#pragma once

#include <cstdint>

#include "base/state.h"
#include "base/time.h"
#include "core/placement/ratio_histogram.h"

namespace sluice::core {

// Whether attempts fail one after the other, and how long those take that do not. A path does not
// fail because one of its nodes does: that is for the node's breaker. Failures in a row count when
// they come from more than half of the nodes that could be used; the caller marks nodes by run(),
// the number of the run of failures in which it last saw them fail.
//
// O(1), slowness O(32); 168 bytes.
class PathHealth {
 public:
  // The path is entered: what was known of it is of the past.
  void enter(TimePoint now);
  // Attempts that were sent before it was entered say nothing any more: stragglers of an outage.
  TimePoint entered() const { return entered_; }

  // latency ÷ budget of an attempt that was answered.
  void succeeded(double slowness, TimePoint now);
  // On a node that has not failed in this run yet, or on one that has.
  void failed(bool new_node);
  std::uint32_t run() const { return run_; }

  std::uint32_t failures_in_a_row(std::uint32_t usable_nodes) const {
    return 2 * failing_nodes_ > usable_nodes ? failures_ : 0;
  }
  // P95 of latency ÷ budget over the last hundred attempts or so, ½ to 8; 0 with too few to tell.
  // Of a path that is not in use what is old says nothing.
  double slowness() const { return samples_ < kLeastSamples ? 0 : ratios_.quantile(0.95); }
  double slowness_of_late(TimePoint now) const { return now - last_ > kOfLate ? 0 : slowness(); }

  SLUICE_STATE(ratios, last, entered, samples, failures, failing_nodes, run);

 private:
  // Fewer, and the histogram's own prior would be heard.
  static constexpr std::uint32_t kLeastSamples = 30;
  static constexpr Duration kOfLate = std::chrono::seconds(10);

  RatioHistogram ratios_;
  TimePoint last_;
  TimePoint entered_ = TimePoint::min();
  std::uint32_t samples_ = 0;
  std::uint32_t failures_ = 0;
  std::uint32_t failing_nodes_ = 0;
  std::uint32_t run_ = 1;
};

}  // namespace sluice::core
