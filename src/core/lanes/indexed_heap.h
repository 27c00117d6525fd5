// A heap whose members can be found, moved and taken out by their id.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/prefetch.h"
#include "base/state.h"

namespace sluice::core {

// Smallest key first; keys differ (the caller breaks ties). Where each member stands is kept in a
// table that any number of heaps share, as long as an id is in one of them at a time. All
// operations O(log members); no allocation once a heap has been as full as it gets.
//
// Four children a member (Johnson 1975): half as many levels as with two, and each level costs a
// write to the table of positions, far from the last, while the children lie side by side.
template <class Key>
class IndexedHeap {
 public:
  static constexpr std::uint32_t kNowhere = 0xffffffff;
  // By id; kNowhere when it is in no heap.
  using Positions = std::vector<std::uint32_t>;

  void reserve(std::size_t members) { members_.reserve(members); }
  bool empty() const { return members_.empty(); }
  std::size_t size() const { return members_.size(); }
  std::uint32_t top() const { return members_.front().id; }
  const Key& top_key() const { return members_.front().key; }

  // push() will be called.
  void prefetch_end() const {
    if (members_.empty()) return;
    sluice::prefetch(members_.back());
    sluice::prefetch(members_[parent_of(members_.size())]);
  }

  // The id must be in no heap of the table.
  void push(Positions& positions, std::uint32_t id, const Key& key) {
    members_.push_back({key, id});
    rise(positions, members_.size() - 1);
  }

  // The id must be in this heap.
  void remove(Positions& positions, std::uint32_t id) {
    const std::size_t at = positions[id];
    positions[id] = kNowhere;
    const Member last = members_.back();
    members_.pop_back();
    if (at == members_.size()) return;
    members_[at] = last;
    settle(positions, at);
  }

  // Gives a member another key.
  void update(Positions& positions, std::uint32_t id, const Key& key) {
    const std::size_t at = positions[id];
    members_[at].key = key;
    settle(positions, at);
  }

  SLUICE_STATE(members);

 private:
  struct Member {
    Key key;
    std::uint32_t id;

    SLUICE_STATE(key, id);
  };

  static constexpr std::size_t kChildren = 4;
  static std::size_t parent_of(std::size_t at) { return (at - 1) / kChildren; }

  void settle(Positions& positions, std::size_t at) {
    const bool rises = at > 0 && members_[at].key < members_[parent_of(at)].key;
    if (rises) {
      rise(positions, at);
    } else {
      sink(positions, at);
    }
  }

  void rise(Positions& positions, std::size_t at) {
    const Member member = members_[at];
    while (at > 0 && member.key < members_[parent_of(at)].key) {
      put(positions, at, members_[parent_of(at)]);
      at = parent_of(at);
    }
    put(positions, at, member);
  }

  void sink(Positions& positions, std::size_t at) {
    const Member member = members_[at];
    for (std::size_t least = least_child(at); least < members_.size(); least = least_child(at)) {
      if (!(members_[least].key < member.key)) break;
      put(positions, at, members_[least]);
      at = least;
    }
    put(positions, at, member);
  }

  // Beyond the members when there is none.
  std::size_t least_child(std::size_t at) const {
    const std::size_t first = kChildren * at + 1;
    const std::size_t end = std::min(first + kChildren, members_.size());
    std::size_t least = first;
    for (std::size_t child = first + 1; child < end; ++child) {
      if (members_[child].key < members_[least].key) least = child;
    }
    return least;
  }

  void put(Positions& positions, std::size_t at, const Member& member) {
    members_[at] = member;
    positions[member.id] = static_cast<std::uint32_t>(at);
  }

  std::vector<Member> members_;
};

}  // namespace sluice::core
