// Time as the whole of Sluice counts it: nanoseconds on one monotone axis.
#pragma once

#include <chrono>
#include <cstdint>

namespace sluice {

// A span of time, in nanoseconds. May be negative (slack).
using Duration = std::chrono::nanoseconds;

// The axis that time points lie on. It has no now(): whoever needs the time is told it, so that
// the gateway's clock and the simulator's are interchangeable.
struct Timeline {
  using rep = Duration::rep;
  using period = Duration::period;
  using duration = Duration;
  using time_point = std::chrono::time_point<Timeline, Duration>;
  static constexpr bool is_steady = true;
};

using TimePoint = Timeline::time_point;

// Later than anything that happens: "no deadline", "no wake-up".
inline constexpr TimePoint kNever = TimePoint::max();

constexpr double to_ms(Duration d) {
  return std::chrono::duration<double, std::milli>(d).count();
}
constexpr double to_seconds(Duration d) {
  return std::chrono::duration<double>(d).count();
}

// Rounds towards zero; the caller keeps |ms| below 9e12 (292 years).
constexpr Duration from_ms(double ms) {
  return Duration(static_cast<std::int64_t>(ms * 1e6));
}
constexpr Duration from_seconds(double s) {
  return Duration(static_cast<std::int64_t>(s * 1e9));
}

// t + d without overflow: saturates at kNever. d must not be negative.
constexpr TimePoint saturating_add(TimePoint t, Duration d) {
  return t > kNever - d ? kNever : t + d;
}

}  // namespace sluice
