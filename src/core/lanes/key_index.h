// Finds the place of a pair of numbers: an open-addressed table that forgets without tombstones.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/prefetch.h"
#include "base/state.h"
#include "base/table.h"

namespace sluice::core {

// (high, low) → value. Linear probing with backward-shift deletion (Knuth, TAOCP 3, 6.4, R), so
// that find, insert and erase stay O(1) on average however many pairs have come and gone. Grows by
// doubling and never shrinks: no allocation once it has been as full as it gets. Iteration is not
// offered: nothing may depend on the order.
class KeyIndex {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  KeyIndex() : entries_(kSmallest) {}

  // kNone when the pair is not there.
  std::uint32_t find(std::uint32_t high, std::uint32_t low) const {
    return entries_[probe(pack(high, low))].value;
  }

  // The pair will be asked for.
  void prefetch(std::uint32_t high, std::uint32_t low) const {
    sluice::prefetch(entries_[home_of(pack(high, low))]);
  }

  // The pair must not be there; value is not kNone.
  void insert(std::uint32_t high, std::uint32_t low, std::uint32_t value) {
    if (2 * (size_ + 1) > entries_.size()) grow();
    entries_[probe(pack(high, low))] = {pack(high, low), value};
    ++size_;
  }

  // The pair must be there.
  void erase(std::uint32_t high, std::uint32_t low) {
    std::size_t hole = probe(pack(high, low));
    --size_;
    for (std::size_t at = next(hole); entries_[at].value != kNone; at = next(at)) {
      // Who was pushed past the hole by others moves back into it.
      const std::size_t home = home_of(entries_[at].key);
      const bool stays = ((at - home) & mask()) < ((at - hole) & mask());
      if (stays) continue;
      entries_[hole] = entries_[at];
      hole = at;
    }
    entries_[hole].value = kNone;
  }

  std::size_t size() const { return size_; }

  SLUICE_STATE(entries, size);

 private:
  static constexpr std::size_t kSmallest = 64;

  struct Entry {
    std::uint64_t key = 0;
    std::uint32_t value = kNone;

    SLUICE_STATE(key, value);
  };

  static std::uint64_t pack(std::uint32_t high, std::uint32_t low) {
    return (static_cast<std::uint64_t>(high) << 32) | low;
  }
  std::size_t mask() const { return entries_.size() - 1; }
  std::size_t next(std::size_t at) const { return (at + 1) & mask(); }
  // Fibonacci hashing: the middle bits of the product depend on all bits of the key below them.
  std::size_t home_of(std::uint64_t key) const {
    const std::uint64_t mixed = (key ^ (key >> 32)) * 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>(mixed >> 32) & mask();
  }
  // Where the key is, or where it would go.
  std::size_t probe(std::uint64_t key) const {
    std::size_t at = home_of(key);
    while (entries_[at].value != kNone && entries_[at].key != key) at = next(at);
    return at;
  }

  void grow() {
    Table<Entry> old(entries_.size() * 2);
    old.swap(entries_);
    for (const Entry& entry : old) {
      if (entry.value != kNone) entries_[probe(entry.key)] = entry;
    }
  }

  Table<Entry> entries_;
  std::size_t size_ = 0;
};

}  // namespace sluice::core
