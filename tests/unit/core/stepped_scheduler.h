// A scheduler that is told one thing after the other, and says in short words what it decided.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/scheduler.h"

namespace sluice::core {

// Options to start from: models m0 … on nodes of one slot each, all on all, no way between.
inline Options small_options(std::uint32_t models = 1, std::uint32_t nodes = 1) {
  Options options;
  options.task_types = {"image"};
  std::vector<ModelId> all;
  for (std::uint32_t m = 0; m < models; ++m) {
    options.models.push_back({.task_type = TaskTypeId{0}, .weight = WeightClass::kLight});
    all.push_back({m});
  }
  options.nodes.resize(nodes, {.models = all});
  return options;
}

inline Labels asking(Priority priority, Duration budget, std::uint32_t model = 0) {
  return {.model = ModelId{model}, .tenant = TenantId{0}, .priority = priority, .budget = budget};
}

class SteppedScheduler {
 public:
  // What one event led to, in order: "queued 3", "dispatch 3 to 0", "finish 3 failed bad_answer",
  // "stop 3 at 0", "load 1 at 0". Numbers are those of requests, models and nodes.
  using Said = std::vector<std::string>;

  explicit SteppedScheduler(Options options)
      : scheduler_(std::make_unique<Scheduler>(std::move(options))) {}

  Said tell(const Event& event) {
    ActionBuffer actions;
    scheduler_->handle(event, now_, actions);
    scheduler_->check_invariants();
    Said said;
    for (const Action& action : actions) {
      const std::string what = std::visit([this](const auto& a) { return note(a); }, action);
      // What the control loop does, and why anything is done, is looked at by who asks for it.
      if (what != "adjust" && !what.empty()) said.push_back(what);
    }
    return said;
  }
  Said submit(std::uint64_t request, const Labels& labels) {
    return tell(Submitted{.request = RequestId{request}, .labels = labels, .arrival = now_});
  }
  Said cancel(std::uint64_t request) { return tell(Cancelled{.task = tasks_.at(request)}); }
  Said finish(std::uint64_t request, AttemptResult result = AttemptResult::kAnswered) {
    return tell(AttemptFinished{.attempt = attempt(request), .result = result});
  }
  Said report(std::uint32_t node, bool ready) {
    return tell(NodeReport{.node = NodeId{node}, .ready = ready});
  }
  Said loaded(std::uint32_t model, std::uint32_t node, bool ok = true) {
    return tell(ModelLoaded{.node = NodeId{node}, .model = ModelId{model}, .ok = ok});
  }
  Said unloaded(std::uint32_t model, std::uint32_t node, bool ok = true) {
    return tell(ModelUnloaded{.node = NodeId{node}, .model = ModelId{model}, .ok = ok});
  }
  Said tick() { return tell(Tick{}); }

  // Every node is ready, with nothing to do.
  SteppedScheduler& all_ready() {
    for (std::uint32_t n = 0; n < scheduler_->options().nodes.size(); ++n) report(n, true);
    return *this;
  }
  // Serves requests for the model one by one, each for so long, until its estimate is trusted. They
  // go to the nodes that are ready; their numbers are above a million.
  void teach(Duration service, std::uint32_t model = 0) {
    for (int i = 0; i < 5; ++i) {
      submit(next_lesson_, asking(0, std::chrono::hours(1), model));
      advance(service);
      finish(next_lesson_++);
    }
  }

  void advance(Duration by) { now_ += by; }
  TimePoint now() const { return now_; }
  void set_now(TimePoint now) { now_ = now; }

  Scheduler& scheduler() { return *scheduler_; }
  AttemptId attempt(std::uint64_t request) const { return dispatches_.at(request).attempt; }
  TaskId task(std::uint64_t request) const { return tasks_.at(request); }
  const Dispatch& dispatched(std::uint64_t request) const { return dispatches_.at(request); }
  const std::vector<RuleResult>& rule_answers() const { return rule_answers_; }
  const std::vector<Adjusted>& adjustments() const { return adjustments_; }
  const Requeued& requeued(std::uint64_t request) const { return requeues_.at(request); }
  // The latest of the request.
  const AdmissionRecord& admission(std::uint64_t request) const { return admissions_.at(request); }
  const PlacementRecord& placement(std::uint64_t request) const { return placements_.at(request); }
  const Finish& finished(std::uint64_t request) const { return finishes_.at(request); }

 private:
  static std::uint64_t number(RequestId request) { return static_cast<std::uint64_t>(request); }

  std::string note(const AdmissionRecord& record) {
    admissions_.insert_or_assign(number(record.request), record);
    return "";
  }
  std::string note(const PlacementRecord& record) {
    placements_.insert_or_assign(number(record.request), record);
    return "";
  }
  std::string note(const Queued& queued) {
    tasks_[number(queued.request)] = queued.task;
    return "queued " + std::to_string(number(queued.request));
  }
  std::string note(const Dispatch& dispatch) {
    const std::uint64_t request = number(dispatch.request);
    tasks_[request] = dispatch.task;
    requests_[dispatch.attempt.packed()] = request;
    dispatches_[request] = dispatch;
    return "dispatch " + std::to_string(request) + " to " + std::to_string(dispatch.node.value);
  }
  std::string note(const Requeued& requeued) {
    requeues_[number(requeued.request)] = requeued;
    const std::string why =
        requeued.cause == Reason::kNone ? "preempted" : std::string(to_string(requeued.cause));
    return "requeue " + std::to_string(number(requeued.request)) + " " + why;
  }
  std::string note(const Promoted& promoted) {
    return "promote " + std::to_string(number(promoted.request)) + " to " +
           std::to_string(promoted.to);
  }
  std::string note(const RuleAnswer& answer) {
    rule_answers_.push_back(answer.result);
    return "rules " + std::string(answer.result.ok() ? "changed" : to_string(answer.result.error));
  }
  std::string note(const Adjusted& adjusted) {
    adjustments_.push_back(adjusted);
    return "adjust";
  }
  std::string note(const LoadModel& load) {
    return "load " + std::to_string(load.model.value) + " at " + std::to_string(load.node.value);
  }
  std::string note(const UnloadModel& unload) {
    return "unload " + std::to_string(unload.model.value) + " at " +
           std::to_string(unload.node.value);
  }
  std::string note(const Finish& finish) {
    const std::uint64_t request = number(finish.request);
    finishes_[request] = finish;
    const std::string why =
        finish.outcome == Outcome::kCompleted ? "" : " " + std::string(to_string(finish.reason));
    return "finish " + std::to_string(request) + " " + std::string(to_string(finish.outcome)) + why;
  }
  std::string note(const CancelAttempt& cancel) {
    return "stop " + std::to_string(requests_.at(cancel.attempt.packed())) + " at " +
           std::to_string(cancel.node.value);
  }

  std::unique_ptr<Scheduler> scheduler_;
  TimePoint now_{std::chrono::seconds(1)};
  std::uint64_t next_lesson_ = 1'000'000;
  std::map<std::uint64_t, TaskId> tasks_;
  std::map<std::uint64_t, Dispatch> dispatches_;
  std::map<std::uint64_t, Requeued> requeues_;
  std::map<std::uint64_t, Finish> finishes_;
  std::map<std::uint64_t, AdmissionRecord> admissions_;
  std::map<std::uint64_t, PlacementRecord> placements_;
  std::map<std::uint64_t, std::uint64_t> requests_;
  std::vector<Adjusted> adjustments_;
  std::vector<RuleResult> rule_answers_;
};

}  // namespace sluice::core
