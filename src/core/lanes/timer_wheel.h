// When waiting tasks run out of time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/prefetch.h"
#include "base/state.h"
#include "base/table.h"
#include "base/time.h"

namespace sluice::core {

// Hierarchical timing wheel (Varghese and Lauck 1987): six levels of 64 buckets, each level 64
// times coarser, over the slots of one pool. insert and remove are O(1); an entry moves down at
// most five times. Entries are never early and at most one tick (2^20 ns ≈ 1.05 ms) late: who
// dispatches a task compares its exact deadline. No allocation after reserve().
class TimerWheel {
 public:
  TimerWheel();

  void reserve(std::uint32_t slots) { entries_.reserve(slots); }

  // The slot must not be in the wheel. A time in the past is due at the next tick.
  void insert(std::uint32_t slot, TimePoint when);
  // The slot must be in the wheel.
  void remove(std::uint32_t slot);

  // The slot's entry will be needed.
  void prefetch(std::uint32_t slot) const { sluice::prefetch(entries_[slot]); }

  // Takes out one entry that is due at `now`; `now` never goes back. Order within a tick is not
  // that of the deadlines, but the same for the same calls.
  std::optional<std::uint32_t> pop_due(TimePoint now);

  // Not later than the next entry that falls due; kNever when the wheel is empty.
  TimePoint next_due() const;

  SLUICE_STATE(tick, swept, entries, heads, occupied);

 private:
  static constexpr int kTickBits = 20;
  static constexpr int kLevelBits = 6;
  static constexpr int kLevels = 6;
  static constexpr std::uint32_t kBuckets = 1u << kLevelBits;
  static constexpr std::uint32_t kNone = 0xffffffff;

  struct Entry {
    std::uint64_t tick = 0;
    std::uint32_t next = kNone;
    std::uint32_t prev = kNone;  // kNone: first of its bucket
    std::uint16_t bucket = 0;    // level × 64 + position

    SLUICE_STATE(tick, next, prev, bucket);
  };
  struct Expiry {
    int level;
    std::uint32_t position;
    std::uint64_t tick;  // when its bucket must be looked at
  };

  void place(std::uint32_t slot);
  void cascade(int level, std::uint32_t position);
  std::optional<Expiry> next_expiry() const;

  std::uint64_t tick_ = 0;
  bool swept_ = false;  // nothing is due at tick_ any more: what comes is due later
  Table<Entry> entries_;
  std::array<std::uint32_t, kLevels * kBuckets> heads_;
  std::array<std::uint64_t, kLevels> occupied_{};
};

}  // namespace sluice::core
