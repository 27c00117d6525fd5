// Writes a state down (archive.h).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/check.h"
#include "core/state/archive.h"

namespace sluice::core::state {

class Writer {
 public:
  static constexpr bool kReads = false;

  // Appends to `bytes`, which must outlive it.
  explicit Writer(std::vector<std::byte>& bytes) : bytes_(bytes) {}

  template <class... Fields>
  void operator()(const Fields&... fields) {
    (As<Fields>::visit(*this, fields), ...);
  }

  template <class T>
  void scalar(T value) {
    if constexpr (std::is_same_v<T, float>) {
      put<sizeof(T)>(std::bit_cast<std::uint32_t>(value));
    } else if constexpr (std::is_same_v<T, double>) {
      put<sizeof(T)>(std::bit_cast<std::uint64_t>(value));
    } else {
      put<sizeof(T)>(static_cast<std::uint64_t>(value));
    }
  }
  // Of a container; returned.
  std::size_t length(std::size_t length) {
    put<sizeof(std::uint64_t)>(length);
    return length;
  }
  // What is empty between two events: nothing is written.
  template <class Container>
  void empty(const Container& container) {
    SLUICE_CHECK(container.empty(), "nothing is left over between two events");
  }

 private:
  template <std::size_t kWidth>
  void put(std::uint64_t bits) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + kWidth);
    for (std::size_t i = 0; i < kWidth; ++i) bytes_[at + i] = static_cast<std::byte>(bits >> 8 * i);
  }

  std::vector<std::byte>& bytes_;
};

}  // namespace sluice::core::state
