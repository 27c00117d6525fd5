#include "core/placement/routes.h"

#include <algorithm>
#include <set>

#include "base/check.h"

namespace sluice::core {
namespace {

// latency ÷ budget; that of a task without a budget says nothing.
double slowness_of(const Attempt& attempt, TimePoint now) {
  if (attempt.budget <= Duration::zero()) return 0;
  return static_cast<double>((now - attempt.dispatched).count()) /
         static_cast<double>(attempt.budget.count());
}

}  // namespace

Routes::Routes(const Options& options, const Eligibility& eligibility, const Residency& residency,
               const std::vector<Node>& nodes, const std::vector<Breaker>& breakers)
    : options_(options),
      eligibility_(eligibility),
      residency_(residency),
      nodes_(nodes),
      breakers_(breakers),
      state_of_model_(options.models.size(), kNone),
      loads_of_node_(options.nodes.size()),
      part_of_node_(options.nodes.size()),
      failed_in_run_(eligibility.replica_count()),
      figures_(options.paths.size()) {
  for (const NodeOptions& node : options.nodes) {
    path_of_node_.push_back(node.path.valid() ? node.path : PathId{0});
    SLUICE_CHECK(!node.path.valid() || node.path.value < options.paths.size(),
                 "a node names a path that does not exist");
  }
  const Policy& policy = options.policy;
  if (policy.control != Control::kAdaptive || policy.binding != Binding::kLate) return;
  for (std::uint32_t m = 0; m < options.models.size(); ++m) add({m});
  changes_.reserve(states_.size());
  stirred_.reserve(states_.size());
}

void Routes::add(ModelId model) {
  std::set<PathId> paths;
  for (const NodeId node : eligibility_.candidates(model)) paths.insert(path_of(node));
  if (paths.size() < 2) return;
  const auto count = static_cast<std::uint32_t>(options_.paths.size());
  state_of_model_[model.value] = static_cast<std::uint32_t>(states_.size());
  states_.push_back({.model = model,
                     .selector = PathSelector(options_.path, count, paths.begin()->value),
                     .load = load_of(model),
                     .paths = std::vector<OfPath>(count)});
  count_nodes(states_.back(), TimePoint{});
  rank_paths(states_.back());
}

std::uint32_t Routes::load_of(ModelId model) {
  const auto nodes = eligibility_.candidates(model);
  for (const State& other : states_) {
    if (std::ranges::equal(eligibility_.candidates(other.model), nodes)) return other.load;
  }
  const auto load = static_cast<std::uint32_t>(loads_.size());
  loads_.emplace_back(options_.paths.size());
  for (const NodeId node : nodes) loads_of_node_[node.value].push_back(load);
  return load;
}

Routes::State* Routes::state_of(ModelId model) {
  return several(model) ? &states_[state_of_model_[model.value]] : nullptr;
}

Routes::Rank Routes::rank(const Task& task, NodeId node) const {
  const PathId path = path_of(node);
  Rank rank = states_[state_of_model_[task.model.value]].paths[path.value].rank;
  if (task.path.valid()) rank.order = path == task.path ? 0 : rank.order + 1;
  return rank;
}

std::optional<PathId> Routes::probe(const Task& task, TimePoint now) const {
  if (!several(task.model)) return std::nullopt;
  const State& state = states_[state_of_model_[task.model.value]];
  const auto path = state.selector.to_probe();
  if (!path || state.probe_under_way) return std::nullopt;
  if (!task.retriable && now - state.probe_wanted < kProbePatience) return std::nullopt;
  return PathId{*path};
}

PathId Routes::current(ModelId model) const {
  if (several(model)) return {states_[state_of_model_[model.value]].selector.current()};
  const auto nodes = eligibility_.candidates(model);
  return nodes.empty() ? PathId{} : path_of(nodes.front());
}

// --- what is known ------------------------------------------------------------------------------

bool Routes::ready(ModelId model, NodeId node, TimePoint now) const {
  const Breaker& breaker = breakers_[eligibility_.replica(model, node)];
  const bool open = breaker.state() == BreakerState::kOpen && now < breaker.next_change();
  return nodes_[node.value].ready() && !open;
}

void Routes::count_nodes(State& state, TimePoint now) const {
  for (OfPath& path : state.paths) path.ready = path.loaded = path.unknown = path.sure = 0;
  for (const NodeId node : eligibility_.candidates(state.model)) {
    OfPath& path = state.paths[path_of(node).value];
    const bool is_ready = ready(state.model, node, now);
    const bool is_unknown = !nodes_[node.value].reported();
    const bool has_model = residency_.is_usable(eligibility_.replica(state.model, node));
    path.ready += is_ready ? 1 : 0;
    path.loaded += is_ready && has_model ? 1 : 0;
    path.unknown += is_unknown ? 1 : 0;
    path.sure += is_unknown && has_model ? 1 : 0;
  }
}

PathFigures Routes::figures(const State& state, std::uint32_t path, TimePoint now) {
  const OfPath& of = state.paths[path];
  PathLoad& load = loads_[state.load][path];
  const bool in_use = path == state.selector.current();
  // Of a path whose nodes nobody has asked yet nothing bad is known: it is not left, and entered
  // where the model is always loaded.
  return {.ready = of.ready + of.unknown > 0,
          .loaded = of.loaded + (in_use ? of.unknown : of.sure) > 0,
          .utilisation = load.utilisation(now),
          .queue = load.queue(now),
          .slowness = in_use ? of.health.slowness() : of.health.slowness_of_late(now),
          .failures_in_a_row = of.health.failures_in_a_row(of.loaded)};
}

// --- what has happened --------------------------------------------------------------------------

void Routes::readiness_changed(NodeId node, TimePoint now) {
  if (states_.empty()) return;
  for (const ModelId model : options_.nodes[node.value].models) replicas_changed(model, now);
}

void Routes::replicas_changed(ModelId model, TimePoint now) {
  State* const state = state_of(model);
  if (state == nullptr) return;
  count_nodes(*state, now);
  step(*state, now);
}

void Routes::load_changed(NodeId node, TimePoint now) {
  if (loads_of_node_[node.value].empty()) return;
  const Node& n = nodes_[node.value];
  PathLoad::Part part;
  if (n.ready()) {
    part = {.slots = n.slots(), .credits = n.allowed(), .in_flight = n.in_flight()};
  }
  if (part == part_of_node_[node.value]) return;
  for (const std::uint32_t load : loads_of_node_[node.value]) {
    loads_[load][path_of(node).value].change(part_of_node_[node.value], part, now);
  }
  part_of_node_[node.value] = part;
}

void Routes::began(Attempt& attempt, TimePoint now) {
  attempt.dispatched = now;
  State* const state = state_of(attempt.model);
  if (state == nullptr || state->probe_under_way) return;
  attempt.probe = state->selector.to_probe() == path_of(attempt.node).value;
  state->probe_under_way = attempt.probe;
}

void Routes::ended(const Attempt& attempt, AttemptVerdict verdict, TimePoint now) {
  State* const state = state_of(attempt.model);
  if (state == nullptr) return;
  const std::uint32_t path = path_of(attempt.node).value;
  PathHealth& health = state->paths[path].health;
  if (attempt.dispatched >= health.entered()) {
    if (verdict == AttemptVerdict::kSuccess) {
      health.succeeded(slowness_of(attempt, now), now);
    } else if (verdict == AttemptVerdict::kFailure) {
      std::uint32_t& run = failed_in_run_[attempt.replica];
      health.failed(run != health.run());
      run = health.run();
    }
  }
  if (attempt.probe && verdict != AttemptVerdict::kNeutral) {
    const bool good = verdict == AttemptVerdict::kSuccess &&
                      slowness_of(attempt, now) <= options_.path.leave_slowness;
    state->selector.probed(path, good, now);
  }
  forgotten(attempt, now);
}

void Routes::forgotten(const Attempt& attempt, TimePoint now) {
  State* const state = state_of(attempt.model);
  if (state == nullptr) return;
  if (attempt.probe) {
    state->probe_under_way = false;
    state->probe_wanted = now;
  }
  step(*state, now);
}

void Routes::release_due(TimePoint now) {
  if (now < next_due_) return;
  next_due_ = kNever;
  for (State& state : states_) {
    if (state.due <= now) {
      step(state, now);
    } else {
      next_due_ = std::min(next_due_, state.due);
    }
  }
}

// --- what follows -------------------------------------------------------------------------------

void Routes::step(State& state, TimePoint now) {
  for (std::uint32_t p = 0; p < figures_.size(); ++p) figures_[p] = figures(state, p, now);
  if (const auto change = state.selector.update(figures_, now)) take(state, *change, now);
  const bool wants_probe = state.selector.to_probe().has_value();
  if (wants_probe && state.probe_wanted == kNever) {
    state.probe_wanted = now;
    stirred_.push_back(state.model);
  } else if (!wants_probe) {
    state.probe_wanted = kNever;
  }
  // One that is over already waits for an event, not for time.
  const TimePoint due = state.selector.next_change();
  state.due = due > now ? due : kNever;
  next_due_ = std::min(next_due_, state.due);
}

void Routes::take(State& state, const PathSwitch& change, TimePoint now) {
  const bool for_load = change.cause == PathCause::kLoad;
  state.paths[change.from].left_for_load = change.to > change.from && for_load;
  state.paths[change.to].health.enter(now);
  rank_paths(state);
  changes_.push_back({.model = state.model, .change = change});
  stirred_.push_back(state.model);
}

void Routes::rank_paths(State& state) const {
  const std::uint32_t current = state.selector.current();
  const auto count = static_cast<std::uint32_t>(state.paths.size());
  for (std::uint32_t p = 0; p < count; ++p) {
    const std::uint32_t order = p >= current ? p - current : count - current + p;
    state.paths[p].rank = {.order = static_cast<std::uint8_t>(order),
                           .barred = p < current && !state.paths[p].left_for_load};
  }
}

}  // namespace sluice::core
