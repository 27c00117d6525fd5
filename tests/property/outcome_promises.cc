// With which outcome a task may end, and when.
#include <algorithm>

#include "property/scheduler_model.h"

namespace sluice::core {

void SchedulerModel::hold_outcome(const Request& request, const Finish& finish) const {
  const bool ran = request.state == State::kRunning;
  expect(finish.waited >= Duration::zero() && finish.service >= Duration::zero(),
         "spans of time are not negative");
  expect(!ran || finish.node.valid(), "a finish names the node where the task ran");
  expect(ran ? request.has(finish.attempt) : !finish.attempt.valid(),
         "a finish names the attempt that ran, or one of two");
  switch (finish.outcome) {
    case Outcome::kCompleted:
    case Outcome::kFailed:
      expect(ran && (!runs(request.attempt) || (request.hedged && !runs(request.other))),
             "an attempt's end is its task's");
      break;
    case Outcome::kRefused:
      hold_refusal(request, finish);
      break;
    case Outcome::kExpired:
      expect(!ran, "only what waits expires");
      hold_expiry(request, finish.reason);
      break;
    case Outcome::kCancelled:
      expect(request.cancelling, "only what is cancelled is cancelled");
      break;
  }
}

void SchedulerModel::hold_refusal(const Request& request, const Finish& finish) const {
  expect(request.state == State::kNew, "only what comes is refused");
  expect((finish.reason == Reason::kNotAccepted) == (finish.retry_after == Duration::zero()),
         "a refusal says when to come again, unless that helps nobody");
  expect((finish.reason == Reason::kNotAccepted) ==
             (nodes_.candidates(request.labels.model, *request.labels.priority).empty() &&
              !nodes_.hosts(request.labels.model).empty()),
         "nobody is refused for a priority that some node takes");
}

void SchedulerModel::hold_expiry(const Request& request, Reason reason) const {
  const Duration max_age = options_.lanes[static_cast<std::size_t>(request.lane)].max_age;
  expect(reason != Reason::kDeadlinePassed || seen_ >= request.deadline,
         "a deadline has passed when it has");
  expect(reason != Reason::kQueueTimeout || seen_ >= request.entered + max_age,
         "nothing leaves its lane before the maximum age");
  const auto& nodes = options_.nodes;
  expect(reason != Reason::kLoadFailed ||
             std::any_of(nodes.begin(), nodes.end(),
                         [](const NodeOptions& node) { return node.managed; }),
         "no load fails where all models are always loaded");
  expect(reason != Reason::kShed ||
             options_.lanes[static_cast<std::size_t>(request.lane)].saturation == Saturation::kShed,
         "only lanes that shed shed");
  expect(
      reason != Reason::kDeadlineUnreachable || options_.policy.admission == Admission::kPredictive,
      "nobody is condemned where nothing is predicted");
}

}  // namespace sluice::core
