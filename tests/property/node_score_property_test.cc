// Scores are shares, and never reward what is worse, whatever the weights.
#include "core/placement/node_score.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace sluice::core {
namespace {

constexpr double kRounding = 1e-12;

double any_share() {
  return *rc::gen::inRange(0, 1'001) / 1'000.0;
}
// Smaller, larger.
std::pair<double, double> any_two() {
  return std::minmax({any_share(), any_share()});
}
bool is_share(double x) {
  return x >= 0 && x <= 1;
}

RC_GTEST_PROP(NodeScoreProperty, FallsWithEachFigure, ()) {
  const NodeWeights weights{any_share(), any_share(), any_share()};
  const NodeFigures figures{any_share(), any_share(), any_share()};
  RC_ASSERT(is_share(node_score(figures, weights)));
  for (const auto member : {&NodeFigures::utilisation, &NodeFigures::memory, &NodeFigures::queue}) {
    const auto [less, more] = any_two();
    NodeFigures idler = figures;
    NodeFigures busier = figures;
    idler.*member = less;
    busier.*member = more;
    RC_ASSERT(node_score(idler, weights) >= node_score(busier, weights) - kRounding);
  }
}

RC_GTEST_PROP(TaskScoreProperty, RisesWithWhatIsBetter, ()) {
  const TaskWeights weights{any_share(), any_share(), any_share(), any_share()};
  const TaskFigures figures{any_share(), any_share(), any_share()};
  RC_ASSERT(is_share(task_score(figures, weights)));
  const auto risks = any_two();
  TaskFigures safe = figures;
  TaskFigures risky = figures;
  safe.latency_risk = risks.first;
  risky.latency_risk = risks.second;
  RC_ASSERT(task_score(safe, weights) >= task_score(risky, weights) - kRounding);
  for (const auto member : {&TaskFigures::resources, &TaskFigures::urgency}) {
    const auto [less, more] = any_two();
    TaskFigures better = figures;
    TaskFigures worse = figures;
    worse.*member = less;
    better.*member = more;
    RC_ASSERT(task_score(better, weights) >= task_score(worse, weights) - kRounding);
  }
}

RC_GTEST_PROP(FadedProperty, ComesEverCloserToUnknownAndNeverPassesIt, ()) {
  const FigureAges ages;
  const double figure = any_share();
  const Duration young(*rc::gen::inRange<std::int64_t>(0, 20'000'000'000));
  const Duration old = young + Duration(*rc::gen::inRange<std::int64_t>(0, 20'000'000'000));
  const auto off = [&](Duration age) { return faded(figure, age, ages) - kUnknownFigure; };
  RC_ASSERT(std::abs(off(old)) <= std::abs(off(young)) + kRounding);
  RC_ASSERT(off(old) * off(young) >= 0);
}

}  // namespace
}  // namespace sluice::core
