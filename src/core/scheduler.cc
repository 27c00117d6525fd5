#include "core/scheduler.h"

#include <utility>

#include "base/check.h"
#include "core/scheduler_impl.h"

namespace sluice::core {
namespace {

std::uint32_t most_waiting(const Options& options) {
  std::uint64_t sum = 0;
  for (const LaneOptions& lane : options.lanes) sum += lane.capacity;
  SLUICE_CHECK(sum < 0x7fffffff, "the lanes' capacities add up to more than 2^31 tasks");
  return static_cast<std::uint32_t>(sum);
}

std::uint32_t most_attempts(const Options& options) {
  std::uint64_t sum = 0;
  for (const NodeOptions& node : options.nodes) {
    sum += std::max(node.credits.value_or(0), node.slots * Node::kCreditCap);
  }
  SLUICE_CHECK(sum < 0x7fffffff, "the nodes' credits add up to more than 2^31 attempts");
  return static_cast<std::uint32_t>(sum);
}

// Waiting, running, and one more: the one that is being looked at.
std::uint32_t most_tasks(const Options& options) {
  return most_waiting(options) + most_attempts(options) + 1;
}

std::array<double, kLanes> weights(const Options& options) {
  return {options.lanes[0].weight, options.lanes[1].weight, options.lanes[2].weight};
}

}  // namespace

Scheduler::Impl::Impl(Options given)
    : options_(std::move(given)),
      eligibility_(options_),
      flows_(eligibility_.class_count(), static_cast<std::uint32_t>(options_.tenants.size()),
             static_cast<std::uint32_t>(options_.task_types.size()), most_tasks(options_)),
      placement_(options_, eligibility_, flows_),
      tenants_(options_, flows_),
      lane_service_(weights(options_)),
      tasks_(most_tasks(options_)),
      attempts_(most_attempts(options_)),
      history_(options_.task_types.size()) {
  SLUICE_CHECK(!options_.tenants.empty(), "there is always a default tenant");
  for (const ModelOptions& model : options_.models) {
    SLUICE_CHECK(model.task_type.value < options_.task_types.size(), "a model without task type");
  }
  wheel_.reserve(most_tasks(options_));
}

void Scheduler::Impl::handle(const Event& event, TimePoint now, ActionBuffer& actions) {
  if (now < now_) {
    ++counters_.ignored_events;
    now = now_;
  }
  now_ = now;
  actions_ = &actions;
  tasks_left_ = kTasksPerCall;
  // What is due leaves before anything else happens: a task is never served after its time.
  expire_due();
  tenants_.release_due(now_);
  std::visit([this](const auto& e) { on(e); }, event);
  actions_ = nullptr;
  check_sums();
}

TimePoint Scheduler::Impl::next_wakeup() const {
  return tasks_left_ <= 0 ? now_ : std::min(wheel_.next_due(), tenants_.next_due());
}

void Scheduler::Impl::on(const Submitted& event) {
  const TaskId id = create(event);
  const ClassId klass = bind(event.labels.model);
  const auto best = klass.valid() ? placement_.best_ready(task(id), klass, now_) : std::nullopt;
  if (best) task(id).expected_service = best->service;
  if (const auto refused = refusal(task(id), klass, event.labels.may_queue, best)) {
    refuse(id, *refused);
  } else {
    enqueue(id.slot, klass);
  }
  dispatch();
  const Task* left = tasks_.find(id);
  if (left != nullptr && left->state == TaskState::kWaiting) {
    actions_->push_back(Queued{.request = event.request, .task = id});
  }
}

void Scheduler::Impl::on(const Cancelled& event) {
  Task* const found = tasks_.find(event.task);
  if (found == nullptr) {
    ++counters_.ignored_events;
    return;
  }
  if (found->state == TaskState::kWaiting) {
    leave_queue(event.task.slot);
  } else {
    abandon(found->attempt);
  }
  end(event.task, Outcome::kCancelled, Reason::kCallerGone);
  dispatch();
}

void Scheduler::Impl::on(const AnswerStarted& event) {
  Attempt* const attempt = attempts_.find(event.attempt);
  if (attempt == nullptr || attempt->answer_started != kNever) {
    ++counters_.ignored_events;
    return;
  }
  attempt->answer_started = now_;
}

void Scheduler::Impl::on(const AttemptFinished& event) {
  switch (event.result) {
    case AttemptResult::kAnswered:
      return end_attempt(event.attempt, Outcome::kCompleted, Reason::kNone, true);
    case AttemptResult::kRejected:
      return end_attempt(event.attempt, Outcome::kCompleted, Reason::kNone, false);
    case AttemptResult::kError:
      return end_attempt(event.attempt, Outcome::kFailed, Reason::kReplicaError, false);
    case AttemptResult::kBusy:
      return end_attempt(event.attempt, Outcome::kFailed, Reason::kReplicaBusy, false);
    case AttemptResult::kUnreachable:
      return end_attempt(event.attempt, Outcome::kFailed, Reason::kReplicaUnreachable, false);
    case AttemptResult::kTimeout:
      return end_attempt(event.attempt, Outcome::kFailed, Reason::kReplicaTimeout, false);
    case AttemptResult::kBadAnswer:
      return end_attempt(event.attempt, Outcome::kFailed, Reason::kBadAnswer, false);
    case AttemptResult::kStopped:
      return end_attempt(event.attempt, Outcome::kFailed, Reason::kAttemptLost, false);
  }
}

void Scheduler::Impl::on(const AttemptLost& event) {
  end_attempt(event.attempt, Outcome::kFailed, Reason::kAttemptLost, false);
}

void Scheduler::Impl::on(const NodeReport& event) {
  if (event.node.value >= options_.nodes.size()) {
    ++counters_.ignored_events;
    return;
  }
  placement_.report(event.node, event.ready, event.round_trip);
  tenants_.set_slots(placement_.ready_slots(), now_);
  dispatch();
}

Scheduler::Scheduler(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Scheduler::~Scheduler() = default;

void Scheduler::handle(const Event& event, TimePoint now, ActionBuffer& actions) {
  impl_->handle(event, now, actions);
}
TimePoint Scheduler::next_wakeup() const {
  return impl_->next_wakeup();
}
const Options& Scheduler::options() const {
  return impl_->options_;
}
const Counters& Scheduler::counters() const {
  return impl_->counters_;
}
void Scheduler::check_invariants() const {
  impl_->check_invariants();
}

const TenantUsage& Scheduler::usage(TenantId tenant) const {
  return impl_->tenants_.usage(tenant);
}

LaneView Scheduler::lane(Lane lane) const {
  const Flows::Totals& totals = impl_->flows_.totals(lane);
  return {.waiting = totals.tasks, .waiting_bytes = totals.bytes};
}

NodeView Scheduler::node(NodeId node) const {
  const Node& n = impl_->placement_.node(node);
  return {.ready = n.ready(),
          .reported = n.reported(),
          .slots = n.slots(),
          .credits = n.credits(),
          .in_flight = n.in_flight(),
          .round_trip = n.round_trip()};
}

bool Scheduler::model_ready(ModelId model) const {
  for (const NodeId node : impl_->eligibility_.candidates(model)) {
    if (impl_->placement_.node(node).ready()) return true;
  }
  return false;
}

}  // namespace sluice::core
