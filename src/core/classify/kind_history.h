// What became of the tasks of a kind (a task type): the history that R1 and R4 look back on.
#pragma once

#include <cstdint>

#include "base/time.h"

namespace sluice::core {

// Exponentially weighted, so it forgets: the last hundred or so tasks count. O(1), 48 bytes.
class KindHistory {
 public:
  // The task was answered, this long after its arrival.
  void answered(Duration latency);
  // The task was refused or expired: it got nothing.
  void dropped();

  // Share of recent tasks that were dropped, 0..1.
  double drop_share() const { return drop_share_; }
  Duration mean() const { return to_duration(mean_ns_); }
  // Running estimates: right in the long run, within about a tenth on steady traffic.
  Duration p50() const { return to_duration(p50_ns_); }
  Duration p95() const { return to_duration(p95_ns_); }
  std::uint64_t answered_count() const { return answered_; }

 private:
  static Duration to_duration(double ns) { return Duration(static_cast<std::int64_t>(ns)); }

  double drop_share_ = 0;
  double mean_ns_ = 0;
  double p50_ns_ = 0;
  double p95_ns_ = 0;
  double spread_ns_ = 0;
  std::uint64_t answered_ = 0;
};

}  // namespace sluice::core
