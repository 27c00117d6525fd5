// The best few of what was offered.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace sluice::core {

// Best first. `Better(a, b)`: whether a is to be preferred; what neither is better than is the same
// and is kept once. Room for kMost, of which `length` are kept; no memory beyond that. An offer
// that is not among the best costs one comparison.
template <class T, std::size_t kMost, class Better>
class Shortlist {
 public:
  // 1 ≤ length ≤ kMost.
  Shortlist(std::size_t length, Better better) : length_(length), better_(better) {}

  void offer(const T& item) {
    if (size_ == length_ && !better_(item, items_[size_ - 1])) return;
    std::size_t at = size_;
    while (at > 0 && better_(item, items_[at - 1])) --at;
    if (at > 0 && !better_(items_[at - 1], item)) return;
    size_ = std::min(size_ + 1, length_);
    for (std::size_t i = size_ - 1; i > at; --i) items_[i] = items_[i - 1];
    items_[at] = item;
  }

  std::span<const T> items() const { return {items_.data(), size_}; }

 private:
  std::array<T, kMost> items_{};
  std::size_t size_ = 0;
  std::size_t length_;
  Better better_;
};

}  // namespace sluice::core
