// Reads a state back (archive.h).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/state/archive.h"

namespace sluice::core::state {

// Any bytes may be read: where they end too soon, or are what no writer writes, the reader has
// failed, and what is read from then on is 0, false and empty. Takes no more memory than a multiple
// of the bytes: a container claims at most an element a byte that is left, and grows as it is read.
class Reader {
 public:
  static constexpr bool kReads = true;

  // The bytes must outlive it.
  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <class... Fields>
  void operator()(Fields&... fields) {
    (As<Fields>::visit(*this, fields), ...);
  }

  bool ok() const { return ok_; }
  std::size_t left() const { return left_.size(); }
  void require(bool right) {
    if (right) return;
    ok_ = false;
    left_ = {};
  }

  template <class T>
  void scalar(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      const std::uint64_t bit = take<1>();
      require(bit <= 1);
      value = bit == 1;
    } else if constexpr (std::is_same_v<T, float>) {
      value = std::bit_cast<float>(static_cast<std::uint32_t>(take<sizeof(T)>()));
    } else if constexpr (std::is_same_v<T, double>) {
      value = std::bit_cast<double>(take<sizeof(T)>());
    } else {
      value = static_cast<T>(take<sizeof(T)>());
    }
  }
  // Of the container that was written, whatever there is now.
  std::size_t length(std::size_t /*now*/) {
    const std::uint64_t length = take<sizeof(std::uint64_t)>();
    require(length <= left_.size());
    return ok_ ? static_cast<std::size_t>(length) : 0;
  }
  template <class Container>
  void empty(Container& container) {
    container.clear();
  }

 private:
  template <std::size_t kWidth>
  std::uint64_t take() {
    require(left_.size() >= kWidth);
    if (!ok_) return 0;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < kWidth; ++i) {
      bits |= static_cast<std::uint64_t>(left_[i]) << 8 * i;
    }
    left_ = left_.subspan(kWidth);
    return bits;
  }

  std::span<const std::byte> left_;
  bool ok_ = true;
};

}  // namespace sluice::core::state
