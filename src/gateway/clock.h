// The one place where the gateway reads a clock.
#pragma once

#include <chrono>

#include "base/time.h"

namespace sluice::gateway {

// The monotone clock, read once a turn of the event loop: every handler of a turn sees the same
// instant, and asking twice is free.
class Clock {
 public:
  TimePoint now() {
    if (stale_) {
      now_ = TimePoint(std::chrono::steady_clock::now().time_since_epoch());
      stale_ = false;
    }
    return now_;
  }
  // What now() said last: the past, while a turn ends.
  TimePoint last() const { return now_; }
  // A new turn begins.
  void turn() { stale_ = true; }

 private:
  TimePoint now_{};
  bool stale_ = true;
};

}  // namespace sluice::gateway
