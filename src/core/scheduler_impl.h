// The inside of the scheduler: who owns what.
//
// A task's life:     submit → (refuse | enqueue) → (expire | cancel | start) → end
//                    running → waiting again, when an attempt at it has failed
// An attempt's life: start → (finish | lost); abandoned in between when its caller leaves
//
// One writer a piece of state:
//   tasks_, attempts_   this class; everything else refers to them by slot
//   flows_              the queues; active flags come from placement_, tasks from this class
//   residency_          which models are loaded where; tells placement_ by being asked
//   placement_          nodes, credits, service times; tells flows_ who has credit
//   tenants_            limits and usage; tells flows_ who is blocked
//   the controllers     what the control loop has decided; see feedback.cc
//   wheel_              when waiting tasks run out of time; holds exactly the waiting tasks
//   hedges_             when running tasks get a second attempt
//   counters_           the ledger, moved only by the functions of this class
#pragma once

#include <vector>

#include "base/state.h"
#include "core/admission/admission.h"
#include "core/admission/tenants.h"
#include "core/classify/active_rules.h"
#include "core/classify/classifier.h"
#include "core/classify/kind_history.h"
#include "core/control/active_set.h"
#include "core/control/lane_meter.h"
#include "core/lanes/arrival_list.h"
#include "core/lanes/flows.h"
#include "core/lanes/lane_service.h"
#include "core/lanes/slack_index.h"
#include "core/lanes/timer_wheel.h"
#include "core/placement/placement.h"
#include "core/placement/residency.h"
#include "core/pool.h"
#include "core/scheduler.h"
#include "core/task.h"

namespace sluice::core {

struct Scheduler::Impl {
  explicit Impl(Options given);

  void handle(const Event& event, TimePoint now, ActionBuffer& actions);
  void prepare(const Event& event);
  void prepare(const Labels& labels);
  TimePoint next_wakeup() const;
  void report_changes();
  void check_sums() const;
  void check_invariants() const;
  void check_tasks() const;
  void check_credits() const;

  // Events (scheduler.cc).
  void on(const Submitted& event);
  void on(const Cancelled& event);
  void on(const AnswerStarted& event);
  void on(const AttemptFinished& event);
  void on(const AttemptLost& event);
  void on(const NodeReport& event);
  void on(const NodeFiguresReport& event);
  void on(const RuleChange& event);
  void on(const ModelLoaded& event);
  void on(const ModelUnloaded& event);
  void on(const Tick&) {}

  // Admission (submission.cc).
  struct Refusal {
    Outcome outcome = Outcome::kRefused;
    Reason reason = Reason::kNone;
    Duration retry_after{0};
    RuleId rule;
  };
  // A request on its way to become a waiting task.
  struct Entry {
    TaskId id;
    ClassId klass;
    std::optional<Prediction> best;  // of the ready nodes, or of a good one
    std::optional<WorkAhead> ahead;  // where it was asked for
    Priority original = 0;           // before rules and penalties
    bool may_queue = true;
    bool degraded = false;
    std::optional<AttemptId> victim;  // whose slot it takes
    std::optional<Refusal> ruled;     // what a rule says
    RuleId rate;                      // the rule whose rate it counts against
  };
  void check_names(const Labels& labels) const;
  Entry create(const Submitted& event);
  void classify_as(Task& created, const Classification& found);
  void set_model(Entry& entry, ModelId model);
  void expect(Entry& entry, const std::optional<Prediction>& best);
  void note_arrival(const Entry& entry);
  std::optional<Refusal> refusal(Entry& entry);
  std::optional<Refusal> unavailable(const Entry& entry) const;
  std::optional<Refusal> unfit(Entry& entry);
  bool degrade(Entry& entry);
  bool wants_degrading(const Entry& entry) const;
  Refusal would_queue(const Entry& entry) const;
  std::optional<Refusal> refusal_by_tenant(const Task& task);
  std::optional<Refusal> refusal_by_room(const Task& task) const;
  std::optional<Refusal> refusal_by_budget(Entry& entry);
  void admit(const Entry& entry);
  std::optional<std::uint32_t> to_shed_for(const Task& task) const;
  void rank(Task& entering) const;

  // Why (telling.cc).
  void tell_admission(const Entry& entry, const std::optional<Refusal>& refused);
  void tell_placement(std::uint32_t slot, Verdict verdict);

