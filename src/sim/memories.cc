#include "sim/memories.h"

#include <algorithm>

namespace sluice::sim {
namespace {

// What an order or its answer carries.
constexpr std::uint32_t kLoad = 1;
constexpr std::uint32_t kOk = 2;
// A frozen node looks at its orders again after this.
constexpr Duration kThaw = std::chrono::milliseconds(10);

}  // namespace

Memories::Memories(const Scenario& scenario, const Draws& draws, EventQueue& events)
    : scenario_(scenario), draws_(draws), events_(events) {
  for (std::size_t n = 0; n < scenario.nodes.size(); ++n) {
    const sim::Node& node = scenario.nodes[n];
    const NodeKind& kind = scenario.kinds[node.kind];
    nodes_.push_back({.first = replicas_.size(),
                      .count = node.models.size(),
                      .managed = kind.managed,
                      .memory = kind.memory_bytes});
    for (std::size_t place = 0; place < node.models.size(); ++place) {
      const auto replica = static_cast<std::uint32_t>(replicas_.size());
      replicas_.push_back({.node = n, .place = place});
      if (!kind.managed) set(replica, State::kIn, TimePoint{});
    }
  }
}

bool Memories::has(std::size_t node, std::size_t place) const {
  return replicas_[nodes_[node].first + place].state == State::kIn;
}

void Memories::list(std::size_t node, std::vector<core::ModelId>& models) const {
  models.clear();
  const auto& hosted = scenario_.nodes[node].models;
  for (std::size_t place = 0; place < hosted.size(); ++place) {
    if (has(node, place)) models.push_back({static_cast<std::uint32_t>(hosted[place])});
  }
}

const Model& Memories::model_of(const Replica& replica) const {
  return scenario_.models[scenario_.nodes[replica.node].models[replica.place]];
}

Duration Memories::way(std::uint32_t replica, Draws::Way way) const {
  const Replica& of = replicas_[replica];
  const std::size_t path = scenario_.kinds[scenario_.nodes[of.node].kind].path;
  // Numbers that neither a request nor a node's probe has.
  const std::uint64_t who = ~(std::uint64_t{replica} << 32);
  return draws_.delay(who, of.orders, path, way);
}

void Memories::set(std::uint32_t id, State to, TimePoint now) {
  Replica& replica = replicas_[id];
  Node& node = nodes_[replica.node];
  node.byte_seconds += node.used * to_seconds(now - node.counted_until);
  node.counted_until = now;
  const double memory = model_of(replica).memory_bytes;
  if (replica.state == State::kOut && to != State::kOut) node.used += memory;
  if (replica.state != State::kOut && to == State::kOut) node.used -= memory;
  replica.state = to;
}

void Memories::send(std::size_t node, std::size_t place, bool load, TimePoint now) {
  const auto replica = static_cast<std::uint32_t>(nodes_[node].first + place);
  ++replicas_[replica].orders;
  events_.push({.at = now + way(replica, Draws::Way::kThere),
                .kind = EventKind::kOrderAtNode,
                .subject = replica,
                .generation = load ? kLoad : 0});
}

void Memories::on(const Event& event, const Condition& condition) {
  if (condition.frozen) {
    Event later = event;
    later.at += kThaw;
    events_.push(later);
  } else if (event.kind == EventKind::kOrderAtNode) {
    arrive(event, condition);
  } else {
    end_load(event, condition);
  }
}

void Memories::arrive(const Event& event, const Condition& condition) {
  const std::uint32_t id = event.subject;
  const bool load = (event.generation & kLoad) != 0;
  if (condition.cut_off || condition.silent) return;
  if (condition.crashed) return answer(id, load, false, event.at);
  if (load && replicas_[id].state != State::kIn) return begin_load(id, condition, event.at);
  if (!load && replicas_[id].state != State::kOut) {
    ++counts_.unloads;
    set(id, State::kOut, event.at);
  }
  answer(id, load, true, event.at);
}

void Memories::begin_load(std::uint32_t id, const Condition& condition, TimePoint now) {
  const Replica& replica = replicas_[id];
  const Node& node = nodes_[replica.node];
  const Model& model = model_of(replica);
  ++counts_.loads;
  const double more = replica.state == State::kOut ? model.memory_bytes : 0;
  if (node.memory > 0 && node.used + more > node.memory) {
    ++counts_.without_room;
    return answer(id, true, false, now);
  }
  set(id, State::kComing, now);
  const Duration took = draws_.load(id, replica.orders, model.load_time);
  events_.push({.at = now + Duration(static_cast<std::int64_t>(static_cast<double>(took.count()) *
                                                               condition.slowness)),
                .kind = EventKind::kLoadOver,
                .subject = id,
                .generation = replica.orders});
}

void Memories::end_load(const Event& event, const Condition& condition) {
  const std::uint32_t id = event.subject;
  const Replica& replica = replicas_[id];
  // Unloaded meanwhile, or lost in a crash.
  if (replica.state != State::kComing || replica.orders != event.generation) return;
  const bool ok =
      draws_.fate(~std::uint64_t{id}, replica.orders) >= model_of(replica).load_failures;
  if (!ok) ++counts_.failed;
  set(id, ok ? State::kIn : State::kOut, event.at);
  if (!condition.cut_off) answer(id, true, ok, event.at);
}

void Memories::crash(std::size_t at, bool loudly, TimePoint now) {
  const Node& node = nodes_[at];
  if (!node.managed) return;
  for (std::size_t place = 0; place < node.count; ++place) {
    const auto id = static_cast<std::uint32_t>(node.first + place);
    const bool was_coming = replicas_[id].state == State::kComing;
    set(id, State::kOut, now);
    if (was_coming && loudly) answer(id, true, false, now);
  }
}

void Memories::answer(std::uint32_t id, bool load, bool ok, TimePoint now) {
  events_.push({.at = now + way(id, Draws::Way::kBack),
                .kind = EventKind::kOrderAnswered,
                .subject = id,
                .generation = (load ? kLoad : 0) | (ok ? kOk : 0)});
}

Memories::Answer Memories::answered(const Event& event) const {
  const Replica& replica = replicas_[event.subject];
  const std::size_t model = scenario_.nodes[replica.node].models[replica.place];
  return {.node = {static_cast<std::uint32_t>(replica.node)},
          .model = {static_cast<std::uint32_t>(model)},
          .load = (event.generation & kLoad) != 0,
          .ok = (event.generation & kOk) != 0};
}

std::optional<double> Memories::share(std::size_t node) const {
  const Node& of = nodes_[node];
  return of.memory > 0 ? std::optional(of.used / of.memory) : std::nullopt;
}

std::optional<double> Memories::share(TimePoint now) const {
  double sum = 0;
  double count = 0;
  const double seconds = to_seconds(now.time_since_epoch());
  for (const Node& node : nodes_) {
    if (node.memory <= 0 || seconds <= 0) continue;
    const double since = to_seconds(now - node.counted_until);
    sum += (node.byte_seconds + node.used * since) / (node.memory * seconds);
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

}  // namespace sluice::sim
