// A binary heap whose members can be found, moved and taken out by their id.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/state.h"

namespace sluice::core {

// Smallest key first; keys differ (the caller breaks ties). Where each member stands is kept in a
// table that any number of heaps share, as long as an id is in one of them at a time. All
// operations O(log members); no allocation once a heap has been as full as it gets.
template <class Key>
class IndexedHeap {
 public:
  static constexpr std::uint32_t kNowhere = 0xffffffff;
  // By id; kNowhere when it is in no heap.
  using Positions = std::vector<std::uint32_t>;

  bool empty() const { return members_.empty(); }
  std::size_t size() const { return members_.size(); }
  std::uint32_t top() const { return members_.front().id; }
  const Key& top_key() const { return members_.front().key; }

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

  void settle(Positions& positions, std::size_t at) {
    const bool rises = at > 0 && members_[at].key < members_[(at - 1) / 2].key;
    if (rises) {
      rise(positions, at);
    } else {
      sink(positions, at);
    }
  }

  void rise(Positions& positions, std::size_t at) {
    const Member member = members_[at];
    while (at > 0 && member.key < members_[(at - 1) / 2].key) {
      put(positions, at, members_[(at - 1) / 2]);
      at = (at - 1) / 2;
    }
    put(positions, at, member);
  }

  void sink(Positions& positions, std::size_t at) {
    const Member member = members_[at];
    for (std::size_t child = 2 * at + 1; child < members_.size(); child = 2 * at + 1) {
      const bool right_is_less =
          child + 1 < members_.size() && members_[child + 1].key < members_[child].key;
      if (right_is_less) ++child;
      if (!(members_[child].key < member.key)) break;
      put(positions, at, members_[child]);
      at = child;
    }
    put(positions, at, member);
  }

  void put(Positions& positions, std::size_t at, const Member& member) {
    members_[at] = member;
    positions[member.id] = static_cast<std::uint32_t>(at);
  }

  std::vector<Member> members_;
};

}  // namespace sluice::core
