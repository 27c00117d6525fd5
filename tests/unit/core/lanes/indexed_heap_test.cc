#include "core/lanes/indexed_heap.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "base/random.h"

namespace sluice::core {
namespace {

using Heap = IndexedHeap<std::uint64_t>;

TEST(IndexedHeapTest, TopIsTheSmallestKey) {
  Heap heap;
  Heap::Positions positions(3, Heap::kNowhere);
  heap.push(positions, 0, 30);
  heap.push(positions, 1, 10);
  heap.push(positions, 2, 20);
  EXPECT_EQ(heap.top(), 1u);
  heap.update(positions, 1, 40);
  EXPECT_EQ(heap.top(), 2u);
  heap.remove(positions, 2);
  EXPECT_EQ(heap.top(), 0u);
  EXPECT_EQ(heap.top_key(), 30u);
  EXPECT_EQ(positions[2], Heap::kNowhere);
}

// Two heaps share the table; each against a sorted set.
TEST(IndexedHeapTest, BehavesAsASortedSetUnderPushMoveAndRemove) {
  constexpr std::uint32_t kIds = 200;
  Heap heaps[2];
  std::set<std::pair<std::uint64_t, std::uint32_t>> models[2];
  Heap::Positions positions(kIds, Heap::kNowhere);
  std::uint64_t key_of[kIds] = {};
  Random random(11);
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const std::uint32_t id = random.below(kIds);
    Heap& heap = heaps[id % 2];
    auto& model = models[id % 2];
    const std::uint64_t key = (random.next() >> 40 << 20) + i % (1 << 20);  // all different
    if (positions[id] == Heap::kNowhere) {
      heap.push(positions, id, key);
    } else {
      model.erase({key_of[id], id});
      if (random.below(2) == 0) {
        heap.remove(positions, id);
        continue;
      }
      heap.update(positions, id, key);
    }
    model.emplace(key, id);
    key_of[id] = key;
    for (int h = 0; h < 2; ++h) {
      ASSERT_EQ(heaps[h].size(), models[h].size());
      if (!models[h].empty()) {
        ASSERT_EQ(heaps[h].top(), models[h].begin()->second);
      }
    }
  }
}

}  // namespace
}  // namespace sluice::core
