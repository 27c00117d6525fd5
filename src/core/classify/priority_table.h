// R3: (realtime level, weight class, tenant tier) → priority.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/labels.h"

namespace sluice::core {

// One line of the table as it is written. An absent label matches all of its values.
struct PriorityRule {
  std::optional<Realtime> realtime;
  std::optional<WeightClass> weight;
  std::optional<Tier> tier;
  Priority priority = 0;
};

// 27 cells, always complete. O(1) look-up.
class PriorityTable {
 public:
  // The built-in table. Has the fixed points of R3 and is monotone.
  static PriorityTable defaults();

  // Sets every cell that the rule matches; later rules win.
  void apply(const PriorityRule& rule);

  Priority at(Realtime realtime, WeightClass weight, Tier tier) const {
    return cells_[index(realtime, weight, tier)];
  }

  // Where a more urgent label maps to a larger number: one sentence a pair of neighbouring cells.
  // Monotone in realtime level and in tier; weight is free. Empty: the table is sound.
  std::vector<std::string> violations() const;

 private:
  static constexpr std::size_t index(Realtime r, WeightClass w, Tier t) {
    return static_cast<std::size_t>(r) * 9 + static_cast<std::size_t>(w) * 3 +
           static_cast<std::size_t>(t);
  }

  std::array<Priority, kRealtimes * kWeightClasses * kTiers> cells_{};
};

}  // namespace sluice::core
