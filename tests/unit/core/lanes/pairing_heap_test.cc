#include "core/lanes/pairing_heap.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"

namespace sluice::core {
namespace {

using Heap = PairingForest::Heap;

TEST(PairingForest, PopsInOrderOfKeyThenSequence) {
  PairingForest forest;
  Heap heap;
  forest.push(heap, 0, {.key = 5, .sequence = 1});
  forest.push(heap, 1, {.key = 3, .sequence = 2});
  forest.push(heap, 2, {.key = 3, .sequence = 3});
  EXPECT_EQ(heap.top, 1u);
  forest.pop(heap);
  EXPECT_EQ(heap.top, 2u);
  forest.pop(heap);
  EXPECT_EQ(heap.top, 0u);
  forest.pop(heap);
  EXPECT_TRUE(heap.empty());
}

TEST(PairingForest, HeapsOfOneForestAreApart) {
  PairingForest forest;
  Heap a;
  Heap b;
  forest.push(a, 0, {.key = 2, .sequence = 0});
  forest.push(b, 1, {.key = 1, .sequence = 1});
  EXPECT_EQ(a.top, 0u);
  forest.pop(b);
  EXPECT_TRUE(b.empty());
  EXPECT_EQ(a.top, 0u);
}

// Against a sorted set, over random pushes, pops and removals from the middle: who is first, and
// what the heap says of it without a look at its node.
TEST(PairingForest, AgreesWithASortedSet) {
  constexpr std::uint32_t kSlots = 300;
  PairingForest forest;
  Heap heap;
  std::set<std::tuple<std::int64_t, std::uint64_t, std::uint32_t>> model;
  std::vector<bool> in(kSlots);
  Random random(11);
  for (std::uint64_t step = 0; step < 100'000; ++step) {
    const std::uint32_t slot = random.below(kSlots);
    if (!in[slot]) {
      const auto key = static_cast<std::int64_t>(random.below(50));
      forest.push(heap, slot, {.key = key, .sequence = step}, slot * 3);
      model.emplace(key, step, slot);
      in[slot] = true;
    } else {
      const std::uint32_t leaving = random.below(3) == 0 ? heap.top : slot;
      model.erase({forest.rank(leaving).key, forest.rank(leaving).sequence, leaving});
      forest.remove(heap, leaving);
      in[leaving] = false;
    }
    ASSERT_EQ(heap.empty(), model.empty());
    if (heap.empty()) continue;
    const auto& [key, sequence, first] = *model.begin();
    ASSERT_EQ(heap.top, first);
    ASSERT_EQ(heap.rank.key, key);
    ASSERT_EQ(heap.rank.sequence, sequence);
    ASSERT_EQ(heap.tag, first * 3);
  }
}

}  // namespace
}  // namespace sluice::core
