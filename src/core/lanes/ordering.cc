#include "core/lanes/ordering.h"

namespace sluice::core {
namespace {

// R4, in nanoseconds of later arrival. A task is passed only by tasks that came less than
// 9·α + β·(its expected service) + γ after it: that bounds its wait behind later ones.
std::int64_t score(const Task& task, double drop_share, const ScoreWeights& weights) {
  const auto urgency = weights.per_priority.count() * task.priority;
  const auto length = static_cast<std::int64_t>(weights.per_expected_service *
                                                static_cast<double>(task.expected_service.count()));
  const auto help =
      static_cast<std::int64_t>(drop_share * static_cast<double>(weights.per_drop_share.count()));
  return task.arrival.time_since_epoch().count() + urgency + length - help;
}

// Expected service as later arrival: a task that takes E is passed only by tasks that came less
// than shortest_service × E after it. That is its wait behind later ones, at most.
std::int64_t shortest_aged(const Task& task, const ScoreWeights& weights) {
  return task.arrival.time_since_epoch().count() +
         static_cast<std::int64_t>(weights.shortest_service *
                                   static_cast<double>(task.expected_service.count()));
}

// Priority in the top bits, arrival below: 2^59 ns are 18 years of uptime.
std::int64_t priority_then_arrival(const Task& task) {
  constexpr int kArrivalBits = 59;
  constexpr std::int64_t kMask = (std::int64_t{1} << kArrivalBits) - 1;
  return (static_cast<std::int64_t>(task.priority) << kArrivalBits) |
         (task.arrival.time_since_epoch().count() & kMask);
}

}  // namespace

std::int64_t order_key(Ordering ordering, const Task& task, double drop_share,
                       const ScoreWeights& weights) {
  switch (ordering) {
    case Ordering::kScore:
      return score(task, drop_share, weights);
    case Ordering::kArrival:
      return task.arrival.time_since_epoch().count();
    case Ordering::kPriority:
      return priority_then_arrival(task);
    case Ordering::kDeadline:
      return task.deadline.time_since_epoch().count();
    case Ordering::kSlack:
      return (task.deadline - task.expected_service).time_since_epoch().count();
    case Ordering::kShortest:
      return shortest_aged(task, weights);
  }
  __builtin_unreachable();
}

}  // namespace sluice::core