  // Rules (ruling.cc).
  void apply_rules(Entry& entry, const Labels& labels, const Classification& found);
  std::optional<Refusal> refusal_by_rule(const Entry& entry);
  ClassId bind(const Task& task);
  bool is_bound(const Entry& entry) const;
  bool nothing_waits(ClassId klass) const;
  const Flows::Totals& backlog(Lane lane, ClassId klass) const {
    return flows_.totals(Flows::group_of(lane, klass));
  }
  // Whom the task's share is booked to: its tenant, or one for all where fairness is off.
  TenantId competitor(const Task& task) const {
    return options_.policy.fairness == Fairness::kTenants ? task.tenant : TenantId{0};
  }
  Flows::Item item_of(std::uint32_t slot) const {
    return {.slot = slot, .bytes = tasks_[slot].size_bytes, .work = tasks_[slot].expected_service};
  }
  Duration time_to_probe() const;
  Duration time_to_drain(Lane lane) const;
  Duration time_to_return(Lane lane, Duration predicted) const;
  double lane_share(Lane lane, ClassId klass) const;
  WorkAhead work_ahead(const Task& task, ClassId klass) const;
  void refuse(TaskId id, const Refusal& refusal);
  // For the first time, or again: then it is among the oldest of its lane.
  enum class Turn : std::uint8_t { kNew, kAgain };
  void wait(std::uint32_t slot, ClassId klass, Turn turn);

  // Loading and unloading (loading.cc).
  void keep_resident();
  bool cold(ModelId model, ClassId klass) const;
  bool load_has_failed(const Task& waiting, ClassId klass) const;
  bool load_comes_too_late(const Task& waiting, ClassId klass) const;
  std::optional<Refusal> refusal_while_cold(const Entry& entry);

  // Dispatch (dispatch.cc).
  void expire_due();
  void dispatch();
  bool dispatch_one();
  void serve(Flows::FlowId flow);
  std::optional<Flows::FlowId> next_flow();
  void start(std::uint32_t slot, const Choice& choice);
  // Who has paid for an attempt.
  struct Payment {
    Flows::ShareId share = 0;
    bool reserved = false;
  };
  AttemptId begin_attempt(std::uint32_t slot, const Choice& choice, const Payment& payment);
  void prefetch_waiting(std::uint32_t slot) const;
  void leave_queue(std::uint32_t slot);
  std::optional<Reason> lost_cause(std::uint32_t slot);
  Reason expiry_reason(const Task& task) const;
  void expire(std::uint32_t slot, Reason reason);

  // Preemption (preemption.cc).
  bool preemptible(const Task& running) const;
  void hold_slot(std::uint32_t attempt_slot);
  void keep_slot(std::uint32_t attempt_slot);
  std::optional<AttemptId> victim_for(const Task& urgent, ClassId klass);
  void preempt(AttemptId id);
  void dispatch_urgent();

  // Hedging (hedging.cc).
  void plan_hedge(std::uint32_t slot, const Choice& choice);
  void forget_hedge(std::uint32_t slot);
  void hedge_due();
  void hedge(std::uint32_t slot);
  AttemptId other_of(const Task& task, AttemptId one) const;
  void leave_to(Task& task, AttemptId other);

  // Endings (endings.cc).
  void end_attempt(AttemptId id, std::optional<AttemptResult> result);
  void end_task_of(const Attempt& attempt, AttemptId id, std::optional<AttemptResult> result);
  void settle(const Attempt& attempt, std::optional<AttemptResult> result);
  std::optional<Duration> measured_service(const Attempt& attempt) const;
  void end_or_retry(const Attempt& attempt, std::optional<AttemptResult> result);
  bool may_retry(const Attempt& attempt, AttemptResult result) const;
  bool retry(const Attempt& attempt, Reason cause);
  void requeue(const Attempt& attempt, ClassId klass, Reason cause);
  void abandon(AttemptId id);
  void task_gone_from(const Attempt& attempt);
  void end(TaskId id, Outcome outcome, Reason reason, Duration retry_after = Duration::zero(),
           RuleId rule = {});
  void remember(const Task& ended, Outcome outcome, Reason reason);

