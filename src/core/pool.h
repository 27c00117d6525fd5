// A slab of T with generations: O(1) acquire, release and look-up, no allocation once it has been
// as full as it gets, and stable addresses.
#pragma once

#include <cstdint>
#include <vector>

#include "base/check.h"
#include "base/id.h"
#include "base/prefetch.h"
#include "base/table.h"

namespace sluice::core {

template <class T, class Id>
class Pool {
 public:
  // Address space for `capacity` entries is reserved at once; pages are touched as they are used.
  explicit Pool(std::uint32_t capacity) : capacity_(capacity) {
    entries_.reserve(capacity);
    free_.reserve(capacity);
  }

  // A default-constructed T under a fresh id. The owner keeps to the capacity: running out is a
  // broken invariant.
  Id acquire() {
    std::uint32_t slot = 0;
    if (!free_.empty()) {
      // Last freed first: its cache lines are still warm.
      slot = free_.back();
      free_.pop_back();
      entries_[slot].value = T{};
    } else {
      SLUICE_CHECK(entries_.size() < capacity_, "pool over its capacity");
      slot = static_cast<std::uint32_t>(entries_.size());
      entries_.emplace_back();
    }
    entries_[slot].live = true;
    return id_of(slot);
  }

  void release(Id id) {
    SLUICE_CHECK(find(id) != nullptr, "released an id that is not alive");
    Entry& entry = entries_[id.slot];
    entry.live = false;
    // 0 is never a generation, so that a packed id is never 0.
    if (++entry.generation == 0) entry.generation = 1;
    free_.push_back(id.slot);
  }

  // nullptr when the id names nothing alive; any bit pattern is a valid question.
  T* find(Id id) {
    if (id.slot >= entries_.size()) return nullptr;
    Entry& entry = entries_[id.slot];
    return entry.live && entry.generation == id.generation ? &entry.value : nullptr;
  }

  // By slot, for indexes inside the core that are known to be alive.
  T& operator[](std::uint32_t slot) { return entries_[slot].value; }
  const T& operator[](std::uint32_t slot) const { return entries_[slot].value; }

  // Any slot is a valid question, as for find().
  void prefetch(std::uint32_t slot) const {
    if (slot < entries_.size()) sluice::prefetch(entries_[slot]);
  }
  Id id_of(std::uint32_t slot) const { return {slot, entries_[slot].generation}; }
  std::uint32_t live_count() const {
    return static_cast<std::uint32_t>(entries_.size() - free_.size());
  }
  // Slots ever used; those alive are among [0, slot_count()).
  std::uint32_t slot_count() const { return static_cast<std::uint32_t>(entries_.size()); }
  bool alive(std::uint32_t slot) const { return entries_[slot].live; }

  // For snapshots (base/state.h).
  template <class Self, class Archive>
  static void visit_state(Self& self, Archive& archive) {
    auto& [capacity, entries, free] = self;
    archive(entries, free);
  }

 private:
  struct Entry {
    T value{};
    std::uint32_t generation = 1;
    bool live = false;

    // What has ended left nothing that anybody reads.
    template <class Self, class Archive>
    static void visit_state(Self& self, Archive& archive) {
      auto& [value, generation, live] = self;
      archive(generation, live);
      if (live) archive(value);
    }
  };

  std::uint32_t capacity_;
  Table<Entry> entries_;
  std::vector<std::uint32_t> free_;
};

}  // namespace sluice::core
