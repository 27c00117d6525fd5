// The kinds or tenants that the control loop has to look at: what keeps idle ones free of cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/state.h"

namespace sluice::core {

// A set of indices of a fixed table. Memory is taken once; marking is O(1), a sweep is O(members),
// in the order of marking (same marks, same order: decisions stay deterministic).
template <class Id>
class ActiveSet {
 public:
  explicit ActiveSet(std::size_t table_size) : is_in_(table_size, false) {
    members_.reserve(table_size);
  }

  void mark(Id id) {
    if (is_in_[id.value]) return;
    is_in_[id.value] = true;
    members_.push_back(id);
  }

  // Calls look(id) → bool for each; false: the member leaves. `look` must not mark.
  template <class Look>
  void sweep(Look look) {
    std::size_t kept = 0;
    for (const Id id : members_) {
      is_in_[id.value] = look(id);
      if (is_in_[id.value]) members_[kept++] = id;
    }
    members_.resize(kept);
  }

  std::size_t size() const { return members_.size(); }

  SLUICE_STATE(is_in, members);

 private:
  std::vector<bool> is_in_;
  std::vector<Id> members_;
};

}  // namespace sluice::core
