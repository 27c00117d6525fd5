#include "sim/checks/checks.h"

#include <string_view>
#include <utility>
#include <variant>

#include "sim/checks/all.h"

namespace sluice::sim {
namespace {

std::vector<std::unique_ptr<Check>> all_checks(const Scenario& scenario) {
  std::vector<std::unique_ptr<Check>> checks;
  checks.push_back(one_outcome_check());
  checks.push_back(conservation_check(scenario));
  checks.push_back(credits_check());
  checks.push_back(clock_check());
  checks.push_back(order_check());
  checks.push_back(fairness_check());
  checks.push_back(age_check());
  checks.push_back(boost_check());
  checks.push_back(preemption_check());
  checks.push_back(outcome_check());
  checks.push_back(tables_check());
  checks.push_back(records_check());
  checks.push_back(decisions_check());
  checks.push_back(breakers_check());
  checks.push_back(retries_check());
  checks.push_back(limits_check());
  checks.push_back(bad_input_check());
  checks.push_back(residency_check());
  checks.push_back(metering_check());
  return checks;
}

bool exist(core::ModelId model, core::Priority priority, const core::Options& options) {
  return model.value < options.models.size() && priority < core::kPriorities;
}

// What the action names that there is not; empty: nothing. The mirror has no place for it.
std::string_view named_in_vain(const core::Action& action, const core::Options& options) {
  constexpr std::string_view kNoKind = "a model or a priority that does not exist";
  if (const auto* const queued = std::get_if<core::Queued>(&action)) {
    if (!exist(queued->model, queued->priority, options)) return kNoKind;
  } else if (const auto* const dispatch = std::get_if<core::Dispatch>(&action)) {
    if (dispatch->node.value >= options.nodes.size()) return "a node that does not exist";
    if (!exist(dispatch->model, dispatch->priority, options)) return kNoKind;
  }
  return {};
}

}  // namespace

Checks::Checks(const Scenario& scenario, const core::Options& options, Findings& findings)
    : Checks(options, all_checks(scenario), findings) {}

Checks::Checks(const core::Options& options, std::vector<std::unique_ptr<Check>> checks,
               Findings& findings)
    : mirror_(options), checks_(std::move(checks)), findings_(findings) {
  for (const auto& check : checks_) check->report_to(findings);
}

void Checks::after(const Step& step) {
  if (lost_) return;
  mirror_.hear(step.event, step.core_now);
  for (const auto& check : checks_) check->before(step, mirror_);
  for (const core::Action& action : step.actions) {
    if (const auto what = named_in_vain(action, mirror_.options()); !what.empty()) {
      findings_.add(step.now, "names", what);
      lost_ = true;
      return;
    }
    for (const auto& check : checks_) check->on(action, step, mirror_);
    mirror_.apply(action);
  }
  for (const auto& check : checks_) check->after(step, mirror_);
}

void Checks::at_end(const Step& step) {
  if (lost_) return;
  for (const auto& check : checks_) check->at_end(step, mirror_);
}

}  // namespace sluice::sim
