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

std::array<bool, kLanes> lanes_that_shed(const Options& options) {
  std::array<bool, kLanes> sheds{};
  for (std::size_t i = 0; i < kLanes; ++i) {
    sheds[i] = options.lanes[i].saturation == Saturation::kShed;
  }
  return sheds;
}

std::vector<Realtime> realtimes(const Options& options) {
  std::vector<Realtime> result(options.task_types.size(), Realtime::kLow);
  for (const ModelOptions& model : options.models) {
    SLUICE_CHECK(model.task_type.value < result.size(), "a model without task type");
    Realtime& most_urgent = result[model.task_type.value];
    most_urgent = std::min(most_urgent, model.realtime);
  }
  return result;
}

}  // namespace

Scheduler::Impl::Impl(Options given)
    : options_(std::move(given)),
      eligibility_(options_),
      flows_(eligibility_.class_count(), static_cast<std::uint32_t>(options_.tenants.size()),
             static_cast<std::uint32_t>(options_.task_types.size()), most_tasks(options_)),
      residency_(options_, eligibility_),
      placement_(options_, eligibility_, residency_, flows_),
      tenants_(options_, flows_),
      lane_service_(weights(options_)),
      tasks_(most_tasks(options_)),
      attempts_(most_attempts(options_)),
      history_(options_.task_types.size()),
      retry_budget_(options_.retry.budget, TimePoint{}),
      rules_(options_),
      slack_(lanes_that_shed(options_)),
      stoppable_on_(options_.nodes.size()),
      realtime_of_kind_(realtimes(options_)),
      active_kinds_(options_.task_types.size()),
      active_tenants_(options_.tenants.size()),
      load_(options_.control.load),
      corrections_(options_.control.corrections, options_.task_types.size()),
      lane_weights_(options_.control.lane_weights, weights(options_)),
      penalties_(options_.control.penalties, options_.tenants.size()),
      active_models_(options_.models.size()),
      model_shares_(options_.models.size()),
      period_(options_.control.period) {
  SLUICE_CHECK(!options_.tenants.empty(), "there is always a default tenant");
  wheel_.reserve(most_tasks(options_));
  hedges_.reserve(most_tasks(options_));
  arrivals_.reserve(most_tasks(options_));
  stoppable_.reserve(most_attempts(options_));
}

void Scheduler::Impl::handle(const Event& event, TimePoint now, ActionBuffer& actions) {
  if (now < now_) {
    ++counters_.ignored_events;
    now = now_;
  }
  now_ = now;
  actions_ = &actions;
  tasks_left_ = kTasksPerCall;
  prepare(event);
  // What is due leaves before anything else happens: a task is never served after its time.
  expire_due();
  tenants_.release_due(now_);
  placement_.release_due(now_);
  control_if_due();
  std::visit([this](const auto& e) { on(e); }, event);
  keep_resident();
  // The one place where what waits is served: whatever has made room, the event has been heard.
  dispatch();
  hedge_due();
  report_changes();
  actions_ = nullptr;
  check_sums();
}

// Classifies what comes, and asks for the memory that this event and the next ones will need.
void Scheduler::Impl::prepare(const Event& event) {
  if (const auto* finished = std::get_if<AttemptFinished>(&event)) {
    attempts_.prefetch(finished->attempt.slot);
  } else if (const auto* submitted = std::get_if<Submitted>(&event)) {
    prepare(submitted->labels);
  }
  flows_.look_ahead([this](std::uint32_t slot) { prefetch_waiting(slot); });
}

// That is for where it will wait, unless rules or penalties move it elsewhere.
void Scheduler::Impl::prepare(const Labels& labels) {
  check_names(labels);
  classified_ = classify(labels, options_);
  tenants_.prefetch(labels.tenant);
  const ClassId klass = eligibility_.class_of(labels.model, classified_.priority);
  if (!klass.valid() || options_.policy.binding != Binding::kLate) return;
  const bool fair = options_.policy.fairness == Fairness::kTenants;
  flows_.prefetch(Flows::group_of(classified_.lane, klass), fair ? labels.tenant : TenantId{0});
}

TimePoint Scheduler::Impl::next_wakeup() const {
  if (tasks_left_ <= 0) return now_;
  return std::min({wheel_.next_due(), tenants_.next_due(), placement_.next_due(),
                   residency_.next_due(), hedges_.next_due(), control_due_});
}

void Scheduler::Impl::report_changes() {
  for (const BreakerChange& change : placement_.breaker_changes()) {
    actions_->push_back(Adjusted{change});
  }
  placement_.breaker_changes().clear();
  for (const PathChange& change : placement_.path_changes()) actions_->push_back(Adjusted{change});
  placement_.path_changes().clear();
}

