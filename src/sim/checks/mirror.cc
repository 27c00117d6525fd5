#include "sim/checks/mirror.h"

#include <algorithm>
#include <map>
#include <variant>

#include "sim/job.h"

namespace sluice::sim {
namespace {

std::uint32_t slot_of(core::RequestId id) {
  return OpenId::unpack(static_cast<std::uint64_t>(id)).slot;
}

// Grown as if the table had always been as large.
template <class T>
T& at(std::vector<T>& table, std::uint32_t slot) {
  if (slot >= table.size()) table.resize(slot + 1);
  return table[slot];
}

}  // namespace

Mirror::Mirror(const core::Options& options)
    : options_(options),
      nodes_(options.nodes.size()),
      hosts_(options.nodes.size() * options.models.size()),
      running_(options.tenants.size()) {
  for (std::size_t node = 0; node < options.nodes.size(); ++node) {
    for (const core::ModelId model : options.nodes[node].models) {
      hosts_[node * options.models.size() + model.value] = 1;
    }
  }
  find_classes();
}

std::vector<std::uint32_t> Mirror::nodes_for(std::size_t model, core::Priority accepted_as) const {
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
    const bool takes = options_.nodes[node].accepted().contains(accepted_as);
    if (takes && hosts(node, model)) nodes.push_back(node);
  }
  return nodes;
}

void Mirror::find_classes() {
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  for (std::size_t model = 0; model < options_.models.size(); ++model) {
    for (core::Priority priority = 0; priority < core::kPriorities; ++priority) {
      const auto nodes = nodes_for(model, priority);
      if (nodes.empty()) {
        class_of_.push_back(kNoClass);
        continue;
      }
      const auto [entry, is_new] = known.try_emplace(nodes, class_count());
      if (is_new) classes_.push_back(nodes);
      class_of_.push_back(entry->second);
    }
  }
}

const SeenRequest* Mirror::find(core::RequestId id) const {
  const std::uint32_t slot = slot_of(id);
  const bool known =
      slot < requests_.size() && requests_[slot].stage != Stage::kNone && requests_[slot].id == id;
  return known ? &requests_[slot] : nullptr;
}

SeenRequest* Mirror::request(core::RequestId id) {
  return const_cast<SeenRequest*>(static_cast<const Mirror*>(this)->find(id));
}

SeenRequest* Mirror::request_of(core::TaskId task) {
  if (task.slot >= of_task_.size()) return nullptr;
  SeenRequest* const found = request(of_task_[task.slot]);
  const bool alive = found != nullptr && found->task == task && found->stage != Stage::kEnded;
  return alive ? found : nullptr;
}

const SeenAttempt* Mirror::find(core::AttemptId id) const {
  if (id.slot >= attempts_.size()) return nullptr;
  const SeenAttempt& found = attempts_[id.slot];
  return found.open && found.id == id ? &found : nullptr;
}

SeenAttempt* Mirror::attempt(core::AttemptId id) {
  return const_cast<SeenAttempt*>(static_cast<const Mirror*>(this)->find(id));
}

void Mirror::hear(const core::Event& event, TimePoint core_now) {
  heard_ = Heard{};
  if (core_now < now_) ++heard_.senseless;
  now_ = std::max(now_, core_now);
  std::visit([this](const auto& e) { hear_that(e); }, event);
}

void Mirror::hear_that(const core::Submitted& event) {
  heard_.submitted = &event;
  SeenRequest& entering = at(requests_, slot_of(event.request));
  entering = SeenRequest{};
  entering.id = event.request;
  entering.arrival = std::min(event.arrival, now_);
  entering.entered = now_;
  entering.model = event.labels.model.value;
  entering.tenant = event.labels.tenant.value;
  entering.retriable = event.labels.retriable;
  entering.may_queue = event.labels.may_queue;
  entering.stage = Stage::kNew;
}

void Mirror::hear_that(const core::Cancelled& event) {
  if (const SeenRequest* const found = request_of(event.task)) {
    heard_.cancelled = found->id;
  } else {
    ++heard_.senseless;
  }
}

void Mirror::hear_that(const core::AnswerStarted& event) {
  SeenAttempt* const found = attempt(event.attempt);
  if (found == nullptr || found->answer_started) {
    ++heard_.senseless;
  } else {
    found->answer_started = true;
  }
}

void Mirror::hear_that(const core::NodeReport& event) {
  if (event.node.value >= nodes_.size()) {
    ++heard_.senseless;
    return;
  }
  if (event.round_trip && *event.round_trip < Duration::zero()) ++heard_.senseless;
  SeenNode& node = nodes_[event.node.value];
  node.reported = true;
  node.ready = event.ready;
}

void Mirror::hear_that(const core::NodeFiguresReport& event) {
  const auto share = [](std::optional<double> figure) {
    return figure && *figure >= 0 && *figure <= 1;
  };
  const bool utilisation = share(event.utilisation);
  const bool memory = share(event.memory);
  const bool says = (utilisation || memory) && event.age >= Duration::zero();
  if (event.node.value >= nodes_.size() || !says) {
    ++heard_.senseless;
    return;
  }
  SeenNode& node = nodes_[event.node.value];
  const TimePoint sampled = now_ - std::min<Duration>(event.age, std::chrono::hours(24));
  const bool older = (utilisation && node.utilisation_at.value_or(sampled) > sampled) ||
                     (memory && node.memory_at.value_or(sampled) > sampled);
  if (older) {
    ++heard_.senseless;
    return;
  }
  if (utilisation) node.utilisation_at = sampled;
  if (memory) node.memory_at = sampled;
}

