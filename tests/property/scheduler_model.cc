// What is told to the scheduler, and what holds after each event.
#include "property/scheduler_model.h"

namespace sluice::core {

void SchedulerModel::submit(const Labels& labels, TimePoint arrival) {
  const std::uint64_t request = requests_.size();
  Request entering;
  entering.labels = labels;
  entering.lane = lane_of(*labels.priority);
  entering.arrival = std::min(arrival, std::max(seen_, now_));
  entering.deadline = entering.arrival + std::max(*labels.budget, Duration::zero());
  entering.entered = std::max(seen_, now_);
  entering.flow = nodes_.flow_of(labels.model, entering.lane, *labels.priority);
  requests_.push_back(entering);
  tell(Submitted{.request = RequestId{request}, .labels = labels, .arrival = arrival});
  expect(requests_[request].state != State::kNew, "a submitted request is answered at once");
}

void SchedulerModel::cancel(TaskId task) {
  for (Request& request : requests_) request.cancelling = request.task == task;
  tell(Cancelled{task});
  for (Request& request : requests_) {
    expect(!request.cancelling || request.state == State::kEnded, "a cancelled task ends at once");
    request.cancelling = false;
  }
}

void SchedulerModel::report(NodeReport report) {
  if (report.node.value < nodes_.size()) {
    nodes_[report.node].ready = report.ready;
    if (!report.ready) orders_.node_down(report.node);
  }
  tell(report);
}

void SchedulerModel::answer_order(std::size_t which, bool ok) {
  if (orders_.empty()) {
    tell(ModelLoaded{.node = NodeId{9}, .model = ModelId{0}, .ok = ok});
    return;
  }
  const ModelOrders::Order order = orders_.answer(which, ok);
  if (order.load) {
    tell(ModelLoaded{.node = order.node, .model = order.model, .ok = ok});
  } else {
    tell(ModelUnloaded{.node = order.node, .model = order.model, .ok = ok});
  }
}

void SchedulerModel::restore() {
  const std::vector<std::byte> before = state();
  Restored restored = Scheduler::restore(options_, before);
  expect(restored.scheduler.has_value(), "what was written down can be read back");
  scheduler_ = *std::move(restored.scheduler);
  scheduler_.check_invariants();
  expect(state() == before, "nothing is lost");
}

void SchedulerModel::drain() {
  now_ = std::max(now_, seen_);
  while (!attempts_.empty() || scheduler_.counters().waiting > 0) {
    if (!attempts_.empty()) {
      finish(attempts_.begin()->second.id, AttemptResult::kAnswered);
    } else {
      now_ = std::max(now_, scheduler_.next_wakeup());
      tick();
    }
  }
  while (!orders_.empty()) answer_order(0, true);
}

void SchedulerModel::ended(AttemptId attempt) {
  const auto found = attempts_.find(attempt.packed());
  if (found == attempts_.end()) return;
  --nodes_[found->second.node].in_flight;
  attempts_.erase(found);
  dead_attempts_.push_back(attempt);
}

void SchedulerModel::tell(const Event& event) {
  seen_ = std::max(seen_, now_);
  ActionBuffer actions;
  scheduler_.handle(event, now_, actions);
  scheduler_.check_invariants();
  for (const Action& action : actions) {
    std::visit([this](const auto& a) { hold(a); }, action);
  }
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    expect(scheduler_.node({n}).in_flight == nodes_[{n}].in_flight, "credits are counted");
  }
  hold_no_idling();
}

// Where nothing is predicted, nothing waits beside a credit that it could use.
void SchedulerModel::hold_no_idling() const {
  const bool predicts =
      options_.policy.admission == Admission::kPredictive && options_.predictor.min_samples < 1'000;
  // Breakers, reserves and caps leave credits free on purpose, and so does a least score.
  const bool may_wait =
      options_.policy.control == Control::kAdaptive || options_.placement.least_score > 0;
  if (predicts || may_wait || scheduler_.next_wakeup() <= seen_) return;
  for (const Request& request : requests_) {
    if (!request.waits()) continue;
    for (std::size_t i = 1; i < request.flow.size(); ++i) {
      const NodeView node = scheduler_.node({request.flow[i]});
      if (!orders_.has_loaded({request.flow[i]}, request.labels.model)) continue;
      if (nodes_.stands_by(request.flow, request.flow[i])) continue;
      expect(!node.ready || node.in_flight >= node.credits, "no task waits beside a free credit");
    }
  }
}

}  // namespace sluice::core
