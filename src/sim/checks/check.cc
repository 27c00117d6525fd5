#include "sim/checks/check.h"

#include <fmt/format.h>

namespace sluice::sim {

void Findings::add(TimePoint now, std::string_view check, std::string_view what) {
  ++count_;
  if (kept_.size() >= kMostKept) return;
  kept_.push_back(
      fmt::format("at {:.9f} s: {}: {}", to_seconds(now.time_since_epoch()), check, what));
}

}  // namespace sluice::sim
