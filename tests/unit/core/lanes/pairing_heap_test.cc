#include "core/lanes/pairing_heap.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"

namespace sluice::core {
namespace {

using Root = PairingForest::Root;

TEST(PairingForest, PopsInOrderOfKeyThenSequence) {
  PairingForest forest;
  Root root = PairingForest::kNone;
  forest.push(root, 0, {.key = 5, .sequence = 1});
  forest.push(root, 1, {.key = 3, .sequence = 2});
  forest.push(root, 2, {.key = 3, .sequence = 3});
  EXPECT_EQ(root, 1u);
  forest.pop(root);
  EXPECT_EQ(root, 2u);
  forest.pop(root);
  EXPECT_EQ(root, 0u);
  forest.pop(root);
  EXPECT_EQ(root, PairingForest::kNone);
}

TEST(PairingForest, HeapsOfOneForestAreApart) {
  PairingForest forest;
  Root a = PairingForest::kNone;
  Root b = PairingForest::kNone;
  forest.push(a, 0, {.key = 2, .sequence = 0});
  forest.push(b, 1, {.key = 1, .sequence = 1});
  EXPECT_EQ(a, 0u);
  forest.pop(b);
  EXPECT_EQ(b, PairingForest::kNone);
  EXPECT_EQ(a, 0u);
}

// Against a sorted set, over random pushes, pops and removals from the middle.
TEST(PairingForest, AgreesWithASortedSet) {
  constexpr std::uint32_t kSlots = 300;
  PairingForest forest;
  Root root = PairingForest::kNone;
  std::set<std::tuple<std::int64_t, std::uint64_t, std::uint32_t>> model;
  std::vector<bool> in(kSlots);
  Random random(11);
  for (std::uint64_t step = 0; step < 100'000; ++step) {
    const std::uint32_t slot = random.below(kSlots);
    if (!in[slot]) {
      const auto key = static_cast<std::int64_t>(random.below(50));
      forest.push(root, slot, {.key = key, .sequence = step});
      model.emplace(key, step, slot);
      in[slot] = true;
    } else {
      const std::uint32_t leaving = random.below(3) == 0 ? root : slot;
      model.erase({forest.rank(leaving).key, forest.rank(leaving).sequence, leaving});
      forest.remove(root, leaving);
      in[leaving] = false;
    }
    ASSERT_EQ(root, model.empty() ? PairingForest::kNone : std::get<2>(*model.begin()));
  }
}

}  // namespace
}  // namespace sluice::core
