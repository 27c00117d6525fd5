// A forest of pairing heaps over the slots of one pool: any number of queues, no memory of their
// own, and a member can leave from the middle.
#pragma once

#include <cstdint>
#include <vector>

#include "base/state.h"

namespace sluice::core {

// Pairing heap: Fredman, Sedgewick, Sleator, Tarjan (1986). push and merge O(1); pop and remove
// O(log n) amortised over the operations of one heap, so a single pop after n pushes in a row
// may touch all n. No allocation after grow().
class PairingForest {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;
  // A heap is the slot of its smallest member, or kNone.
  using Root = std::uint32_t;

  // The rank of a member: smaller key first, equal keys by sequence.
  struct Rank {
    std::int64_t key = 0;
    std::uint64_t sequence = 0;
    bool operator<(const Rank& other) const {
      return key != other.key ? key < other.key : sequence < other.sequence;
    }

    SLUICE_STATE(key, sequence);
  };

  void reserve(std::uint32_t slots) { nodes_.reserve(slots); }

  // The slot must be in no heap.
  void push(Root& root, std::uint32_t slot, Rank rank);
  // Removes the smallest member. The heap must not be empty.
  void pop(Root& root);
  // Removes any member of this heap.
  void remove(Root& root, std::uint32_t slot);

  const Rank& rank(std::uint32_t slot) const { return nodes_[slot].rank; }

  SLUICE_STATE(nodes);

 private:
  struct Node {
    Rank rank;
    std::uint32_t child = kNone;
    std::uint32_t next = kNone;  // right sibling
    std::uint32_t prev = kNone;  // left sibling, or the parent of a first child

    SLUICE_STATE(rank, child, next, prev);
  };

  Root link(Root a, Root b);
  Root merge_children(std::uint32_t first_child);

  std::vector<Node> nodes_;
};

}  // namespace sluice::core
