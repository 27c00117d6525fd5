#include "core/control/active_set.h"

#include <gtest/gtest.h>

#include "core/ids.h"

namespace sluice::core {
namespace {

std::vector<std::uint32_t> members(ActiveSet<TaskTypeId>& set) {
  std::vector<std::uint32_t> seen;
  set.sweep([&](TaskTypeId id) {
    seen.push_back(id.value);
    return true;
  });
  return seen;
}

TEST(ActiveSet, HoldsEachOnceInTheOrderOfMarking) {
  ActiveSet<TaskTypeId> set(10);
  for (const std::uint32_t i : {7u, 2u, 7u, 5u, 2u}) set.mark(TaskTypeId{i});
  EXPECT_EQ(members(set), (std::vector<std::uint32_t>{7, 2, 5}));
}

TEST(ActiveSet, SweepLetsGoAndWhatLeftMayComeBack) {
  ActiveSet<TaskTypeId> set(10);
  for (std::uint32_t i = 0; i < 10; ++i) set.mark(TaskTypeId{i});
  set.sweep([](TaskTypeId id) { return id.value % 4 == 0; });
  set.mark(TaskTypeId{3});
  set.mark(TaskTypeId{4});
  EXPECT_EQ(members(set), (std::vector<std::uint32_t>{0, 4, 8, 3}));
}

}  // namespace
}  // namespace sluice::core
