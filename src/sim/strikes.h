// Which faults really struck: a crash of a node that was down already proves nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/scenario.h"

namespace sluice::sim {

// A fault is armed for a node when it begins there, and counts once, when it first changes what
// happens: an execution that takes longer, an answer that is lost, a node that stops answering.
class Strikes {
 public:
  explicit Strikes(std::size_t nodes) : armed_(nodes) {}

  void arm(std::size_t node, FaultKind kind) { armed_[node] |= bit(kind); }
  void hit(std::size_t node, FaultKind kind) {
    if ((armed_[node] & bit(kind)) == 0) return;
    armed_[node] &= ~bit(kind);
    ++counts_[static_cast<std::size_t>(kind)];
  }
  // Of the gateway, not of a node.
  void hit(FaultKind kind) { ++counts_[static_cast<std::size_t>(kind)]; }

  std::uint64_t count(FaultKind kind) const { return counts_[static_cast<std::size_t>(kind)]; }

 private:
  static std::uint32_t bit(FaultKind kind) { return 1u << static_cast<std::uint32_t>(kind); }

  std::vector<std::uint32_t> armed_;  // by node: a bit a kind
  std::array<std::uint64_t, kFaultKindNames.size()> counts_{};
};

}  // namespace sluice::sim
