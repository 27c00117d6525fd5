#include "sim/cluster.h"

#include <algorithm>

#include "base/check.h"

namespace sluice::sim {

using core::AttemptResult;

Cluster::Cluster(const Scenario& scenario, const Draws& draws, EventQueue& events, Strikes& strikes,
                 std::uint32_t capacity)
    : scenario_(scenario),
      draws_(draws),
      events_(events),
      strikes_(strikes),
      jobs_(capacity),
      memories_(scenario, draws, events) {
  nodes_.reserve(scenario.nodes.size());
  for (const sim::Node& node : scenario.nodes) {
    nodes_.emplace_back(jobs_, node, scenario.kinds[node.kind]);
    nodes_.back().running.reserve(nodes_.back().slots);
  }
}

Event Cluster::event_for(std::uint32_t slot, EventKind kind, TimePoint at) const {
  return {.at = at, .kind = kind, .subject = slot, .generation = jobs_.id_of(slot).generation};
}

std::size_t Cluster::place_of(std::size_t model, std::size_t node) const {
  const auto& models = scenario_.nodes[node].models;
  const auto at = std::lower_bound(models.begin(), models.end(), model);
  SLUICE_CHECK(at != models.end() && *at == model, "sent to a node that lacks the model");
  return static_cast<std::size_t>(at - models.begin());
}

void Cluster::send(JobId id, TimePoint now) {
  Job& job = jobs_[id.slot];
  job.place = static_cast<std::uint32_t>(place_of(job.model, job.node));
  const Duration way =
      draws_.delay(job.number, job.ordinal, nodes_[job.node].path, Draws::Way::kThere);
  events_.push(event_for(id.slot, EventKind::kReachNode, now + way));
}

void Cluster::send_cancel(JobId id, TimePoint now) {
  const Job& job = jobs_[id.slot];
  const Duration way =
      draws_.delay(job.number, job.ordinal, nodes_[job.node].path, Draws::Way::kCancel);
  events_.push(event_for(id.slot, EventKind::kCancelAtNode, now + way));
}

void Cluster::forget(JobId id) {
  Job& job = jobs_[id.slot];
  job.attempt = core::AttemptId{};
  if (job.state == JobState::kComingBack || job.state == JobState::kLost) jobs_.release(id);
}

void Cluster::on(const Event& event) {
  if (jobs_.find({event.subject, event.generation}) == nullptr) return;
  switch (event.kind) {
    case EventKind::kReachNode:
      return reach(event.subject, event.at);
    case EventKind::kServed:
      return served(event.subject, event.at);
    case EventKind::kCancelAtNode:
      return cancel(event.subject, event.at);
    default:
      SLUICE_CHECK(false, "an event that is not the cluster's");
  }
}

// Whether a message gets as far as the node's software.
bool Cluster::can_hear(std::uint32_t node) {
  const Condition& condition = nodes_[node].condition;
  if (condition.cut_off) strikes_.hit(node, FaultKind::kPartition);
  return !condition.cut_off && !condition.silent;
}

void Cluster::reach(std::uint32_t slot, TimePoint now) {
  Job& job = jobs_[slot];
  Node& node = nodes_[job.node];
  if (!can_hear(job.node)) return lose(slot);
  if (node.condition.crashed) return answer(slot, AttemptResult::kUnreachable, now);
  if (node.condition.frozen) {
    job.state = JobState::kHeld;
    node.held.push_back(event_for(slot, EventKind::kReachNode, now));
    return;
  }
  if (job.is_cancelled) return answer(slot, AttemptResult::kStopped, now);
  if (!memories_.has(job.node, job.place)) return answer(slot, AttemptResult::kError, now);
  take_in(slot, now);
}

void Cluster::take_in(std::uint32_t slot, TimePoint now) {
  Job& job = jobs_[slot];
  Node& node = nodes_[job.node];
  ++node.arrived;
  if (node.running.size() < node.slots) return start(slot, now);
  if (node.queue.size(job.place) >= scenario_.queues.bound[job.model]) {
    const std::uint32_t worst = node.queue.worst(job.place);
    if (worst == kNoSlot || jobs_[worst].level <= job.level) {
      return answer(slot, AttemptResult::kBusy, now);
    }
    node.queue.remove(worst);
    answer(worst, AttemptResult::kBusy, now);
  }
  job.state = JobState::kWaiting;
  node.queue.push(slot);
}

void Cluster::start(std::uint32_t slot, TimePoint now) {
  Job& job = jobs_[slot];
  Node& node = nodes_[job.node];
  count_busy(node, now);
  job.state = JobState::kRunning;
  job.started = now;
  job.place = static_cast<std::uint32_t>(node.running.size());
  node.running.push_back(slot);
  Duration service = draws_.service(job.number, job.model, node.kind);
  if (node.condition.slowness != 1) {
    strikes_.hit(job.node, FaultKind::kSlow);
    service = Duration(
        static_cast<std::int64_t>(static_cast<double>(service.count()) * node.condition.slowness));
  }
  job.over = now + service;
  events_.push(event_for(slot, EventKind::kServed, job.over));
}

void Cluster::stop_running(Node& node, std::uint32_t slot, TimePoint now) {
  count_busy(node, now);
  const std::uint32_t place = jobs_[slot].place;
  node.running[place] = node.running.back();
  jobs_[node.running[place]].place = place;
  node.running.pop_back();
}

void Cluster::served(std::uint32_t slot, TimePoint at) {
  Job& job = jobs_[slot];
  // A freeze has moved the end, or a crash has made it void.
  if (job.state != JobState::kRunning || job.over != at) return;
  Node& node = nodes_[job.node];
  stop_running(node, slot, at);
  const double lost_share = node.condition.lost_share;
  if (lost_share > 0 && draws_.fate(job.number, job.ordinal) < lost_share) {
    strikes_.hit(job.node, FaultKind::kLostCompletion);
    lose(slot);
  } else {
    answer(slot, AttemptResult::kAnswered, at);
  }
  fill_slots(node, at);
}

void Cluster::fill_slots(Node& node, TimePoint now) {
  while (node.running.size() < node.slots) {
    const std::uint32_t next = node.queue.pop();
    if (next == kNoSlot) return;
    start(next, now);
  }
}

void Cluster::cancel(std::uint32_t slot, TimePoint now) {
  Job& job = jobs_[slot];
  Node& node = nodes_[job.node];
  if (!can_hear(job.node) || node.condition.crashed) return;
  if (node.condition.frozen) {
    node.held.push_back(event_for(slot, EventKind::kCancelAtNode, now));
    return;
  }
  switch (job.state) {
    case JobState::kOnTheWay:  // overtaken
    case JobState::kHeld:
      job.is_cancelled = true;
      return;
    case JobState::kWaiting:
      node.queue.remove(slot);
      return answer(slot, AttemptResult::kStopped, now);
    case JobState::kLost:  // the node knows nothing of it (any more), and says so
      return answer(slot, AttemptResult::kStopped, now);
    case JobState::kRunning:
      if (scenario_.kinds[node.kind].cancel != core::CancelMode::kStops) return;
      stop_running(node, slot, now);
      answer(slot, AttemptResult::kStopped, now);
      return fill_slots(node, now);
    case JobState::kComingBack:
      return;
  }
}

void Cluster::answer(std::uint32_t slot, AttemptResult result, TimePoint now) {
  Job& job = jobs_[slot];
  const Node& node = nodes_[job.node];
  if (node.condition.cut_off) {
    strikes_.hit(job.node, FaultKind::kPartition);
    return lose(slot);
  }
  job.state = JobState::kComingBack;
  job.result = result;
  if (!job.attempt.valid()) return jobs_.release(jobs_.id_of(slot));
  const Duration way = draws_.delay(job.number, job.ordinal, node.path, Draws::Way::kBack);
  events_.push(event_for(slot, EventKind::kReachGateway, now + way));
}

void Cluster::lose(std::uint32_t slot) {
  Job& job = jobs_[slot];
  job.state = JobState::kLost;
  if (!job.attempt.valid()) jobs_.release(jobs_.id_of(slot));
}

void Cluster::set_condition(std::size_t at, const Condition& condition, TimePoint now) {
  Node& node = nodes_[at];
  const Condition before = node.condition;
  node.condition = condition;
  if (condition.down() && !before.down()) {
    crash(node, !condition.silent, now);
    memories_.crash(at, !condition.silent, now);
  }
  if (condition.frozen && !before.frozen) freeze(node, now);
  if (!condition.frozen && before.frozen) thaw(node, now);
}

void Cluster::crash(Node& node, bool loudly, TimePoint now) {
  count_busy(node, now);
  std::vector<std::uint32_t> gone = std::move(node.running);
  node.running.clear();
  for (std::uint32_t slot = node.queue.pop(); slot != kNoSlot; slot = node.queue.pop()) {
    gone.push_back(slot);
  }
  for (const Event& held : node.held) {
    if (held.kind == EventKind::kReachNode) gone.push_back(held.subject);
  }
  node.held.clear();
  for (const std::uint32_t slot : gone) {
    if (loudly) {
      answer(slot, AttemptResult::kUnreachable, now);
    } else {
      lose(slot);
    }
  }
}

void Cluster::freeze(Node& node, TimePoint now) {
  for (const std::uint32_t slot : node.running) {
    jobs_[slot].left = jobs_[slot].over - now;
    jobs_[slot].over = kNever;
  }
}

void Cluster::thaw(Node& node, TimePoint now) {
  for (const std::uint32_t slot : node.running) {
    jobs_[slot].over = now + jobs_[slot].left;
    events_.push(event_for(slot, EventKind::kServed, jobs_[slot].over));
  }
  const std::vector<Event> held = std::move(node.held);
  node.held.clear();
  for (Event event : held) {
    event.at = now;
    on(event);
  }
}

void Cluster::count_busy(Node& node, TimePoint now) {
  node.busy_time += (now - node.counted_until) * static_cast<std::int64_t>(node.running.size());
  node.counted_until = now;
}

ClusterNodeView Cluster::view(std::size_t at, TimePoint now) const {
  const Node& node = nodes_[at];
  const auto busy = static_cast<std::uint32_t>(node.running.size());
  return {.slots = node.slots,
          .busy = busy,
          .waiting = node.queue.size(),
          .arrived = node.arrived,
          .busy_time = node.busy_time + (now - node.counted_until) * std::int64_t{busy}};
}

}  // namespace sluice::sim