void Scheduler::Impl::on(const Submitted& event) {
  Entry entry = create(event);
  const TaskId id = entry.id;
  const auto refused = refusal(entry);
  tell_admission(entry, refused);
  if (refused) return refuse(id, *refused);
  admit(entry);
  dispatch();
  const Task* left = tasks_.find(id);
  if (left == nullptr || left->state != TaskState::kWaiting) return;
  if (event.labels.may_queue) {
    actions_->emplace_back(Queued{.request = event.request,
                                  .task = id,
                                  .model = left->model,
                                  .lane = left->lane,
                                  .priority = left->priority,
                                  .deadline = left->deadline,
                                  .rank = left->key});
  } else {
    // A credit is free, but not for this one.
    leave_queue(id.slot);
    refuse(id, would_queue(entry));
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
    if (found->hedge.valid()) {
      abandon(found->hedge);
      leave_to(*found, found->attempt);
    }
    abandon(found->attempt);
    --counters_.running;
  }
  end(event.task, Outcome::kCancelled, Reason::kCallerGone);
}

void Scheduler::Impl::on(const AnswerStarted& event) {
  Attempt* const attempt = attempts_.find(event.attempt);
  if (attempt == nullptr || attempt->answer_started != kNever) {
    ++counters_.ignored_events;
    return;
  }
  attempt->answer_started = now_;
  keep_slot(event.attempt.slot);
  if (!attempt->task.valid()) return;
  // The first answer is the task's.
  Task& answered = task(attempt->task);
  const AttemptId other = other_of(answered, event.attempt);
  if (!other.valid()) return;
  abandon(other);
  leave_to(answered, event.attempt);
}

void Scheduler::Impl::on(const NodeReport& event) {
  if (event.node.value >= options_.nodes.size()) {
    ++counters_.ignored_events;
    return;
  }
  // Less than nothing was not measured: the figure is ignored, and the rest of the report heard.
  std::optional<Duration> round_trip = event.round_trip;
  if (round_trip && *round_trip < Duration::zero()) {
    ++counters_.ignored_events;
    round_trip.reset();
  }
  // First what it has: a path is left where a node is ready and the model is not there.
  residency_.set_ready(event.node, event.ready, now_);
  if (event.loaded) residency_.found(event.node, *event.loaded, now_);
  placement_.report(event.node, event.ready, round_trip, now_);
  tenants_.set_slots(placement_.ready_slots(), now_);
}

void Scheduler::Impl::on(const NodeFiguresReport& event) {
  const bool exists = event.node.value < options_.nodes.size();
  if (!exists || !placement_.report_figures(event, now_, counters_.rejected_figures)) {
    ++counters_.ignored_events;
  }
}

Scheduler::Scheduler(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Scheduler::~Scheduler() = default;
Scheduler::Scheduler(Scheduler&&) noexcept = default;
Scheduler& Scheduler::operator=(Scheduler&&) noexcept = default;

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

const Rule* Scheduler::rule(RuleId rule) const {
  return impl_->rules_.book().find(rule);
}
std::vector<RuleId> Scheduler::rules() const {
  return impl_->rules_.book().list();
}

const TenantUsage& Scheduler::usage(TenantId tenant) const {
  return impl_->tenants_.usage(tenant);
}

LaneView Scheduler::lane(Lane lane) const {
  const Flows::Totals& totals = impl_->flows_.totals(lane);
  return {.waiting = totals.tasks, .waiting_bytes = totals.bytes};
}

NodeView Scheduler::node(NodeId node) const {
  const Placement& placement = impl_->placement_;
  const Node& n = placement.node(node);
  const NodeFigures figures = placement.figures(node, impl_->now_);
  const auto memory = impl_->residency_.memory(node);
  const auto where = [](bool known, double figure) {
    return known ? std::optional(figure) : std::nullopt;
  };
  return {.ready = n.ready(),
          .reported = n.reported(),
          .slots = n.slots(),
          .credits = n.allowed(),
          .in_flight = n.in_flight(),
          .round_trip = n.round_trip(),
          .utilisation = where(placement.figures_known(node, impl_->now_), figures.utilisation),
          .memory = where(placement.memory_known(node, impl_->now_), figures.memory),
          .memory_used = memory.used(),
          .memory_claimed = memory.claimed()};
}

bool Scheduler::competes(Lane lane, ModelId model, Priority priority, TenantId tenant) const {
  const ClassId klass = impl_->eligibility_.class_of(model, priority);
  return klass.valid() && impl_->flows_.runnable(Flows::group_of(lane, klass), tenant);
}

TableSizes Scheduler::table_sizes() const {
  return {.tasks = impl_->tasks_.slot_count(),
          .attempts = impl_->attempts_.slot_count(),
          .flows = impl_->flows_.flow_count(),
          .shares = impl_->flows_.share_count()};
}

PathId Scheduler::path(ModelId model) const {
  return impl_->placement_.path(model);
}

bool Scheduler::model_ready(ModelId model) const {
  for (const NodeId node : impl_->eligibility_.candidates(model)) {
    const bool loaded = impl_->residency_.state(node, model) == ResidencyState::kLoaded;
    if (loaded && impl_->placement_.node(node).ready()) return true;
  }
  return false;
}

std::optional<std::uint32_t> Scheduler::replicas_loaded(ModelId model) const {
  if (!impl_->residency_.manages(model)) return std::nullopt;
  return static_cast<std::uint32_t>(impl_->residency_.usable(model).size());
}

ResidencyState Scheduler::residency(NodeId node, ModelId model) const {
  return impl_->residency_.state(node, model);
}

}  // namespace sluice::core
