#include "core/classify/rule_effects.h"

#include <algorithm>
#include <array>

namespace sluice::core {
namespace {

// To the priority of the lane `lanes` away that is nearest to where it was.
int move_lanes(Priority priority, int lanes) {
  constexpr std::array<Priority, kLanes> kMostUrgent{0, 3, 7};
  constexpr std::array<Priority, kLanes> kLeastUrgent{2, 6, 9};
  const int from = static_cast<int>(lane_of(priority));
  const auto to = static_cast<std::size_t>(std::clamp(from + lanes, 0, kLanes - 1));
  return std::clamp(priority, kMostUrgent[to], kLeastUrgent[to]);
}

int changed(const PriorityEffect& effect, const Labels& labels, Priority priority) {
  switch (effect.kind) {
    case PriorityEffect::Kind::kTo:
      return labels.priority ? priority : effect.value;
    case PriorityEffect::Kind::kBySteps:
      return priority + effect.value;
    case PriorityEffect::Kind::kByLanes:
      return move_lanes(priority, effect.value);
  }
  __builtin_unreachable();
}

bool relabels(const RuleEffect& effect) {
  return effect.task_type || effect.realtime || effect.weight;
}

Labels relabelled(const RuleEffect& effect, Labels labels) {
  if (effect.task_type) labels.task_type = effect.task_type;
  if (effect.realtime) labels.realtime = effect.realtime;
  if (effect.weight) labels.weight = effect.weight;
  return labels;
}

}  // namespace

RuleSubject rule_subject(const Labels& labels, const Classification& found,
                         Duration predicted_service, const Options& options) {
  const ModelOptions& model = options.models[labels.model.value];
  return {.model = labels.model,
          .tenant = labels.tenant,
          .tier = options.tenants[labels.tenant.value].tier,
          .task_type = found.task_type,
          .realtime = labels.realtime.value_or(model.realtime),
          .weight = labels.weight.value_or(model.weight),
          .priority = found.priority,
          .size_bytes = labels.size_bytes,
          .predicted_service = predicted_service};
}

Classification apply_effects(const RuleEffect& effect, const Labels& labels,
                             const Classification& found, const Options& options) {
  Classification result = relabels(effect) ? classify(relabelled(effect, labels), options) : found;
  if (effect.priority) {
    const int best = options.tenants[labels.tenant.value].best_priority;
    const int wanted = changed(*effect.priority, labels, result.priority);
    result.priority = static_cast<Priority>(std::clamp(wanted, best, kPriorities - 1));
    result.lane = lane_of(result.priority);
  }
  if (effect.budget && !labels.budget) result.budget = *effect.budget;
  return result;
}

}  // namespace sluice::core
