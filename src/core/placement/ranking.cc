// By which of its candidates a placement strategy stands.
#include <algorithm>
#include <tuple>

#include "core/placement/placement.h"
#include "core/placement/strategy.h"

namespace sluice::core {

void Placement::rank(const Task& task, Candidate& candidate, TimePoint now) {
  const PlacementKind kind = options_.policy.placement;
  candidate.ranked = true;
  if (draws_lots(kind)) candidate.lot = random_.next();
  const Node& node = nodes_[candidate.node.value];
  switch (kind) {
    case PlacementKind::kFinishFirst:
      candidate.cost = static_cast<double>(candidate.prediction.total().count());
      break;
    case PlacementKind::kScore:
      candidate.cost = 1 - score_of(task, candidate, now);
      candidate.flooded = figures_[candidate.node.value].flooded(
          now, node.in_flight(), node.allowed(), options_.placement.ages,
          options_.placement.throttle);
      break;
    case PlacementKind::kLeastOutstanding:
      candidate.cost = outstanding(node);
      break;
    case PlacementKind::kShortestExpected:
      candidate.cost = expected_queue_ns(node, candidate.prediction.service);
      break;
    case PlacementKind::kRandom:
    case PlacementKind::kPowerOfTwo:
      break;
  }
}

bool Placement::preferred(const Candidate& a, const Candidate& b) {
  return std::tuple(a.tried, a.behind, a.flooded, a.cost, a.lot, a.node) <
         std::tuple(b.tried, b.behind, b.flooded, b.cost, b.lot, b.node);
}

std::size_t Placement::shortlist_length() const {
  switch (options_.policy.placement) {
    case PlacementKind::kPowerOfTwo:
      return 2;
    case PlacementKind::kScore:
      return options_.placement.top_k;
    default:
      return 1;
  }
}

const Placement::Candidate& Placement::pick_of(std::span<const Candidate> best) {
  if (best.size() == 1) return best.front();
  // None that is only there because there were few.
  const auto worse = [&](const Candidate& c) {
    const Candidate& first = best.front();
    return c.tried != first.tried || c.behind != first.behind || c.flooded != first.flooded;
  };
  best = best.first(
      static_cast<std::size_t>(std::find_if(best.begin(), best.end(), worse) - best.begin()));
  if (options_.policy.placement == PlacementKind::kScore) return draw_by_score(best);
  const auto less = [this](const Candidate& a, const Candidate& b) {
    return outstanding(nodes_[a.node.value]) < outstanding(nodes_[b.node.value]);
  };
  return *std::min_element(best.begin(), best.end(), less);
}

const Placement::Candidate& Placement::draw_by_score(std::span<const Candidate> best) {
  double left = 0;
  for (const Candidate& candidate : best) left += 1 - candidate.cost;
  left *= random_.uniform();
  for (const Candidate& candidate : best) {
    left -= 1 - candidate.cost;
    if (left < 0) return candidate;
  }
  return best.front();
}

}  // namespace sluice::core
