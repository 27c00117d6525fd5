// In which order the tasks of a flow have to go.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "property/model_request.h"

namespace sluice::core {

class FlowOrder {
 public:
  // Both must outlive it.
  FlowOrder(const Options& options, const std::vector<ModelRequest>& requests)
      : options_(options), requests_(requests) {}

  void hold_first(std::uint64_t number) const {
    // What a task was expected to take on its arrival, only the core knows.
    if (options_.policy.ordering == Ordering::kSlack) return;
    for (std::uint64_t other = 0; other < requests_.size(); ++other) {
      const bool tie = requests_[number].again || requests_[other].again;
      expect(other == number || !requests_[other].waits() || !same_flow(number, other) ||
                 rank(number) < rank(other) || (tie && rank(number).first == rank(other).first),
             "nothing is dispatched before a task of smaller rank of its flow");
    }
  }

 private:
  // With the weights of expected service and drops at zero, the rank is no secret.
  std::pair<std::int64_t, std::uint64_t> rank(std::uint64_t number) const {
    const ModelRequest& request = requests_[number];
    const std::int64_t arrival = request.arrival.time_since_epoch().count();
    const std::int64_t priority = *request.labels.priority;
    switch (options_.policy.ordering) {
      case Ordering::kScore:
        return {arrival + priority * options_.score.per_priority.count(), number};
      case Ordering::kArrival:
      case Ordering::kShortest:
        return {arrival, number};
      case Ordering::kPriority:
        return {(priority << 59) + arrival, number};
      case Ordering::kDeadline:
        return {request.deadline.time_since_epoch().count(), number};
      case Ordering::kSlack:
        break;
    }
    return {};
  }

  // Whether one order holds for both: tenants have their own where they are treated fairly, models
  // where the head of one may choose to wait, or may have to.
  bool same_flow(std::uint64_t a, std::uint64_t b) const {
    const Labels& one = requests_[a].labels;
    const Labels& other = requests_[b].labels;
    return requests_[a].flow == requests_[b].flow &&
           (options_.policy.fairness == Fairness::kNone || one.tenant == other.tenant) &&
           (one.model == other.model ||
            (options_.policy.admission == Admission::kCapacityOnly && !any_managed()));
  }
  bool any_managed() const {
    return std::any_of(options_.nodes.begin(), options_.nodes.end(),
                       [](const NodeOptions& node) { return node.managed; });
  }

  const Options& options_;
  const std::vector<ModelRequest>& requests_;
};

}  // namespace sluice::core
