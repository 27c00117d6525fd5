// How replicas are entered and left: paths and slow start.
#include <algorithm>
#include <chrono>

#include "config/serve/sections.h"

namespace sluice::config {

using namespace std::chrono_literals;

namespace {

void read_thresholds(Fields& f, core::PathThresholds& out) {
  f.optional("utilisation", share(), out.utilisation, "Requests in flight ÷ slots, at most 1");
  f.optional("queue", share(), out.queue,
             "Requests beyond the slots ÷ credits beyond the slots, at most 1");
}

void read_switching(Fields& f, core::PathOptions& out) {
  f.map("leave", "A path is left above one of these (means over a second)",
        [&](Fields& inner) { read_thresholds(inner, out.leave); });
  f.map("enter", "A better path may be probed and entered below these",
        [&](Fields& inner) { read_thresholds(inner, out.enter); });
  f.optional("leave_slowness", number(0.1, 8), out.leave_slowness,
             "Left when P95 of latency ÷ budget is above it");
  f.optional("failures_in_a_row", count(1, 1'000'000), out.failures_in_a_row,
             "Left after so many without a success, on more than half of its replicas");
  f.optional("hold", duration(1ms, 24h), out.hold,
             "From a switch until a better path is probed; doubles each time that going back was "
             "too early");
  f.optional("longest_hold", duration(1ms, 24h), out.longest_hold, "Most that it doubles to");
  f.optional("settle", duration(0s, 24h), out.settle,
             "Left again within so long of going back, going back was too early");
  f.optional("probes", count(1, 1'000), out.probes,
             "Requests in a row that have to succeed on a better path to bring it back");
  f.optional("least_stay", duration(1ms, 24h), out.least_stay,
             "At least so long on a path before one that is not known to work is tried instead");
  if (out.least_stay > out.hold) {
    f.fail(f.has("hold") ? "hold" : "least_stay",
           f.has("hold") ? "is shorter than least_stay" : "is longer than hold");
  }
  const bool inverted =
      out.enter.utilisation > out.leave.utilisation || out.enter.queue > out.leave.queue;
  if (inverted) f.fail("enter", "is above leave: the model would go to and fro");
}

}  // namespace

void read_paths(Fields& root, core::Options& out) {
  constexpr std::size_t kMostPaths = 8;
  root.scalars("paths", name(), out.paths, false,
               "Paths of replicas, the preferred one first, as in [hot, cold]; under control "
               "\"adaptive\" with late binding");
  for (auto path = out.paths.begin(); path != out.paths.end(); ++path) {
    if (std::find(out.paths.begin(), path, *path) != path) {
      root.fail("paths", *path + " is there twice");
    }
  }
  if (out.paths.size() > kMostPaths) root.fail("paths", "more than 8");
  root.map("path_switch", "When a model leaves a path for another",
           [&](Fields& f) { read_switching(f, out.path); });
}

void read_slow_start(Fields& root, core::SlowStartOptions& out) {
  root.map(
      "slow_start",
      "A replica that joins or comes back is warmed up, not flooded; under control \"adaptive\"",
      [&](Fields& f) {
        f.optional("enabled", flag(), out.enabled, "Whether it is");
        f.optional("attempts", count(1, 65535), out.attempts,
                   "Requests in flight at first; one more with each success, up to its "
                   "credits");
        f.optional("joins_after", duration(0s, 24h), out.joins_after,
                   "First seen ready so long after the first replica was, it has joined; "
                   "sooner, it was up before Sluice was");
      });
}

}  // namespace sluice::config
