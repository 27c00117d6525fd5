// Slots, and the line of those who wait for one: first come, first served, bounded.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

namespace sluice::model_server {

enum class Entry { kStarts, kWaits, kRefused };

// T is a handle that can be compared. Does nothing by itself: whoever is told "starts" runs, and
// calls release() once when done.
template <class T>
class SlotQueue {
 public:
  // slots ≥ 1.
  SlotQueue(std::size_t slots, std::size_t capacity) : free_(slots), capacity_(capacity) {}

  // O(1).
  Entry enter(const T& item) {
    if (free_ > 0) {
      --free_;
      return Entry::kStarts;
    }
    if (waiting_.size() == capacity_) return Entry::kRefused;
    waiting_.push_back(item);
    return Entry::kWaits;
  }

  // Gives a slot back. The first in line gets it, if there is one: that one now runs. O(1).
  std::optional<T> release() {
    if (waiting_.empty()) {
      ++free_;
      return std::nullopt;
    }
    T next = std::move(waiting_.front());
    waiting_.pop_front();
    return next;
  }

  // Takes an item out of the line; false when it does not wait. O(waiting), which is bounded.
  bool leave(const T& item) {
    const auto found = std::find(waiting_.begin(), waiting_.end(), item);
    if (found == waiting_.end()) return false;
    waiting_.erase(found);
    return true;
  }

  std::size_t waiting() const { return waiting_.size(); }
  std::size_t free() const { return free_; }

 private:
  std::size_t free_;
  std::size_t capacity_;
  std::deque<T> waiting_;
};

}  // namespace sluice::model_server
