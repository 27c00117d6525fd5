// How replicas are entered and left: slow start.
#include <chrono>

#include "config/serve/sections.h"

namespace sluice::config {

using namespace std::chrono_literals;

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
