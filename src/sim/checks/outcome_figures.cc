// Outcomes (outcome.h, action.h, R20): each reason belongs to one outcome; a refusal says when to
// come again and nothing else does; lane, priority, model and tenant are the request's; whatever
// ran names its node. "Records complete": no field of a Finish is left out.
#include <variant>

#include "sim/checks/all.h"
#include "sim/checks/mirror.h"

namespace sluice::sim {
namespace {

using core::Outcome;
using core::Reason;

Outcome outcome_of(Reason reason) {
  switch (reason) {
    case Reason::kNone:
      return Outcome::kCompleted;
    case Reason::kDeadlinePassed:
    case Reason::kDeadlineUnreachable:
    case Reason::kQueueTimeout:
    case Reason::kShed:
    case Reason::kLoadFailed:
      return Outcome::kExpired;
    case Reason::kCallerGone:
      return Outcome::kCancelled;
    case Reason::kReplicaError:
    case Reason::kReplicaBusy:
    case Reason::kReplicaUnreachable:
    case Reason::kReplicaTimeout:
    case Reason::kBadAnswer:
    case Reason::kAttemptLost:
      return Outcome::kFailed;
    default:
      return Outcome::kRefused;
  }
}

class OutcomeFigures : public Check {
 public:
  OutcomeFigures() : Check("outcome") {}

  void on(const core::Action& action, const Step& step, const Mirror& mirror) override {
    const auto* const finish = std::get_if<core::Finish>(&action);
    const SeenRequest* const request = finish != nullptr ? mirror.find(finish->request) : nullptr;
    if (request == nullptr) return;
    expect(outcome_of(finish->reason) == finish->outcome, step, "a reason of another outcome");
    // Whom no node takes need not come again.
    const bool returns =
        finish->outcome == Outcome::kRefused && finish->reason != Reason::kNotAccepted;
    expect(returns == (finish->retry_after > Duration::zero()), step,
           "a refusal does not say when to come again, or something else does");
    const bool is_new = request->stage == Stage::kNew;
    expect((is_new || finish->model.value == request->model) &&
               finish->tenant.value == request->tenant,
           step, "an outcome names another model or tenant");
    expect(core::lane_of(finish->priority) == finish->lane, step, "a priority of another lane");
    const bool ruled =
        finish->reason == Reason::kRuleRefused || finish->reason == Reason::kRuleRateLimited;
    expect(ruled == finish->rule.valid(), step,
           "a rule refuses and is not named, or is for nothing");
    expect(finish->arrival == request->arrival && finish->deadline >= finish->arrival, step,
           "an outcome has another arrival, or a deadline before it");
    hold_run(*finish, *request, step);
  }

 private:
  void hold_run(const core::Finish& finish, const SeenRequest& request, const Step& step) {
    const bool waits_or_runs = request.stage != Stage::kNew;
    expect(!waits_or_runs || finish.lane == request.lane, step, "an outcome of another lane");
    expect(request.attempts == 0 || finish.node.valid(), step,
           "an outcome does not say where its task ran");
    expect(request.stage == Stage::kRunning || finish.service == Duration::zero(), step,
           "service of a task that does not run");
    expect(finish.outcome != Outcome::kRefused || request.attempts == 0, step,
           "a task is refused that has run");
  }
};

}  // namespace

std::unique_ptr<Check> outcome_check() {
  return std::make_unique<OutcomeFigures>();
}

}  // namespace sluice::sim
