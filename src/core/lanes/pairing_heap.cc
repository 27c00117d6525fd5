#include "core/lanes/pairing_heap.h"

#include <utility>

namespace sluice::core {

void PairingForest::push(Root& root, std::uint32_t slot, Rank rank) {
  if (slot >= nodes_.size()) nodes_.resize(slot + 1);
  nodes_[slot] = Node{.rank = rank};
  root = root == kNone ? slot : link(root, slot);
}

void PairingForest::pop(Root& root) {
  root = merge_children(nodes_[root].child);
}

void PairingForest::remove(Root& root, std::uint32_t slot) {
  if (slot == root) {
    pop(root);
    return;
  }
  const Node& node = nodes_[slot];
  // Cut the subtree out of its list of siblings, then give its children back to the heap.
  if (nodes_[node.prev].child == slot) {
    nodes_[node.prev].child = node.next;
  } else {
    nodes_[node.prev].next = node.next;
  }
  if (node.next != kNone) nodes_[node.next].prev = node.prev;
  const Root orphans = merge_children(node.child);
  if (orphans != kNone) root = link(root, orphans);
}

PairingForest::Root PairingForest::link(Root a, Root b) {
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
PairingForest::Root PairingForest::merge_children(std::uint32_t first_child) {
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
  Root root = kNone;
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
