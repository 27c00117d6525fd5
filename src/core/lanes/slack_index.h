// Which waiting task of a lane has the least slack: the first to be let go where a full lane sheds
// its worst (R10).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/state.h"
#include "base/time.h"
#include "core/labels.h"
#include "core/lanes/indexed_heap.h"

namespace sluice::core {

// Slack at any moment is latest start − now, so the order by latest start is the order by slack and
// does not change as time goes by. Kept only for lanes that shed; O(log n) there, nothing for
// others.
class SlackIndex {
 public:
  explicit SlackIndex(const std::array<bool, kLanes>& sheds) : sheds_(sheds) {}

  bool keeps(Lane lane) const { return sheds_[index(lane)]; }

  void insert(Lane lane, std::uint32_t slot, TimePoint latest_start) {
    if (!keeps(lane)) return;
    if (slot >= positions_.size()) positions_.resize(slot + 1, Heap::kNowhere);
    heaps_[index(lane)].push(positions_, slot, {latest_start, slot});
  }
  void remove(Lane lane, std::uint32_t slot) {
    if (keeps(lane)) heaps_[index(lane)].remove(positions_, slot);
  }
  void update(Lane lane, std::uint32_t slot, TimePoint latest_start) {
    if (keeps(lane)) heaps_[index(lane)].update(positions_, slot, {latest_start, slot});
  }

  bool empty(Lane lane) const { return heaps_[index(lane)].empty(); }
  // The lane must not be empty.
  std::uint32_t least(Lane lane) const { return heaps_[index(lane)].top(); }

  SLUICE_STATE(sheds, heaps, positions);

 private:
  struct Key {
    TimePoint latest_start;
    std::uint32_t slot = 0;
    bool operator<(const Key& other) const {
      return latest_start != other.latest_start ? latest_start < other.latest_start
                                                : slot < other.slot;
    }

    SLUICE_STATE(latest_start, slot);
  };
  using Heap = IndexedHeap<Key>;
  static std::size_t index(Lane lane) { return static_cast<std::size_t>(lane); }

  std::array<bool, kLanes> sheds_;
  std::array<Heap, kLanes> heaps_;
  Heap::Positions positions_;
};

}  // namespace sluice::core
