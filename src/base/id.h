// Strong ids: a model is not a node, and a stale handle is not the task that took its place.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

namespace sluice {

// A dense index into a table that is fixed for the life of a configuration.
template <class Tag>
struct Index {
  static constexpr std::uint32_t kNoValue = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t value = kNoValue;

  constexpr bool valid() const { return value != kNoValue; }
  constexpr auto operator<=>(const Index&) const = default;
};

// A slot of a pool plus the generation of what lives there: when the slot is reused the
// generation differs, and an id kept too long names nothing.
template <class Tag>
struct PoolId {
  std::uint32_t slot = Index<Tag>::kNoValue;
  std::uint32_t generation = 0;

  constexpr bool valid() const { return slot != Index<Tag>::kNoValue; }
  // One number, for logs and headers. Never 0 for a valid id of a pool (generations start at 1).
  constexpr std::uint64_t packed() const {
    return (static_cast<std::uint64_t>(generation) << 32) | slot;
  }
  static constexpr PoolId unpack(std::uint64_t packed) {
    return {static_cast<std::uint32_t>(packed), static_cast<std::uint32_t>(packed >> 32)};
  }
  constexpr bool operator==(const PoolId&) const = default;
};

}  // namespace sluice

template <class Tag>
struct std::hash<sluice::PoolId<Tag>> {
  std::size_t operator()(const sluice::PoolId<Tag>& id) const noexcept {
    return std::hash<std::uint64_t>{}(id.packed());
  }
};
