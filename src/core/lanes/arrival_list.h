// The waiting tasks of a lane in the order in which they came: who has waited longest.
#pragma once

#include <cstdint>
#include <vector>

#include "base/prefetch.h"
#include "base/state.h"
#include "base/table.h"

namespace sluice::core {

// A doubly linked list threaded through the slots of one pool; any number of lists share the
// threads, as long as a slot is in one of them at a time. All operations O(1), no allocation after
// reserve().
class ArrivalThreads {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;
  struct List {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;

    SLUICE_STATE(first, last);
  };

  void reserve(std::uint32_t slots) { links_.reserve(slots); }

  void push_back(List& list, std::uint32_t slot) {
    if (slot >= links_.size()) links_.resize(slot + 1);
    links_[slot] = {.next = kNone, .previous = list.last};
    (list.last == kNone ? list.first : links_[list.last].next) = slot;
    list.last = slot;
  }
  void push_front(List& list, std::uint32_t slot) {
    if (slot >= links_.size()) links_.resize(slot + 1);
    links_[slot] = {.next = list.first, .previous = kNone};
    (list.first == kNone ? list.last : links_[list.first].previous) = slot;
    list.first = slot;
  }
  // The slot's links will be needed.
  void prefetch(std::uint32_t slot) const { sluice::prefetch(links_[slot]); }
  // The one after this, which must be in a list; kNone at its end.
  std::uint32_t next(std::uint32_t slot) const { return links_[slot].next; }
  // The slot must be in this list.
  void remove(List& list, std::uint32_t slot) {
    const Link link = links_[slot];
    (link.previous == kNone ? list.first : links_[link.previous].next) = link.next;
    (link.next == kNone ? list.last : links_[link.next].previous) = link.previous;
  }

  SLUICE_STATE(links);

 private:
  struct Link {
    std::uint32_t next = kNone;
    std::uint32_t previous = kNone;

    SLUICE_STATE(next, previous);
  };
  Table<Link> links_;
};

}  // namespace sluice::core