void Mirror::end(core::AttemptId id, std::optional<core::AttemptResult> result) {
  SeenAttempt* const found = attempt(id);
  if (found == nullptr) {
    ++heard_.senseless;
    return;
  }
  heard_.ended = *found;
  heard_.result = result;
  found->open = false;
  --open_attempts_;
  --nodes_[found->node].in_flight;
  --running_[found->tenant];
  if (SeenRequest* const of = found->wanted ? request(found->request) : nullptr) {
    of->result = result;
    leave(*of, id);
  }
}

void Mirror::leave(SeenRequest& request, core::AttemptId gone) {
  if (!request.hedge.valid()) return;
  if (request.attempt == gone) request.attempt = request.hedge;
  request.hedge = core::AttemptId{};
}

void Mirror::apply(const core::Action& action) {
  std::visit([this](const auto& a) { take(a); }, action);
}

// Into a queue, or past it: what its lane and the policy mean for it.
void Mirror::admit(SeenRequest& request, core::Lane lane, core::Priority priority,
                   TimePoint deadline, std::int64_t rank) {
  request.lane = lane;
  request.priority = request.accepted_as = priority;
  request.deadline = deadline;
  request.rank = rank;
  const Duration max_age = options_.lanes[static_cast<std::size_t>(lane)].max_age;
  request.expires = saturating_add(request.entered, max_age);
  if (options_.policy.reclaim == core::Reclaim::kAtDeadline) {
    request.expires = std::min(request.expires, deadline);
  }
}

void Mirror::begin_waiting(SeenRequest& request) {
  const auto lane = static_cast<std::size_t>(request.lane);
  request.stage = Stage::kWaiting;
  ++request.spells;
  ++waiting_[lane];
  if (request.again) ++waiting_again_[lane];
}

void Mirror::stop_waiting(SeenRequest& request) {
  if (request.stage != Stage::kWaiting) return;
  const auto lane = static_cast<std::size_t>(request.lane);
  --waiting_[lane];
  if (request.again) --waiting_again_[lane];
}

// Nobody waits for its attempts any more, if they still run.
void Mirror::let_go(const SeenRequest& request) {
  for (const core::AttemptId id : {request.attempt, request.hedge}) {
    if (SeenAttempt* const running = attempt(id)) running->wanted = false;
  }
}

void Mirror::take(const core::CancelAttempt& cancel) {
  SeenAttempt* const stopped = attempt(cancel.attempt);
  if (stopped == nullptr) return;
  stopped->wanted = false;
  if (SeenRequest* const of = request(stopped->request)) leave(*of, cancel.attempt);
}

void Mirror::take(const core::Queued& queued) {
  SeenRequest* const found = request(queued.request);
  if (found == nullptr) return;
  found->task = queued.task;
  found->model = queued.model.value;
  admit(*found, queued.lane, queued.priority, queued.deadline, queued.rank);
  at(of_task_, queued.task.slot) = queued.request;
  begin_waiting(*found);
}

void Mirror::take(const core::Dispatch& dispatch) {
  SeenRequest* const found = request(dispatch.request);
  if (found == nullptr) return;
  stop_waiting(*found);
  if (found->stage == Stage::kNew) {
    admit(*found, dispatch.lane, dispatch.priority, dispatch.deadline, dispatch.rank);
  }
  const bool is_hedge = found->stage == Stage::kRunning;
  found->stage = Stage::kRunning;
  found->task = dispatch.task;
  found->model = dispatch.model.value;
  found->result.reset();
  (is_hedge ? found->hedge : found->attempt) = dispatch.attempt;
  ++(is_hedge ? found->hedges : found->attempts);
  at(of_task_, dispatch.task.slot) = dispatch.request;
  at(attempts_, dispatch.attempt.slot) = {.id = dispatch.attempt,
                                          .request = dispatch.request,
                                          .open = true,
                                          .node = dispatch.node.value,
                                          .model = dispatch.model.value,
                                          .tenant = found->tenant,
                                          .lane = dispatch.lane,
                                          .accepted_as = found->accepted_as,
                                          .begun = now_,
                                          .expected = dispatch.expected};
  ++open_attempts_;
  ++nodes_[dispatch.node.value].in_flight;
  ++running_[found->tenant];
}

void Mirror::take(const core::Promoted& promoted) {
  SeenRequest* const found = request(promoted.request);
  if (found == nullptr) return;
  stop_waiting(*found);
  found->priority = promoted.to;
  found->lane = core::lane_of(promoted.to);
  found->rank = promoted.rank;
  found->again = true;
  begin_waiting(*found);
}

void Mirror::take(const core::Requeued& requeued) {
  SeenRequest* const found = request(requeued.request);
  if (found == nullptr) return;
  if (requeued.cause == core::Reason::kNone) ++found->preemptions;
  let_go(*found);
  found->again = true;
  begin_waiting(*found);
}

void Mirror::take(const core::Finish& finish) {
  SeenRequest* const found = request(finish.request);
  if (found == nullptr) return;
  stop_waiting(*found);
  let_go(*found);
  found->task = finish.task;
  found->stage = Stage::kEnded;
}

}  // namespace sluice::sim
