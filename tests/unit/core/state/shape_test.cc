// Which options a snapshot belongs to: what its tables are made from, and nothing else.
#include "core/state/shape.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core::state {
namespace {

using namespace std::chrono_literals;
using Change = std::function<void(Options&)>;

Options options_with(const Change& change) {
  Options options = small_options(2, 2);
  change(options);
  return options;
}

TEST(Shape, EveryTableAndStrategyCounts) {
  const std::vector<Change> changes{
      [](Options& o) { o.models[1].name = "another"; },
      [](Options& o) { o.models.pop_back(); },
      [](Options& o) { o.models[0].memory_bytes = 7; },
      [](Options& o) { o.nodes[0].slots = 2; },
      [](Options& o) { o.nodes[0].models.pop_back(); },
      [](Options& o) { o.nodes[1].standby = true; },
      [](Options& o) {
        o.nodes[1].accepts = PriorityRange{0, 2};
      },
      [](Options& o) { o.tenants.push_back({.name = "another"}); },
      [](Options& o) { o.task_types.emplace_back("another"); },
      [](Options& o) {
        o.paths = {"hot", "cold"};
      },
      [](Options& o) { o.lanes[1].capacity = 7; },
      [](Options& o) { o.policy.ordering = Ordering::kArrival; },
      [](Options& o) { o.policy.placement = PlacementKind::kRandom; },
  };
  std::vector<std::uint64_t> seen{shape_of(small_options(2, 2))};
  for (const Change& change : changes) {
    const std::uint64_t shape = shape_of(options_with(change));
    for (const std::uint64_t other : seen) EXPECT_NE(shape, other) << "change " << seen.size();
    seen.push_back(shape);
  }
}

TEST(Shape, FiguresAndTheSeedDoNot) {
  const std::uint64_t shape = shape_of(small_options(2, 2));
  EXPECT_EQ(shape, shape_of(options_with([](Options& o) { o.seed = 7; })));
  EXPECT_EQ(shape, shape_of(options_with([](Options& o) { o.lanes[0].budget = 7s; })));
  EXPECT_EQ(shape, shape_of(options_with([](Options& o) { o.lanes[0].weight = 7; })));
}

// The published values of FNV-1a.
TEST(Checksum, IsFnv1a) {
  EXPECT_EQ(checksum({}), 0xcbf29ce484222325u);
  const std::vector<std::byte> a{std::byte{'a'}};
  EXPECT_EQ(checksum(a), 0xaf63dc4c8601ec8cu);
}

}  // namespace
}  // namespace sluice::core::state
