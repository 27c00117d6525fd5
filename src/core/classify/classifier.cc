#include "core/classify/classifier.h"

#include <algorithm>

namespace sluice::core {
namespace {

Priority priority_for(const Labels& labels, const ModelOptions& model, const TenantOptions& tenant,
                      const PriorityTable& table) {
  if (labels.priority) return std::max(*labels.priority, tenant.best_priority);
  const Realtime realtime = labels.realtime.value_or(model.realtime);
  const WeightClass weight = labels.weight.value_or(model.weight);
  return std::max(table.at(realtime, weight, tenant.tier), tenant.best_priority);
}

Duration budget_for(const Labels& labels, const ModelOptions& model, Lane lane,
                    const Options& options) {
  if (labels.budget) return *labels.budget;
  // A level that the request names itself says more than the model's usual budget.
  if (model.budget && !labels.realtime) return *model.budget;
  const Realtime realtime = labels.realtime.value_or(model.realtime);
  const auto& by_level = options.realtime_budget[static_cast<std::size_t>(realtime)];
  return by_level ? *by_level : options.lanes[static_cast<std::size_t>(lane)].budget;
}

}  // namespace

Classification classify(const Labels& labels, const Options& options) {
  const ModelOptions& model = options.models[labels.model.value];
  const TenantOptions& tenant = options.tenants[labels.tenant.value];
  Classification result;
  result.task_type = labels.task_type.value_or(model.task_type);
  result.priority = priority_for(labels, model, tenant, options.priorities);
  result.lane = lane_of(result.priority);
  result.budget = budget_for(labels, model, result.lane, options);
  const WeightClass weight = labels.weight.value_or(model.weight);
  result.prior_service = labels.expected_service.value_or(
      model.expected_service.value_or(options.predictor.prior[static_cast<std::size_t>(weight)]));
  return result;
}

}  // namespace sluice::core
