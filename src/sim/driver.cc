#include "sim/driver.h"

#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include "base/check.h"
#include "sim/core_options.h"

namespace sluice::sim {

using core::AttemptResult;

Driver::Driver(const Scenario& scenario, core::Options options, const Manners& manners,
               Cluster& cluster, EventQueue& events, Figures& figures)
    : scenario_(scenario),
      manners_(manners),
      noise_(manners.noise, manners.seed),
      cluster_(cluster),
      events_(events),
      figures_(figures),
      first_phases_(first_phases(scenario)),
      open_(most_requests(options)),
      scheduler_(std::move(options)) {
  actions_.reserve(1024);
}

void Driver::restore_scheduler() {
  std::vector<std::byte> bytes;
  scheduler_.save(bytes);
  core::Restored restored = core::Scheduler::restore(scheduler_.options(), bytes);
  SLUICE_CHECK(restored.scheduler.has_value(), "what the core has written down it can read");
  restored.scheduler->check_invariants();
  scheduler_ = *std::move(restored.scheduler);
}

void Driver::submit(const Request& request, std::uint64_t number) {
  const OpenId id = open_.acquire();
  Open& open = open_[id.slot];
  open.at = request.at;
  open.number = number;
  open.model = static_cast<std::uint32_t>(request.model);
  open.tenant = static_cast<std::uint32_t>(request.tenant);
  open.phase = static_cast<std::uint32_t>(first_phases_[request.stream] + request.phase);
  open.level = request.priority;
  ++ledger_.submitted;
  ++ledger_.open_requests;
  const auto lane = static_cast<std::size_t>(core::lane_of(request.priority));
  events_.push_in_line(lane,
                       {.at = saturating_add(request.at, scenario_.lanes[lane].client_timeout),
                        .kind = EventKind::kCallerLeaves,
                        .subject = id.slot,
                        .generation = id.generation});
  const core::Labels labels = labels_of(scenario_, request.model, request.tenant, request.priority);
  tell(core::Submitted{.request = core::RequestId{id.packed()},
                       .labels = with_habits(labels, manners_.habits, manners_.seed, number),
                       .arrival = core_time(request.at)},
       request.at);
}

void Driver::on(const Event& event) {
  if (event.kind == EventKind::kCallerLeaves) {
    return caller_leaves({event.subject, event.generation}, event.at);
  }
  if (event.kind == EventKind::kOrderAnswered) return order_answered(event);
  const JobId id{event.subject, event.generation};
  if (const Job* job = cluster_.jobs().find(id)) end_attempt(id, job->result, event.at);
}

void Driver::caller_leaves(OpenId id, TimePoint now) {
  const Open* const open = open_.find(id);
  if (open != nullptr) tell(core::Cancelled{.task = open->task}, now);
}

// The first byte of an answer and its last come together. To tell of the first says nothing new,
// but that the request is not to be tried again.
void Driver::end_attempt(JobId id, AttemptResult result, TimePoint now) {
  const Job& job = cluster_.jobs()[id.slot];
  if (result != AttemptResult::kAnswered && result != AttemptResult::kStopped) {
    ++figures_.nodes[job.node].failures;
  }
  if (Open* const open = open_.find(job.request)) note_start(*open);
  if (noise_.tells_start()) tell(core::AnswerStarted{job.attempt}, now);
  --ledger_.open_attempts;
  tell(noise_.garbled({.attempt = job.attempt, .result = result}), now);
  cluster_.forget(id);
}

void Driver::report(core::NodeReport report, TimePoint now) {
  const std::size_t node = report.node.value;
  if (report.ready && scenario_.kinds[scenario_.nodes[node].kind].managed) {
    cluster_.memories().list(node, loaded_);
    report.loaded = loaded_;
  }
  tell(report, now);
  if (!report.ready) fail_attempts_at(report.node.value, now);
}

void Driver::order_answered(const Event& event) {
  const Memories::Answer answer = cluster_.memories().answered(event);
  if (answer.load) {
    tell(core::ModelLoaded{.node = answer.node, .model = answer.model, .ok = answer.ok}, event.at);
  } else {
    tell(core::ModelUnloaded{.node = answer.node, .model = answer.model, .ok = answer.ok},
         event.at);
  }
}

void Driver::fail_attempts_at(std::uint32_t node, TimePoint now) {
  if (scheduler_.node({node}).in_flight == 0) return;
  // What ends makes the core dispatch, elsewhere: the table may grow meanwhile.
  for (std::size_t slot = 0; slot < job_of_attempt_.size(); ++slot) {
    const JobId id = job_of_attempt_[slot];
    const Job* const job = cluster_.jobs().find(id);
    if (job == nullptr || job->node != node || job->attempt.slot != slot) continue;
    end_attempt(id, AttemptResult::kUnreachable, now);
  }
}

void Driver::tell(const core::Event& event, TimePoint now) {
  tell_at(event, now, core_time(now));
  if (const auto remark = noise_.after(event, actions_)) {
    ++senseless_[static_cast<std::size_t>(remark->kind)];
    tell_at(remark->event, now, core_time(now) - remark->late);
  }
}

void Driver::tell_at(const core::Event& event, TimePoint now, TimePoint core_now) {
  actions_.clear();
  scheduler_.handle(event, core_now, actions_);
  for (const core::Action& action : actions_) {
    std::visit([&](const auto& a) { carry_out(a, now); }, action);
  }
  for (Observer* observer : observers_) {
    observer->after({.now = now,
                     .core_now = core_now,
                     .event = event,
                     .actions = actions_,
                     .scheduler = scheduler_,
                     .cluster = cluster_,
                     .ledger = ledger_});
  }
}

void Driver::carry_out(const core::Queued& queued, TimePoint) {
  Open* const open = open_.find(open_id(queued.request));
  SLUICE_CHECK(open != nullptr, "the core queued a request that is not open");
  open->task = queued.task;
}

void Driver::carry_out(const core::Dispatch& dispatch, TimePoint now) {
  const OpenId id = open_id(dispatch.request);
  Open* const open = open_.find(id);
  SLUICE_CHECK(open != nullptr, "the core dispatched a request that is not open");
  const JobId job_id = cluster_.jobs().acquire();
  Job& job = cluster_.jobs()[job_id.slot];
  job.attempt = dispatch.attempt;
  job.request = id;
  job.number = open->number;
  job.arrival = open->at;
  job.node = dispatch.node.value;
  job.model = dispatch.model.value;
  job.ordinal = open->attempts++;
  job.level = open->level;
  open->task = dispatch.task;
  note_start(*open);
  open->job = job_id;
  open->node = job.node;
  if (dispatch.attempt.slot >= job_of_attempt_.size()) {
    job_of_attempt_.resize(dispatch.attempt.slot + 1);
  }
  job_of_attempt_[dispatch.attempt.slot] = job_id;
  ++ledger_.open_attempts;
  ++figures_.nodes[job.node].attempts;
  cluster_.send(job_id, now);
}

void Driver::carry_out(const core::LoadModel& load, TimePoint now) {
  const std::size_t node = load.node.value;
  cluster_.memories().send(node, cluster_.place_of(load.model.value, node), true, now);
}

void Driver::carry_out(const core::UnloadModel& unload, TimePoint now) {
  const std::size_t node = unload.node.value;
  cluster_.memories().send(node, cluster_.place_of(unload.model.value, node), false, now);
}

void Driver::carry_out(const core::Adjusted& adjusted, TimePoint) {
  const auto* change = std::get_if<core::ResidencyChange>(&adjusted.change);
  if (change == nullptr || change->from != core::ResidencyState::kCold) return;
  const bool for_a_task = change->cause == core::ResidencyCause::kColdStart ||
                          change->cause == core::ResidencyCause::kPenetration;
  if (for_a_task) ++figures_.cold_starts;
}

void Driver::carry_out(const core::CancelAttempt& cancel, TimePoint now) {
  cluster_.send_cancel(job_of_attempt_[cancel.attempt.slot], now);
}

void Driver::carry_out(const core::Finish& finish, TimePoint now) {
  const OpenId id = open_id(finish.request);
  Open* const open = open_.find(id);
  SLUICE_CHECK(open != nullptr, "the core ended a request twice, or one that never was");
  note_start(*open);
  Ended what = ended(*open, now);
  what.outcome = finish.outcome;
  what.reason = finish.reason;
  figures_.record(what);
  ++ledger_.ended;
  --ledger_.open_requests;
  open_.release(id);
}

void Driver::note_start(Open& open) {
  const Job* const job = cluster_.jobs().find(open.job);
  if (job != nullptr) open.started = std::min(open.started, job->started);
}

Ended Driver::ended(const Open& open, TimePoint now) const {
  Ended what{.at = open.at, .latency = now - open.at};
  if (open.started != kNever) what.waited = open.started - open.at;
  what.lane = core::lane_of(open.level);
  what.model = open.model;
  what.tenant = open.tenant;
  what.phase = open.phase;
  what.number = open.number;
  what.level = open.level;
  what.node = open.node;
  return what;
}

TimePoint Driver::next_wakeup() const {
  const TimePoint wakeup = scheduler_.next_wakeup();
  return wakeup == kNever ? kNever : wakeup - clock_offset_;
}

void Driver::close(TimePoint now) {
  for (std::uint32_t slot = 0; slot < open_.slot_count(); ++slot) {
    if (!open_.alive(slot)) continue;
    note_start(open_[slot]);
    Ended what = ended(open_[slot], now);
    what.outcome = core::Outcome::kFailed;
    figures_.record(what);
  }
}

}  // namespace sluice::sim
