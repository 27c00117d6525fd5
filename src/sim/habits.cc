#include "sim/habits.h"

#include <cmath>

#include "base/random.h"

namespace sluice::sim {

core::Labels with_habits(core::Labels labels, const Habits& habits, std::uint64_t seed,
                         std::uint64_t number) {
  Random random(seed * 0x9e3779b97f4a7c15ULL ^ number * 0xd1342543de82ef95ULL);
  labels.may_queue = random.uniform() >= habits.run_now;
  labels.retriable = random.uniform() >= habits.once;
  labels.teaches = random.uniform() >= habits.untaught;
  if (random.uniform() < habits.impatient && labels.budget) {
    const double ns = random.uniform(0, 0.2) * static_cast<double>(labels.budget->count());
    labels.budget = Duration(static_cast<std::int64_t>(ns));
  }
  if (random.uniform() < habits.hinted && labels.budget) {
    const double ns =
        std::pow(10, random.uniform(-1, 1)) * static_cast<double>(labels.budget->count()) / 5;
    labels.expected_service = Duration(static_cast<std::int64_t>(ns));
  }
  if (habits.mean_bytes > 0) {
    labels.size_bytes = static_cast<std::uint64_t>(random.exponential(habits.mean_bytes));
  }
  return labels;
}

}  // namespace sluice::sim
