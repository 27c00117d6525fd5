// From a request to a waiting task, or to a refusal.
#include <algorithm>

#include "base/check.h"
#include "core/lanes/ordering.h"
#include "core/scheduler_impl.h"

namespace sluice::core {

void Scheduler::Impl::check_names(const Labels& labels) const {
  SLUICE_CHECK(labels.model.value < options_.models.size(), "a label names no model");
  SLUICE_CHECK(labels.tenant.value < options_.tenants.size(), "a label names no tenant");
}

Scheduler::Impl::Entry Scheduler::Impl::create(const Submitted& event) {
  const Labels& labels = event.labels;
  Entry entry{.id = tasks_.acquire(), .may_queue = labels.may_queue};
  Task& created = task(entry.id);
  created.request = event.request;
  created.arrival = std::min(event.arrival, now_);
  created.size_bytes = labels.size_bytes;
  created.teaches = labels.teaches;
  created.retriable = labels.retriable;
  created.tenant = labels.tenant;
  classify_as(created, classified_);
  created.prior_service = classified_.prior_service;
  entry.original = classified_.priority;
  set_model(entry, labels.model);
  apply_rules(entry, labels, classified_);
  if (entry.klass.valid()) {
    flows_.prefetch_share(Flows::group_of(created.lane, entry.klass), competitor(created));
  }
  note_arrival(entry);
  ++counters_.submitted;
  tenants_.submitted(created.tenant);
  return entry;
}

void Scheduler::Impl::classify_as(Task& created, const Classification& found) {
  created.task_type = found.task_type;
  const int steps = found.priority + tenants_.priority_steps(created.tenant);
  created.priority = static_cast<Priority>(std::min(steps, kPriorities - 1));
  created.accepted_as = created.priority;
  created.lane = lane_of(created.priority);
  created.deadline = saturating_add(created.arrival, std::max(found.budget, Duration::zero()));
}

// Which model runs it, and what the nodes that have it can do.
void Scheduler::Impl::set_model(Entry& entry, ModelId model) {
  Task& created = task(entry.id);
  created.model = model;
  entry.klass = bind(created);
  expect(entry,
         entry.klass.valid() ? placement_.good_ready(created, entry.klass, now_) : std::nullopt);
}

void Scheduler::Impl::expect(Entry& entry, const std::optional<Prediction>& best) {
  Task& expected = task(entry.id);
  entry.best = best;
  expected.expected_service = best ? best->service : expected.prior_service;
}

void Scheduler::Impl::note_arrival(const Entry& entry) {
  const Task& arrived = task(entry.id);
  const Duration budget = arrived.deadline - arrived.arrival;
  history_[arrived.task_type.value].arrived(budget, now_);
  meters_[static_cast<std::size_t>(arrived.lane)].arrived(budget, now_);
  if (!adapts()) return;
  active_kinds_.mark(arrived.task_type);
  wake_control();
  if (!entry.klass.valid()) return;
  active_models_.mark(arrived.model);
  if (arrived.lane == Lane::kHigh) {
    placement_.expect_urgent(entry.klass, arrived.expected_service, now_);
  }
}

ClassId Scheduler::Impl::bind(const Task& task) {
  if (options_.policy.binding == Binding::kLate) {
    return eligibility_.class_of(task.model, task.accepted_as);
  }
  if (residency_.manages(task.model)) {
    // Bound to where it will be loaded, which is decided now.
    residency_.ask(task.model, task.accepted_as, now_);
    residency_.step(now_);
  }
  const NodeId node = placement_.next_in_turn(task.model, task.accepted_as);
  return node.valid() ? eligibility_.class_of(node) : ClassId{};
}

// Whether that still is where such a task belongs: its priority may have changed since.
bool Scheduler::Impl::is_bound(const Entry& entry) const {
  const Task& bound = tasks_[entry.id.slot];
  if (options_.policy.binding == Binding::kLate) {
    return entry.klass == eligibility_.class_of(bound.model, bound.accepted_as);
  }
  return entry.klass.valid() &&
         eligibility_.accepts(eligibility_.nodes(entry.klass).front(), bound.accepted_as);
}

// In this order: what nothing can help, what somebody has forbidden, what there is no room or no
// time for.
std::optional<Scheduler::Impl::Refusal> Scheduler::Impl::refusal(Entry& entry) {
  const Task& entering = task(entry.id);
  if (entering.deadline <= now_ && options_.policy.reclaim == Reclaim::kAtDeadline) {
    return Refusal{.outcome = Outcome::kExpired, .reason = Reason::kDeadlinePassed};
  }
  if (auto none = unavailable(entry); none && !degrade(entry)) return none;
  if (auto ruled = refusal_by_rule(entry)) return ruled;
  if (auto over = refusal_by_tenant(entering)) return over;
  residency_.arrived(entering.model, entering.lane, entering.accepted_as, now_);
  if (wants_degrading(entry)) degrade(entry);
  if (auto unfit_now = unfit(entry); unfit_now && !degrade(entry)) return unfit_now;
  return std::nullopt;
}

std::optional<Scheduler::Impl::Refusal> Scheduler::Impl::unavailable(const Entry& entry) const {
  const Task& entering = tasks_[entry.id.slot];
  if (!entry.klass.valid() && !eligibility_.candidates(entering.model).empty()) {
    // No time to come again: it is not for want of room or of health.
    return Refusal{.reason = Reason::kNotAccepted};
  }
  if (!entry.klass.valid() || placement_.down(entry.klass)) {
    return Refusal{.reason = Reason::kNoReplica, .retry_after = std::chrono::seconds(1)};
  }
  // Ready, but every breaker is open, or half-open with its probe under way.
  const bool is_cold = cold(tasks_[entry.id.slot].model, entry.klass);
  if (placement_.ready(entry.klass) && !entry.best && !is_cold) {
    return Refusal{.reason = Reason::kNoReplica, .retry_after = time_to_probe()};
  }
  return std::nullopt;
}

// No room, or no time.
std::optional<Scheduler::Impl::Refusal> Scheduler::Impl::unfit(Entry& entry) {
  const Task& entering = task(entry.id);
  if (auto full = refusal_by_room(entering)) return full;
  if (cold(entering.model, entry.klass)) return refusal_while_cold(entry);
  if (!entry.may_queue && !(placement_.open(entry.klass) && nothing_waits(entry.klass))) {
    return would_queue(entry);
  }
  auto late = refusal_by_budget(entry);
  if (late) entry.victim = victim_for(entering, entry.klass);
  return entry.victim ? std::nullopt : late;
}

// R17, R20: where the model cannot do it, another that the configuration names may. True: it can.
bool Scheduler::Impl::degrade(Entry& entry) {
  Task& entering = task(entry.id);
  const ModelId asked_for = entering.model;
  const auto smaller = options_.models[asked_for.value].degrade_to;
  // What is no inference asks about this model, and about no other.
  if (!smaller || entry.degraded || !entering.teaches) return false;
  const Entry before = entry;
  const Duration expected = entering.expected_service;
  set_model(entry, *smaller);
  entry.degraded = true;
  if (!unavailable(entry) && !unfit(entry)) return true;
  // As it was, not looked up anew: with early binding that would take another node's turn.
  entry = before;
  entering.model = asked_for;
  entering.expected_service = expected;
  return false;
}

bool Scheduler::Impl::wants_degrading(const Entry& entry) const {
  const Lane lane = tasks_[entry.id.slot].lane;
  const LaneOptions& options = options_.lanes[static_cast<std::size_t>(lane)];
  return options.saturation == Saturation::kDegrade &&
         flows_.totals(lane).tasks >= options.degrade_from * options.capacity;
}

// Until what waits is served, and the next of those that run makes room.
Scheduler::Impl::Refusal Scheduler::Impl::would_queue(const Entry& entry) const {
  const Task& entering = tasks_[entry.id.slot];
  WorkAhead ahead = work_ahead(entering, entry.klass);
  ahead.work += entering.expected_service;
  return {.reason = Reason::kWouldQueue,
          .retry_after = time_to_return(entering.lane, predicted_wait(ahead))};
}

// The first breaker that lets a probe through may bring a replica back.
Duration Scheduler::Impl::time_to_probe() const {
  const TimePoint due = placement_.next_due();
  return due == kNever ? Duration(std::chrono::seconds(1)) : std::max(due - now_, Duration(1));
}

bool Scheduler::Impl::nothing_waits(ClassId klass) const {
  return backlog(Lane::kHigh, klass).tasks + backlog(Lane::kLatency, klass).tasks +
             backlog(Lane::kLow, klass).tasks ==
         0;
}

std::optional<Scheduler::Impl::Refusal> Scheduler::Impl::refusal_by_tenant(const Task& task) {
  const auto refused = tenants_.admit(task.tenant, task.lane, task.size_bytes, now_);
  if (!refused) return std::nullopt;
  Duration retry_after = refused->retry_after;
  if (refused->reason == Reason::kTenantQueueFull) {
    retry_after = time_to_return(task.lane, time_to_drain(task.lane)) / 2;
  }
  return Refusal{.reason = refused->reason, .retry_after = std::max(retry_after, Duration(1))};
}

std::optional<Scheduler::Impl::Refusal> Scheduler::Impl::refusal_by_room(const Task& task) const {
  const LaneOptions& lane = options_.lanes[static_cast<std::size_t>(task.lane)];
  Flows::Totals totals = flows_.totals(task.lane);
  if (const auto worst = to_shed_for(task)) {
    --totals.tasks;
    totals.bytes -= tasks_[*worst].size_bytes;
  }
  const bool room = totals.tasks < lane.capacity && task.size_bytes <= lane.capacity_bytes &&
                    totals.bytes <= lane.capacity_bytes - task.size_bytes;
  if (room) return std::nullopt;
  // Half of a full lane is gone when half of its work is done.
  return Refusal{.reason = Reason::kQueueFull,
                 .retry_after = time_to_return(task.lane, time_to_drain(task.lane)) / 2};
}

// Who of a full lane that sheds has less slack than the newcomer.
std::optional<std::uint32_t> Scheduler::Impl::to_shed_for(const Task& task) const {
  const LaneOptions& lane = options_.lanes[static_cast<std::size_t>(task.lane)];
  const Flows::Totals& totals = flows_.totals(task.lane);
  const bool full =
      totals.tasks >= lane.capacity || totals.bytes + task.size_bytes > lane.capacity_bytes;
  if (!full || !slack_.keeps(task.lane) || slack_.empty(task.lane)) return std::nullopt;
  const std::uint32_t worst = slack_.least(task.lane);
  const TimePoint newcomers = task.deadline - task.expected_service;
  return tasks_[worst].latest_start < newcomers ? std::optional(worst) : std::nullopt;
}

// What waits leaves at its maximum age at the latest, even where no node is left to serve it.
Duration Scheduler::Impl::time_to_return(Lane lane, Duration predicted) const {
  const Duration oldest = options_.lanes[static_cast<std::size_t>(lane)].max_age;
  return std::clamp(predicted, std::min<Duration>(std::chrono::milliseconds(1), oldest), oldest);
}

Duration Scheduler::Impl::time_to_drain(Lane lane) const {
  Duration longest = Duration::zero();
  for (std::uint32_t c = 0; c < eligibility_.class_count(); ++c) {
    const ClassId klass{c};
    if (backlog(lane, klass).tasks == 0) continue;
    const WorkAhead ahead{.work = backlog(lane, klass).work,
                          .slots = static_cast<double>(placement_.ready_slots(klass)),
                          .share = lane_share(lane, klass)};
    longest = std::max(longest, predicted_wait(ahead));
  }
  return longest;
}

std::optional<Scheduler::Impl::Refusal> Scheduler::Impl::refusal_by_budget(Entry& entry) {
  if (!entry.best || options_.policy.admission == Admission::kCapacityOnly) return std::nullopt;
  Task& entering = task(entry.id);
  entry.ahead = work_ahead(entering, entry.klass);
  const auto late = [&] {
    return refuse_late(*entry.ahead, *entry.best, now_, entering.deadline, options_.predictor);
  };
  if (!late()) return std::nullopt;
  // A good one was looked at: that the best is too late as well is still to be seen.
  const auto best = placement_.best_ready(entering, entry.klass, now_);
  if (best && (!best->trusted || best->total() < entry.best->total())) expect(entry, best);
  const auto retry_after = late();
  if (!retry_after) return std::nullopt;
  return Refusal{.reason = Reason::kWouldMissDeadline, .retry_after = *retry_after};
}

// The share of its class's slots that a lane gets while the lanes that wait there now keep waiting.
double Scheduler::Impl::lane_share(Lane lane, ClassId klass) const {
  if (options_.policy.lane_service == LaneServiceKind::kMerged) return 1;
  double sum = 0;
  for (int i = 0; i < kLanes; ++i) {
    const Lane other = Lane(i);
    if (other != lane && backlog(other, klass).tasks == 0) continue;
    sum += lane_service_.weight(other);
  }
  return lane_service_.weight(lane) / sum;
}

WorkAhead Scheduler::Impl::work_ahead(const Task& task, ClassId klass) const {
  WorkAhead ahead;
  ahead.slots = static_cast<double>(placement_.ready_slots(klass));
  ahead.share = lane_share(task.lane, klass);
  if (options_.policy.lane_service == LaneServiceKind::kWeighted) {
    ahead.work = flows_.work_before(Flows::group_of(task.lane, klass), competitor(task));
  } else if (options_.policy.ordering == Ordering::kArrival) {
    for (int i = 0; i < kLanes; ++i) ahead.work += backlog(Lane(i), klass).work;
  }
  // Merged lanes in another order than that of arrival: a newcomer may pass all of them, and how
  // many it passes nobody has counted.
  return ahead;
}

void Scheduler::Impl::refuse(TaskId id, const Refusal& refusal) {
  end(id, refusal.outcome, refusal.reason, refusal.retry_after, refusal.rule);
}

void Scheduler::Impl::admit(const Entry& entry) {
  Task& entering = task(entry.id);
  if (const auto worst = to_shed_for(entering)) expire(*worst, Reason::kShed);
  const TimePoint oldest = saturating_add(now_, lane_options(entering.lane).max_age);
  const bool minds_deadline = options_.policy.reclaim == Reclaim::kAtDeadline;
  entering.expires = minds_deadline ? std::min(entering.deadline, oldest) : oldest;
  entering.latest_start = entering.expires;
  const bool may_be_lost = minds_deadline && entry.best && entry.best->trusted &&
                           options_.policy.admission == Admission::kPredictive;
  if (may_be_lost) {
    entering.latest_start =
        std::min(entering.expires, entering.deadline - entering.expected_service);
  }
  rank(entering);
  wait(entry.id.slot, entry.klass, Turn::kNew);
  if (entry.victim) preempt(*entry.victim);
}

// Its place in the order of its flow.
void Scheduler::Impl::rank(Task& entering) const {
  const double drops = history_[entering.task_type.value].drop_share();
  entering.key = order_key(options_.policy.ordering, entering, drops, options_.score);
}

void Scheduler::Impl::wait(std::uint32_t slot, ClassId klass, Turn turn) {
  Task& waiting = tasks_[slot];
  waiting.state = TaskState::kWaiting;
  waiting.flow = flows_.push(
      {.lane = waiting.lane, .klass = klass, .tenant = competitor(waiting), .model = waiting.model},
      waiting.task_type, waiting.key, item_of(slot));
  wheel_.insert(slot, std::min(waiting.latest_start, waiting.expires));
  slack_.insert(waiting.lane, slot, waiting.latest_start);
  auto& lane = arrived_[static_cast<std::size_t>(waiting.lane)];
  if (turn == Turn::kNew) {
    arrivals_.push_back(lane, slot);
  } else {
    arrivals_.push_front(lane, slot);
  }
  tenants_.entered(waiting.tenant, waiting.lane, waiting.size_bytes);
  promoted_waiting_ += waiting.promoted ? 1 : 0;
  residency_.entered(waiting.model, waiting.lane, waiting.accepted_as, waiting.expected_service,
                     now_);
  ++counters_.waiting;
}

}  // namespace sluice::core
