#include "core/lanes/pairing_heap.h"

#include <utility>

namespace sluice::core {

void PairingForest::push(Heap& heap, std::uint32_t slot, Rank rank, std::uint32_t tag) {
  if (slot >= nodes_.size()) nodes_.resize(slot + 1);
  nodes_[slot] = Node{.rank = rank, .tag = tag};
  if (!heap.empty() && !(rank < heap.rank)) return add_child(heap, slot);
  const Heap below = heap;
  heap = {.top = slot, .rank = rank, .tag = tag};
  if (below.empty()) return;
  nodes_[below.top].child = below.child;
  add_child(heap, below.top);
}

// Writes only: a processor does not wait for that.
void PairingForest::add_child(Heap& heap, std::uint32_t slot) {
  nodes_[slot].next = heap.child;
  nodes_[slot].prev = heap.top;
  if (heap.child != kNone) nodes_[heap.child].prev = slot;
  heap.child = slot;
}

void PairingForest::pop(Heap& heap) {
  const std::uint32_t top = merge(heap.child);
  if (top == kNone) {
    heap = {};
    return;
  }
  const Node& node = nodes_[top];
  heap = {.top = top, .child = node.child, .rank = node.rank, .tag = node.tag};
}

void PairingForest::remove(Heap& heap, std::uint32_t slot) {
  if (slot == heap.top) return pop(heap);
  const Node& node = nodes_[slot];
  // Cut the subtree out of its list of siblings, then give its children back to the heap.
  if (node.prev == heap.top) {
    heap.child = node.next;
  } else if (nodes_[node.prev].child == slot) {
    nodes_[node.prev].child = node.next;
  } else {
    nodes_[node.prev].next = node.next;
  }
  if (node.next != kNone) nodes_[node.next].prev = node.prev;
  const std::uint32_t orphans = merge(node.child);
  if (orphans != kNone) add_child(heap, orphans);
}

std::uint32_t PairingForest::link(std::uint32_t a, std::uint32_t b) {
  if (nodes_[b].rank < nodes_[a].rank) std::swap(a, b);
  Node& parent = nodes_[a];
  Node& child = nodes_[b];
  child.next = parent.child;
  child.prev = a;
  if (parent.child != kNone) nodes_[parent.child].prev = b;
  parent.child = b;
  parent.next = kNone;
  parent.prev = kNone;
  return a;
}

// The two passes: pairs from left to right, then all of them from right to left. The finished
// pairs are kept on a stack threaded through `next`.
std::uint32_t PairingForest::merge(std::uint32_t first_child) {
  std::uint32_t stack = kNone;
  std::uint32_t at = first_child;
  while (at != kNone) {
    const std::uint32_t second = nodes_[at].next;
    std::uint32_t pair = at;
    std::uint32_t rest = kNone;
    if (second != kNone) {
      rest = nodes_[second].next;
      pair = link(at, second);
    }
    nodes_[pair].next = stack;
    stack = pair;
    at = rest;
  }
  std::uint32_t root = kNone;
  while (stack != kNone) {
    const std::uint32_t below = nodes_[stack].next;
    nodes_[stack].next = kNone;
    nodes_[stack].prev = kNone;
    root = root == kNone ? stack : link(root, stack);
    stack = below;
  }
  return root;
}

}  // namespace sluice::core
