#include "core/classify/rules.h"

namespace sluice::core {
namespace {

template <class T>
bool is(const std::optional<T>& wanted, T given) {
  return !wanted || *wanted == given;
}

template <class T>
bool reaches(const std::optional<T>& least, T given) {
  return !least || given >= *least;
}

}  // namespace

bool RuleMatch::matches(const RuleSubject& s, const KindFigures& figures) const {
  return is(model, s.model) && is(tenant, s.tenant) && is(tier, s.tier) &&
         is(task_type, s.task_type) && is(realtime, s.realtime) && is(weight, s.weight) &&
         priority_from <= s.priority && s.priority <= priority_to && size_from <= s.size_bytes &&
         s.size_bytes <= size_to && reaches(service_at_least, s.predicted_service) &&
         reaches(rate_at_least_per_s, figures.rate_per_s) &&
         reaches(error_share_at_least, figures.error_share) &&
         reaches(miss_share_at_least, figures.miss_share);
}

Rule large_task_rule(Duration at_least) {
  return {.name = "large-task-less-urgent",
          .match = {.priority_to = 2, .service_at_least = at_least},
          .effect = {.priority = PriorityEffect{PriorityEffect::Kind::kByLanes, +1}}};
}

}  // namespace sluice::core
