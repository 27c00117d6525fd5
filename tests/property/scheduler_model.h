// A tiny model of the scheduler: it knows what may happen, not what should. Every action is held
// against it, so that any sequence of events, however senseless, is a test.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/scheduler.h"
#include "property/action_log.h"
#include "property/flow_order.h"
#include "property/model_nodes.h"
#include "property/model_orders.h"
#include "property/model_request.h"

namespace sluice::core {

// Throws when an action breaks a promise of the core; what() says which.
class SchedulerModel {
 public:
  explicit SchedulerModel(Options options)
      : options_(options),
        scheduler_(std::move(options)),
        nodes_(options_),
        orders_(options_),
        order_(options_, requests_) {}
  // Its parts know each other.
  SchedulerModel(const SchedulerModel&) = delete;
  SchedulerModel& operator=(const SchedulerModel&) = delete;

  // --- events ----------------------------------------------------------------------------------
  void submit(const Labels& labels, TimePoint arrival);
  void cancel(TaskId task);
  void finish(AttemptId attempt, AttemptResult result) {
    ended(attempt);
    tell(AttemptFinished{attempt, result});
  }
  void lose(AttemptId attempt) {
    ended(attempt);
    tell(AttemptLost{attempt});
  }
  void answer(AttemptId attempt) { tell(AnswerStarted{attempt}); }
  void report(NodeReport report);
  // An order to load or to unload is answered; or one that nobody has given.
  void answer_order(std::size_t which, bool ok);
  void report(const NodeFiguresReport& report) { tell(report); }
  void tick() { tell(Tick{}); }
  // Backwards, too.
  void move_time(Duration by) { now_ += by; }

  // Another scheduler takes over: made from what this one has written down.
  void restore();

  // Whatever runs is answered, and time goes on until nothing waits.
  void drain();

  // --- what there is ---------------------------------------------------------------------------
  std::size_t request_count() const { return requests_.size(); }
  TaskId task(std::size_t request) const { return requests_[request].task; }
  // Not ended, abandoned ones too; in the order of their ids.
  std::vector<AttemptId> live_attempts() const {
    std::vector<AttemptId> all;
    for (const auto& [packed, attempt] : attempts_) all.push_back(attempt.id);
    return all;
  }
  const std::vector<AttemptId>& dead_attempts() const { return dead_attempts_; }
  bool all_ended() const {
    return std::all_of(requests_.begin(), requests_.end(), [](const ModelRequest& r) {
      return r.state == ModelRequest::State::kEnded;
    });
  }
  TimePoint now() const { return now_; }
  const Scheduler& scheduler() const { return scheduler_; }
  // Every action with all of its fields, a line each.
  const std::string& log() const { return log_.text(); }
  // All that the scheduler knows.
  std::vector<std::byte> state() const {
    std::vector<std::byte> bytes;
    scheduler_.save(bytes);
    return bytes;
  }

 private:
  using Request = ModelRequest;
  using State = ModelRequest::State;
  struct RunningAttempt {
    AttemptId id;
    NodeId node;
  };

  // Events (scheduler_model.cc).
  void ended(AttemptId attempt);
  void tell(const Event& event);
  void hold_no_idling() const;

  // Actions (scheduler_promises.cc).
  Request& of(RequestId request);
  bool runs(AttemptId attempt) const { return attempts_.contains(attempt.packed()); }
  void hold(const AdmissionRecord& record);
  void hold(const PlacementRecord& record);
  void hold(const Queued& queued);
  void hold(const Dispatch& dispatch);
  void hold_hedge(Request& request, const Dispatch& dispatch) const;
  void hold(const Requeued& requeued);
  void hold_preemption(Request& victim, const Requeued& requeued) const;
  void hold(const Promoted& promoted);
  void hold(const RuleAnswer& answer);
  void hold(const Adjusted& adjusted);
  void hold(const LoadModel& load);
  void hold(const UnloadModel& unload);
  void hold(const CancelAttempt& cancel);
  void hold(const Finish& finish);
  // Outcomes (outcome_promises.cc).
  void hold_outcome(const Request& request, const Finish& finish) const;
  void hold_refusal(const Request& request, const Finish& finish) const;
  void hold_expiry(const Request& request, Reason reason) const;

  Options options_;
  Scheduler scheduler_;
  TimePoint now_{std::chrono::seconds(1)};
  TimePoint seen_;  // the latest that the scheduler was told
  std::vector<Request> requests_;
  std::map<std::uint64_t, RunningAttempt> attempts_;
  std::vector<AttemptId> dead_attempts_;
  ModelNodes nodes_;
  ModelOrders orders_;
  FlowOrder order_;
  std::optional<PlacementRecord> told_;  // the latest, until its Dispatch
  ActionLog log_;
};

}  // namespace sluice::core