  // The control loop (feedback.cc).
  bool adapts() const { return options_.policy.control == Control::kAdaptive; }
  void wake_control();
  void control_if_due();
  SystemFigures read_load();
  void report(const Adjusted& change);
  void correct_kinds(double load);
  void weigh_lanes();
  Duration oldest_wait(Lane lane) const;
  void limit_lanes(const SystemFigures& figures);
  void shrink_tenants(double load);
  void penalise_tenants();
  void shrink_models();
  double backlog_at_replicas(ModelId model) const;
  void promote_starved();
  void promote(std::uint32_t slot);

  Task& task(TaskId id) { return tasks_[id.slot]; }
  LaneOptions& lane_options(Lane lane) { return options_.lanes[static_cast<std::size_t>(lane)]; }

  // At most this many tasks are dispatched or expired in one call, so that a mass event does not
  // hold up everything else.
  static constexpr int kTasksPerCall = 256;

  Options options_;
  Eligibility eligibility_;
  Flows flows_;
  Residency residency_;
  Placement placement_;
  Tenants tenants_;
  LaneService lane_service_;
  TimerWheel wheel_;
  Pool<Task, TaskId> tasks_;
  Pool<Attempt, AttemptId> attempts_;
  std::vector<KindHistory> history_;  // by task type
  RetryBudget retry_budget_;
  ActiveRules rules_;
  SlackIndex slack_;
  ArrivalThreads arrivals_;
  std::array<ArrivalThreads::List, kLanes> arrived_;

  // Attempts of the low lane whose slot may be taken, by node, in the order in which they began.
  ArrivalThreads stoppable_;
  std::vector<ArrivalThreads::List> stoppable_on_;
  std::size_t next_victim_node_ = 0;
  TimerWheel hedges_;  // running tasks, by when they get a second attempt

  // The control loop: figures in, controllers, and what they decided that is kept here.
  std::array<LaneMeter, kLanes> meters_;
  std::vector<Realtime> realtime_of_kind_;  // the most urgent among its models
  ActiveSet<TaskTypeId> active_kinds_;
  ActiveSet<TenantId> active_tenants_;
  LoadGauge load_;
  Corrections corrections_;
  LaneWeights lane_weights_;
  ShrinkingShare non_core_;  // share of tenants that are no core tenants
  TenantPenalties penalties_;
  ActiveSet<ModelId> active_models_;
  struct ModelShare {
    ShrinkingShare share;
    std::uint32_t running = 0;
    std::uint32_t cap = UINT32_MAX;  // of running ones; beyond it its tasks wait

    SLUICE_STATE(share, running, cap);
  };
  std::vector<ModelShare> model_shares_;
  std::uint32_t promoted_waiting_ = 0;
  Period period_;
  static constexpr std::uint32_t kNoCap = UINT32_MAX;
  std::array<std::uint32_t, kLanes> caps_{kNoCap, kNoCap, kNoCap};  // of running tasks
  std::array<std::uint32_t, kLanes> running_{};
  TimePoint control_due_ = kNever;
  std::uint32_t changes_ = 0;  // of the tick in progress

  Counters counters_;

  // Of the call in progress.
  TimePoint now_;
  ActionBuffer* actions_ = nullptr;
  int tasks_left_ = kTasksPerCall;
  Classification classified_;  // the request that is submitted

  // For snapshots (base/state.h).
  template <class Self, class Archive>
  static void visit_state(Self& self, Archive& archive) {
    auto& [options, eligibility, flows, residency, placement, tenants, lane_service, wheel, tasks,
           attempts, history, retry_budget, rules, slack, arrivals, arrived, stoppable,
           stoppable_on, next_victim_node, hedges, meters, realtime_of_kind, active_kinds,
           active_tenants, load, corrections, lane_weights, non_core, penalties, active_models,
           model_shares, promoted_waiting, period, caps, running, control_due, changes, counters,
           now, actions, tasks_left, classified] = self;
    archive(flows, residency, placement, tenants, lane_service, wheel, tasks, attempts, history,
            retry_budget, rules, slack, arrivals, arrived, stoppable, stoppable_on,
            next_victim_node, hedges, meters, active_kinds, active_tenants, load, corrections,
            lane_weights, non_core, penalties, active_models, model_shares, promoted_waiting,
            period, caps, running, control_due, changes, counters, now, tasks_left);
  }
};

}  // namespace sluice::core
