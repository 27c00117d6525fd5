#include "core/classify/priority_table.h"

namespace sluice::core {
namespace {

// Rows: realtime high, medium, low, each by weight light, medium, heavy; columns: vip, premium,
// basic. A heavier task of the same level is a step less urgent: it takes longer from everybody
// else.
constexpr std::array<Priority, 27> kDefaults{
    // vip, premium, basic
    0, 1, 2,  // high, light
    1, 2, 3,  // high, medium
    1, 2, 3,  // high, heavy
    2, 3, 4,  // medium, light
    2, 3, 4,  // medium, medium
    3, 4, 5,  // medium, heavy
    4, 5, 6,  // low, light
    5, 6, 7,  // low, medium
    7, 8, 9,  // low, heavy
};

template <class Label>
bool matches(const std::optional<Label>& wanted, Label is) {
  return !wanted || *wanted == is;
}

std::string name_cell(int r, int w, int t) {
  return "(" + std::string(kRealtimeNames[static_cast<std::size_t>(r)]) + ", " +
         std::string(kWeightClassNames[static_cast<std::size_t>(w)]) + ", " +
         std::string(kTierNames[static_cast<std::size_t>(t)]) + ")";
}

}  // namespace

PriorityTable PriorityTable::defaults() {
  PriorityTable table;
  table.cells_ = kDefaults;
  return table;
}

void PriorityTable::apply(const PriorityRule& rule) {
  for (int r = 0; r < kRealtimes; ++r) {
    for (int w = 0; w < kWeightClasses; ++w) {
      for (int t = 0; t < kTiers; ++t) {
        if (matches(rule.realtime, Realtime(r)) && matches(rule.weight, WeightClass(w)) &&
            matches(rule.tier, Tier(t))) {
          cells_[index(Realtime(r), WeightClass(w), Tier(t))] = rule.priority;
        }
      }
    }
  }
}

std::vector<std::string> PriorityTable::violations() const {
  std::vector<std::string> found;
  const auto compare = [&](int r, int w, int t, int r2, int t2) {
    if (r2 >= kRealtimes || t2 >= kTiers) return;
    const int urgent = at(Realtime(r), WeightClass(w), Tier(t));
    const int relaxed = at(Realtime(r2), WeightClass(w), Tier(t2));
    if (urgent <= relaxed) return;
    found.push_back(name_cell(r, w, t) + " = " + std::to_string(urgent) + " is less urgent than " +
                    name_cell(r2, w, t2) + " = " + std::to_string(relaxed));
  };
  for (int r = 0; r < kRealtimes; ++r) {
    for (int w = 0; w < kWeightClasses; ++w) {
      for (int t = 0; t < kTiers; ++t) {
        compare(r, w, t, r + 1, t);
        compare(r, w, t, r, t + 1);
      }
    }
  }
  return found;
}

}  // namespace sluice::core
