// A forest of pairing heaps over the slots of one pool: any number of queues, no memory of their
// own, and a member can leave from the middle.
#pragma once

#include <cstdint>
#include <vector>

#include "base/prefetch.h"
#include "base/state.h"
#include "base/table.h"

namespace sluice::core {

// Pairing heap: Fredman, Sedgewick, Sleator, Tarjan (1986). push O(1); pop and remove
// O(log n) amortised over the operations of one heap, so a single pop after n pushes in a row
// may touch all n. No allocation after reserve().
class PairingForest {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  // The rank of a member: smaller key first, equal keys by sequence.
  struct Rank {
    std::int64_t key = 0;
    std::uint64_t sequence = 0;
    bool operator<(const Rank& other) const {
      return key != other.key ? key < other.key : sequence < other.sequence;
    }

    SLUICE_STATE(key, sequence);
  };

  // One heap, kept by its owner. All that is known of its smallest member is here and not in its
  // node, so that looking at it, or pushing another, reads no node, which may be far away.
  struct Heap {
    std::uint32_t top = kNone;
    std::uint32_t child = kNone;  // the first of the top's
    Rank rank;
    std::uint32_t tag = 0;

    bool empty() const { return top == kNone; }

    SLUICE_STATE(top, child, rank, tag);
  };

  void reserve(std::uint32_t slots) { nodes_.reserve(slots); }

  // The slot must be in no heap. `tag`: whatever the caller wants to find where the rank is.
  void push(Heap& heap, std::uint32_t slot, Rank rank, std::uint32_t tag = 0);
  // Removes the smallest member. The heap must not be empty.
  void pop(Heap& heap);
  // Removes any member of this heap.
  void remove(Heap& heap, std::uint32_t slot);

  const Rank& rank(std::uint32_t slot) const { return nodes_[slot].rank; }
  // For those who ask for memory ahead: the next of a list of children, kNone at its end.
  std::uint32_t next_sibling(std::uint32_t slot) const { return nodes_[slot].next; }
  void prefetch(std::uint32_t slot) const { sluice::prefetch(nodes_[slot]); }

  SLUICE_STATE(nodes);

 private:
  struct Node {
    Rank rank;
    std::uint32_t child = kNone;  // of a top: out of date, its heap knows
    std::uint32_t next = kNone;   // right sibling
    std::uint32_t prev = kNone;   // left sibling, or the parent of a first child
    std::uint32_t tag = 0;

    SLUICE_STATE(rank, child, next, prev, tag);
  };

  void add_child(Heap& heap, std::uint32_t slot);
  std::uint32_t link(std::uint32_t a, std::uint32_t b);
  std::uint32_t merge(std::uint32_t first_child);

  Table<Node> nodes_;
};

}  // namespace sluice::core
