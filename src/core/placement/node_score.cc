#include "core/placement/node_score.h"

#include <algorithm>

namespace sluice::core {
namespace {

// NaN becomes `otherwise`.
double share(double figure, double otherwise) {
  return figure == figure ? std::clamp(figure, 0.0, 1.0) : otherwise;
}

}  // namespace

std::optional<double> sanitise(double share, std::uint64_t& rejected) {
  if (share >= 0 && share <= 1) return share;
  ++rejected;
  return std::nullopt;
}

double faded(double figure, Duration age, const FigureAges& ages) {
  if (age <= ages.fresh_for) return figure;
  if (age >= ages.unknown_after) return kUnknownFigure;
  const double gone = static_cast<double>((age - ages.fresh_for).count()) /
                      static_cast<double>((ages.unknown_after - ages.fresh_for).count());
  return figure + gone * (kUnknownFigure - figure);
}

NodeFigures faded(const NodeFigures& figures, Duration age, const FigureAges& ages) {
  return {.utilisation = faded(figures.utilisation, age, ages),
          .memory = faded(figures.memory, age, ages),
          .queue = figures.queue};
}

double node_score(const NodeFigures& figures, const NodeWeights& weights) {
  const double sum = weights.utilisation + weights.memory + weights.queue;
  if (sum <= 0) return kUnknownFigure;
  const double free = weights.utilisation * (1 - share(figures.utilisation, kUnknownFigure)) +
                      weights.memory * (1 - share(figures.memory, kUnknownFigure)) +
                      weights.queue * (1 - share(figures.queue, kUnknownFigure));
  return std::min(free / sum, 1.0);
}

double urgency_of(Priority priority) {
  constexpr int kLeastUrgent = kPriorities - 1;
  return static_cast<double>(kLeastUrgent - std::min<int>(priority, kLeastUrgent)) / kLeastUrgent;
}

double latency_risk(Duration predicted, Duration left) {
  if (left <= Duration(0)) return 1;
  return share(static_cast<double>(predicted.count()) / static_cast<double>(left.count()), 1);
}

// With r free, w = shift × (1 − r) has moved. The score's slope in r is then
//   resources + shift × (1 − 2r + latency in time) ≥ resources − shift,
// and that in latency ≥ latency − shift: rising as long as shift is no more than either.
double task_score(const TaskFigures& figures, const TaskWeights& weights) {
  const double sum = weights.latency + weights.resources + weights.urgency;
  if (sum <= 0) return kUnknownFigure;
  const double in_time = 1 - share(figures.latency_risk, 1);
  const double resources = share(figures.resources, kUnknownFigure);
  const double most = std::min(weights.latency, weights.resources);
  const double moved = std::clamp(weights.shift, 0.0, most) * (1 - resources);
  const double score = (weights.latency - moved) * in_time +
                       (weights.resources + moved) * resources +
                       weights.urgency * share(figures.urgency, 0);
  return std::clamp(score / sum, 0.0, 1.0);
}

}  // namespace sluice::core
