// What each action promises.
#include <algorithm>

#include "property/scheduler_model.h"

namespace sluice::core {

SchedulerModel::Request& SchedulerModel::of(RequestId request) {
  const auto number = static_cast<std::uint64_t>(request);
  expect(number < requests_.size(), "actions name requests that there are");
  return requests_[number];
}

void SchedulerModel::hold(const Queued& queued) {
  Request& request = of(queued.request);
  expect(request.state == State::kNew, "a request is queued once, and before anything else");
  expect(request.labels.may_queue, "run now or refuse: never queued");
  request.state = State::kQueued;
  request.task = queued.task;
  log_.write("queued", queued.request, queued.task.packed());
}

// R40: each request is told of once, before anything else is.
void SchedulerModel::hold(const AdmissionRecord& record) {
  expect(of(record.request).state == State::kNew, "a request is let in or refused once");
  log_.write("admission", record.request, record.task.packed(), to_string(record.reason),
             static_cast<int>(record.original), static_cast<int>(record.priority),
             record.model.value, record.work_ahead.count(), record.slots, record.share);
}

void SchedulerModel::hold(const PlacementRecord& record) {
  expect(record.listed <= record.considered, "a record lists what was considered");
  expect(record.node.valid() == (record.listed > 0 && record.best[0].node == record.node),
         "a record lists first what was decided on");
  told_ = record;
  log_.write("placement", record.request, static_cast<int>(record.verdict), record.considered,
             record.node.value);
  for (std::size_t i = 0; i < record.listed; ++i) {
    const Weighed& weighed = record.best[i];
    expect(nodes_[weighed.node].ready, "only nodes that are up are considered");
    log_.write("weighed", record.request, weighed.node.value, static_cast<int>(weighed.marks),
               weighed.predicted.count(), weighed.cost);
  }
}

void SchedulerModel::hold(const Dispatch& dispatch) {
  expect(told_ && told_->verdict == Verdict::kRun && told_->task == dispatch.task &&
             told_->node == dispatch.node,
         "a dispatch comes after the record that explains it");
  told_.reset();
  Request& request = of(dispatch.request);
  const bool is_hedge = request.state == State::kRunning;
  if (is_hedge) hold_hedge(request, dispatch);
  expect(is_hedge || request.waits(), "only what waits is dispatched, and once");
  ModelNodes::Node& node = nodes_[dispatch.node];
  expect(node.ready, "no dispatch to a node that is down");
  expect(orders_.has_loaded(dispatch.node, dispatch.model),
         "no dispatch to a replica that is not loaded");
  ++node.in_flight;
  expect(node.in_flight <= scheduler_.node(dispatch.node).credits, "no dispatch without credit");
  expect(std::count(request.flow.begin() + 1, request.flow.end(), dispatch.node.value) == 1,
         "a dispatch goes to a node that has the model, and that it was bound to");
  if (options_.policy.reclaim == Reclaim::kAtDeadline) {
    expect(seen_ < request.deadline, "no dispatch after the deadline");
  }
  if (!is_hedge) order_.hold_first(static_cast<std::uint64_t>(dispatch.request));
  expect(
      attempts_
          .try_emplace(dispatch.attempt.packed(), RunningAttempt{dispatch.attempt, dispatch.node})
          .second,
      "no two attempts share an id");
  request.state = State::kRunning;
  request.task = dispatch.task;
  request.other = is_hedge ? request.attempt : AttemptId{};
  request.attempt = dispatch.attempt;
  request.node = dispatch.node;
  log_.write("dispatch", dispatch.request, dispatch.task.packed(), dispatch.attempt.packed(),
             dispatch.node.value, dispatch.model.value, static_cast<int>(dispatch.lane),
             static_cast<int>(dispatch.priority), dispatch.deadline.time_since_epoch().count());
}

void SchedulerModel::hold_hedge(Request& request, const Dispatch& dispatch) const {
  expect(options_.models[request.labels.model.value].hedge && request.labels.retriable,
         "only what may run twice, and asks for it, is hedged");
  expect(!request.hedged, "a task is hedged once");
  expect(dispatch.node != request.node, "a hedge is on another node");
  request.hedged = true;
}

void SchedulerModel::hold(const Requeued& requeued) {
  Request& request = of(requeued.request);
  expect(request.state == State::kRunning, "only what runs is tried again");
  expect(request.labels.retriable, "only what may run twice is tried again");
  expect(request.has(requeued.attempt), "a requeue names the attempt that it follows");
  if (requeued.cause == Reason::kNone) {
    hold_preemption(request, requeued);
  } else {
    expect(!runs(request.attempt) && !runs(request.other),
           "what is tried again has just come to nothing");
  }
  request.state = State::kQueued;
  request.again = true;
  // Where it may run is not changed by its having been promoted.
  if (nodes_.early())
    request.flow = nodes_.flow_of(request.labels.model, request.lane, *request.labels.priority);
  log_.write("requeue", requeued.request, to_string(requeued.cause), requeued.node.value);
}

void SchedulerModel::hold_preemption(Request& victim, const Requeued& requeued) const {
  const NodeOptions& node = options_.nodes[requeued.node.value];
  expect(victim.lane == Lane::kLow, "only the low lane loses slots");
  expect(node.cancel == CancelMode::kStops, "only what can be stopped loses its slot");
  expect(++victim.preemptions <= options_.preemption.most, "a task loses its slot so often");
}

void SchedulerModel::hold(const Promoted& promoted) {
  Request& request = of(promoted.request);
  expect(request.state == State::kQueued && request.lane == Lane::kLow,
         "only what waits in the low lane is promoted");
  expect(promoted.waited > options_.promotion.after, "nothing is promoted before its time");
  request.lane = lane_of(promoted.to);
  request.labels.priority = promoted.to;
  request.flow[0] = static_cast<std::uint32_t>(request.lane);
  request.again = true;
  log_.write("promote", promoted.request, static_cast<int>(promoted.to));
}

void SchedulerModel::hold(const RuleAnswer& answer) {
  log_.write("rules", RequestId{}, to_string(answer.result.error));
}

// What the control loop changes, it changes the same way each time.
void SchedulerModel::hold(const Adjusted& adjusted) {
  log_.write("adjust", RequestId{}, adjusted.change.index());
}

void SchedulerModel::hold(const LoadModel& load) {
  expect(nodes_[load.node].ready, "only nodes that are ready are told to load");
  orders_.note(load);
  log_.write("load", RequestId{}, load.node.value, load.model.value);
}

void SchedulerModel::hold(const UnloadModel& unload) {
  expect(nodes_[unload.node].ready, "only nodes that are ready are told to unload");
  orders_.note(unload);
  log_.write("unload", RequestId{}, unload.node.value, unload.model.value);
}

void SchedulerModel::hold(const Finish& finish) {
  Request& request = of(finish.request);
  expect(request.state != State::kEnded, "a request ends once");
  hold_outcome(request, finish);
  request.state = State::kEnded;
  request.task = finish.task;
  log_.write("finish", finish.request, finish.task.packed(), to_string(finish.outcome),
             to_string(finish.reason), static_cast<int>(finish.lane),
             static_cast<int>(finish.priority), finish.model.value, finish.tenant.value,
             finish.node.value, finish.arrival.time_since_epoch().count(),
             finish.deadline.time_since_epoch().count(), finish.waited.count(),
             finish.service.count(), finish.retry_after.count());
}

void SchedulerModel::hold(const CancelAttempt& cancel) {
  const auto found = attempts_.find(cancel.attempt.packed());
  expect(found != attempts_.end() && found->second.node == cancel.node,
         "only attempts that run are stopped");
  log_.write("stop", RequestId{}, cancel.attempt.packed(), cancel.node.value);
}

}  // namespace sluice::core
