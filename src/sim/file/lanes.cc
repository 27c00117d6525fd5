// lanes: what callers expect. Which levels a lane has is the core's to say (R10).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

#include "sim/file/kinds.h"
#include "sim/file/sections.h"

namespace sluice::sim {
namespace {

using config::Fields;
using std::chrono::milliseconds;
using std::chrono::seconds;

std::vector<std::uint64_t> levels_of(core::Lane lane) {
  std::vector<std::uint64_t> levels;
  for (core::Priority level = 0; level < core::kPriorities; ++level) {
    if (core::lane_of(level) == lane) levels.push_back(level);
  }
  return levels;
}

void read_levels(Fields& f, core::Lane lane) {
  std::vector<std::uint64_t> levels;
  f.scalars("levels", config::count(0, core::kPriorities - 1), levels, false,
            "For people: its priority levels, which are fixed: 0-2, 3-6 and 7-9");
  if (f.has("levels") && levels != levels_of(lane)) {
    f.fail("levels",
           fmt::format("are fixed; for this lane [{}]", fmt::join(levels_of(lane), ", ")));
  }
}

void read_lane(Fields& f, core::Lane lane, LaneRules& out) {
  const Duration least = milliseconds(1);
  const Duration most = std::chrono::hours(1);
  read_levels(f, lane);
  f.optional("budget_ms", milliseconds_number(least, most), out.budget,
             "Longest response time that counts as a hit");
  f.optional("client_timeout_ms", milliseconds_number(least, most), out.client_timeout,
             "From arrival: then the caller leaves, and an answer is a failure");
  f.optional("starvation_threshold_ms", milliseconds_number(least, most), out.starved_after,
             "A longer wait for service counts as starved", "nothing starves");
  if (out.client_timeout < out.budget) {
    f.fail("client_timeout_ms", "is shorter than the budget: nobody waits for an answer in time");
  }
}

}  // namespace

void read_lanes(Fields& root, Scenario& out) {
  out.lanes = {
      LaneRules{.budget = milliseconds(100), .client_timeout = seconds(2), .starved_after = {}},
      LaneRules{.budget = milliseconds(500), .client_timeout = seconds(5), .starved_after = {}},
      LaneRules{.budget = seconds(5), .client_timeout = seconds(30), .starved_after = seconds(10)}};
  root.map("lanes", "What callers expect, by the lane of their priority level", [&](Fields& f) {
    for (std::size_t i = 0; i < out.lanes.size(); ++i) {
      f.map(core::kLaneNames[i], "One lane; levels are priorities, 0 = most urgent",
            [&](Fields& lane) { read_lane(lane, static_cast<core::Lane>(i), out.lanes[i]); });
    }
  });
}

}  // namespace sluice::sim
