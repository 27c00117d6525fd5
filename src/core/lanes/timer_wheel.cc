#include "core/lanes/timer_wheel.h"

#include <algorithm>
#include <bit>

namespace sluice::core {

TimerWheel::TimerWheel() {
  heads_.fill(kNone);
}

void TimerWheel::insert(std::uint32_t slot, TimePoint when) {
  if (slot >= entries_.size()) entries_.resize(slot + 1);
  const auto ns =
      static_cast<std::uint64_t>(std::max<std::int64_t>(when.time_since_epoch().count(), 0));
  // Rounded up: never early. What is further away than the wheel reaches (2.2 years) waits in the
  // last bucket before the present one: put into that, it would come up again and again.
  const std::uint64_t tick = (ns >> kTickBits) + 1;
  const std::uint64_t farthest =
      tick_ + (std::uint64_t{kBuckets - 1} << (kLevelBits * (kLevels - 1)));
  entries_[slot].tick = std::clamp(tick, tick_ + 1, farthest);
  place(slot);
}

void TimerWheel::place(std::uint32_t slot) {
  Entry& entry = entries_[slot];
  const std::uint64_t differing = entry.tick ^ tick_;
  const int highest = differing == 0 ? 0 : std::bit_width(differing) - 1;
  const int level = std::min(highest / kLevelBits, kLevels - 1);
  const auto position =
      static_cast<std::uint32_t>(entry.tick >> (kLevelBits * level)) & (kBuckets - 1);
  entry.bucket =
      static_cast<std::uint16_t>(static_cast<std::uint32_t>(level) * kBuckets + position);
  std::uint32_t& head = heads_[entry.bucket];
  entry.prev = kNone;
  entry.next = head;
  if (head != kNone) entries_[head].prev = slot;
  head = slot;
  occupied_[static_cast<std::size_t>(level)] |= std::uint64_t{1} << position;
}

void TimerWheel::remove(std::uint32_t slot) {
  const Entry& entry = entries_[slot];
  if (entry.next != kNone) entries_[entry.next].prev = entry.prev;
  if (entry.prev != kNone) {
    entries_[entry.prev].next = entry.next;
    return;
  }
  heads_[entry.bucket] = entry.next;
  if (entry.next == kNone) {
    occupied_[entry.bucket / kBuckets] &= ~(std::uint64_t{1} << (entry.bucket % kBuckets));
  }
}

// A lower level always falls due before a higher one: what is further away differs from the
// present tick in a higher digit.
std::optional<TimerWheel::Expiry> TimerWheel::next_expiry() const {
  for (int level = 0; level < kLevels; ++level) {
    const std::uint64_t occupied = occupied_[static_cast<std::size_t>(level)];
    if (occupied == 0) continue;
    const int shift = kLevelBits * level;
    const auto here = static_cast<int>((tick_ >> shift) & (kBuckets - 1));
    // The first occupied bucket from here on, round the wheel.
    const int ahead = std::countr_zero(std::rotr(occupied, here));
    const std::uint64_t base = tick_ >> shift;
    const auto position = static_cast<std::uint32_t>(here + ahead) & (kBuckets - 1);
    return Expiry{level, position, (base + static_cast<std::uint64_t>(ahead)) << shift};
  }
  return std::nullopt;
}

std::optional<std::uint32_t> TimerWheel::pop_due(TimePoint now) {
  const auto now_tick =
      static_cast<std::uint64_t>(std::max<std::int64_t>(now.time_since_epoch().count(), 0)) >>
      kTickBits;
  if (now_tick <= tick_ && swept_) return std::nullopt;
  swept_ = false;
  while (const auto expiry = next_expiry()) {
    if (expiry->tick > now_tick) break;
    tick_ = std::max(tick_, expiry->tick);
    if (expiry->level == 0) {
      const std::uint32_t slot = heads_[expiry->position];
      remove(slot);
      return slot;
    }
    cascade(expiry->level, expiry->position);
  }
  tick_ = std::max(tick_, now_tick);
  swept_ = true;
  return std::nullopt;
}

void TimerWheel::cascade(int level, std::uint32_t position) {
  const std::size_t bucket = static_cast<std::size_t>(level) * kBuckets + position;
  std::uint32_t slot = heads_[bucket];
  heads_[bucket] = kNone;
  occupied_[static_cast<std::size_t>(level)] &= ~(std::uint64_t{1} << position);
  while (slot != kNone) {
    const std::uint32_t next = entries_[slot].next;
    place(slot);
    slot = next;
  }
}

TimePoint TimerWheel::next_due() const {
  const auto expiry = next_expiry();
  if (!expiry) return kNever;
  return TimePoint(Duration(static_cast<std::int64_t>(expiry->tick << kTickBits)));
}

}  // namespace sluice::core
