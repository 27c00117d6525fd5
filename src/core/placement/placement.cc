// What is known of the nodes, and who is told when it changes.
#include "core/placement/placement.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace sluice::core {
namespace {

// Nodes that name no kind are like no other.
std::vector<std::uint32_t> number_kinds(const std::vector<NodeOptions>& nodes) {
  std::map<std::string_view, std::uint32_t> known;
  std::vector<std::uint32_t> kinds;
  std::uint32_t next = 0;
  for (const NodeOptions& node : nodes) {
    if (node.kind.empty()) {
      kinds.push_back(next++);
      continue;
    }
    const auto [entry, is_new] = known.try_emplace(node.kind, next);
    if (is_new) ++next;
    kinds.push_back(entry->second);
  }
  return kinds;
}

}  // namespace

Placement::Placement(const Options& options, const Eligibility& eligibility,
                     const Residency& residency, Flows& flows)
    : options_(options),
      eligibility_(eligibility),
      residency_(residency),
      flows_(flows),
      nodes_(options.nodes.begin(), options.nodes.end()),
      kind_of_node_(number_kinds(options.nodes)),
      is_open_(options.nodes.size()),
      is_standby_(options.nodes.size()),
      counted_slots_(options.nodes.size()),
      memberships_(options.nodes.size()),
      classes_(eligibility.class_count()),
      predictor_(options.predictor, replicas()),
      breakers_(eligibility.replica_count(), Breaker(options.breaker)),
      routes_(options, eligibility, residency, nodes_, breakers_),
      figures_(options.nodes.size()),
      node_weights_(node_weights(options)),
      // Half of the time that an urgent task has: the other half is its own.
      reserves_(options.control.reserve,
                options.control.reserve.lend.value_or(options.lanes[0].budget / 2),
                eligibility.class_count()),
      turn_(options.models.size()),
      favourites_(options.models.size()),
      random_(options.seed) {
  SLUICE_CHECK(options.placement.top_k >= 1 && options.placement.top_k <= kMostListed,
               "the best so many are at least one, and not more than are listed");
  for (std::size_t n = 0; n < options.nodes.size(); ++n) {
    is_standby_[n] = options.nodes[n].standby;
  }
  open_breakers_.reserve(breakers_.size());
  held_nodes_.reserve(nodes_.size());
  build_classes();
  find_neighbours();
  find_light_classes();
  if (!residency_.enabled()) return;
  waiting_threads_.reserve(eligibility.replica_count() * kLanes);
  waited_for_.resize(options.nodes.size() * kLanes);
  is_waited_for_.resize(eligibility.replica_count() * std::size_t{kLanes});
  is_with_room_.resize(options.nodes.size());
}

std::vector<Predictor::Replica> Placement::replicas() const {
  std::vector<Predictor::Replica> result(eligibility_.replica_count());
  for (std::uint32_t m = 0; m < options_.models.size(); ++m) {
    for (const NodeId node : eligibility_.candidates({m})) {
      result[eligibility_.replica({m}, node)] = {.model = {m}, .kind = kind_of_node_[node.value]};
    }
  }
  return result;
}

void Placement::build_classes() {
  for (std::uint32_t c = 0; c < classes_.size(); ++c) {
    const auto nodes = eligibility_.nodes(ClassId{c});
    ClassState& state = classes_[c];
    state.node_count = static_cast<std::uint32_t>(nodes.size());
    std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(state.standbys),
                 [this](NodeId node) { return is_standby_[node.value] != 0; });
    std::map<std::uint32_t, std::uint32_t> strata;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      // Kinds that are only one node each are no kinds: one stratum holds them all.
      const std::string& name = options_.nodes[nodes[i].value].kind;
      const std::uint32_t kind = name.empty() ? NodeId::kNoValue : kind_of_node_[nodes[i].value];
      const auto next = static_cast<std::uint32_t>(strata.size());
      const std::uint32_t stratum = strata.try_emplace(kind, next).first->second;
      if (stratum == state.strata.size()) state.strata.emplace_back();
      state.strata[stratum].positions.push_back(i);
      memberships_[nodes[i].value].push_back(
          {.klass = ClassId{c}, .position = i, .stratum = stratum});
    }
    for (Stratum& stratum : state.strata) stratum.open.reserve(stratum.positions.size());
  }
}

void Placement::report(NodeId node, bool ready, std::optional<Duration> round_trip, TimePoint now) {
  Node& n = nodes_[node.value];
  const bool changed = n.ready() != ready;
  if (ready) first_ready_ = std::min(first_ready_, now);
  if (changed && ready && may_be_cold(node, now)) {
    n.start_slowly(options_.slow_start.attempts);
  }
  n.report(ready, round_trip);
  if (changed) count_ready(node, ready);
  refresh(node, now);
  // Who waits for this node has to think again, also when it is lost.
  if (!changed) return;
  routes_.readiness_changed(node, now);
  stir_models();
  unpark_all(node);
  for (const Membership& m : memberships_[node.value]) {
    for (const ClassId other : classes_[m.klass.value].neighbours) flows_.unpark_all(other);
  }
  if (!residency_.enabled()) return;
  for (const ModelId model : options_.nodes[node.value].models) call_all_back(model);
}

// It was seen while it was not ready, or nobody was told of it while others ran. A scheduler that
// starts in front of nodes that are up hears of all of them at once, and may use them as they are.
bool Placement::may_be_cold(NodeId node, TimePoint now) const {
  if (!adapts() || !options_.slow_start.enabled) return false;
  return nodes_[node.value].reported() ||
         now >= saturating_add(first_ready_, options_.slow_start.joins_after);
}

void Placement::begin(NodeId node, std::uint32_t attempt_slot, Attempt& attempt, TimePoint now) {
  attempt.replica = eligibility_.replica(attempt.model, node);
  const Breaker::Begun begun = breakers_[attempt.replica].begin(now);
  attempt.breaker_ticket = begun.ticket;
  routes_.began(attempt, now);
  note(attempt.replica, node, attempt.model, begun.transition, now);
  figures_[node.value].note(nodes_[node.value].in_flight(), now);
  nodes_[node.value].begin(attempt_slot, attempt, now);
  refresh(node, now);
  if (attempt.lane == Lane::kHigh) return;
  attempt.heavy = is_heavy(attempt.model);
  for (const Membership& m : memberships_[node.value]) {
    reserves_.others_began(m.klass, attempt.heavy);
  }
}

std::optional<std::uint32_t> Placement::end(const Attempt& attempt, std::uint32_t attempt_slot,
                                            TimePoint now) {
  const auto next = nodes_[attempt.node.value].end(attempt_slot);
  refresh(attempt.node, now);
  for (const Membership& m : memberships_[attempt.node.value]) {
    if (attempt.lane != Lane::kHigh) give_back(m.klass, attempt.heavy);
    flows_.unpark_some(m.klass);
    if (!reserves_.restricts(m.klass)) flows_.let_in(m.klass);
    const bool heavy_wait = reserves_.keeps_for_light();
    if (heavy_wait && !reserves_.restricts_heavy(m.klass)) flows_.let_heavy_in(m.klass);
  }
  return next;
}

void Placement::learn(const Attempt& attempt, Duration service, TimePoint now) {
  predictor_.learn(attempt.replica, service, attempt.size_bytes, now);
  nodes_[attempt.node.value].learn(service);
  refresh(attempt.node, now);
}

void Placement::judge(const Attempt& attempt, AttemptVerdict verdict, Duration took,
                      TimePoint now) {
  const bool measured = took > Duration::zero() && attempt.charged > Duration::zero();
  const double slowness =
      measured ? static_cast<double>(took.count()) / static_cast<double>(attempt.charged.count())
               : 1;
  note(attempt.replica, attempt.node, attempt.model,
       breakers_[attempt.replica].record(attempt.breaker_ticket, verdict, now, slowness), now);
  routes_.ended(attempt, verdict, now);
  stir_models();
  if (verdict == AttemptVerdict::kSuccess) nodes_[attempt.node.value].succeeded();
}

void Placement::forget(const Attempt& attempt, TimePoint now) {
  breakers_[attempt.replica].forget(attempt.breaker_ticket);
  routes_.forgotten(attempt, now);
  stir_models();
}

void Placement::note(std::uint32_t replica, NodeId node, ModelId model,
                     const std::optional<BreakerTransition>& transition, TimePoint now) {
  if (!transition) return;
  faulty_ += transition->from == BreakerState::kClosed ? 1 : 0;
  faulty_ -= transition->to == BreakerState::kClosed ? 1 : 0;
  breaker_changes_.push_back({.node = node, .model = model, .transition = *transition});
  routes_.replicas_changed(model, now);
  if (transition->to != BreakerState::kOpen) return;
  open_breakers_.push_back({.replica = replica,
                            .node = node,
                            .model = model,
                            .until = breakers_[replica].next_change()});
}

void Placement::check_breakers() const {
  const auto faulty = std::count_if(breakers_.begin(), breakers_.end(), [](const Breaker& b) {
    return b.state() != BreakerState::kClosed;
  });
  SLUICE_CHECK(faulty == faulty_, "breakers that are not closed are counted");
}

void Placement::residency_changed(ModelId model, TimePoint now) {
  routes_.replicas_changed(model, now);
  stir_models();
}

// Models whose path has changed, or is to be probed: what waits for them may find room now.
void Placement::stir_models() {
  for (const ModelId model : routes_.stirred()) {
    for (const ClassId klass : eligibility_.classes_of(model)) flows_.unpark_all(klass);
  }
  routes_.stirred().clear();
}

void Placement::release_due(TimePoint now) {
  std::erase_if(held_nodes_, [&](const HeldNode& held) {
    if (held.until > now) return false;
    unpark_all(held.node);
    return true;
  });
  for (std::size_t i = 0; i < open_breakers_.size();) {
    const OpenBreaker open = open_breakers_[i];
    if (open.until > now) {
      ++i;
      continue;
    }
    open_breakers_.erase(open_breakers_.begin() + static_cast<std::ptrdiff_t>(i));
    routes_.replicas_changed(open.model, now);
    unpark_all(open.node);
  }
  routes_.release_due(now);
  stir_models();
}

TimePoint Placement::next_due() const {
  TimePoint first = routes_.next_due();
  for (const HeldNode& held : held_nodes_) first = std::min(first, held.until);
  for (const OpenBreaker& open : open_breakers_) first = std::min(first, open.until);
  return first;
}

void Placement::unpark_all(NodeId node) {
  for (const Membership& m : memberships_[node.value]) flows_.unpark_all(m.klass);
}

void Placement::count_ready(NodeId node, bool ready) {
  const std::uint32_t slots = nodes_[node.value].slots();
  for (const Membership& m : memberships_[node.value]) {
    ClassState& state = classes_[m.klass.value];
    std::uint32_t& sum = is_standby_[node.value] != 0 ? state.standby_slots : state.ready_slots;
    sum = ready ? sum + slots : sum - slots;
    if (state.has_light) reserves_.set_ready_slots(m.klass, state.ready_slots);
    call_or_dismiss_standbys(m.klass);
  }
  count_in_total(node);
}

void Placement::refresh(NodeId node, TimePoint now) {
  routes_.load_changed(node, now);
  const bool open = nodes_[node.value].open();
  if (open == (is_open_[node.value] != 0)) return;
  is_open_[node.value] = open;
  if (open && residency_.enabled() && !is_with_room_[node.value]) {
    is_with_room_[node.value] = true;
    with_room_.push_back(node);
  }
  for (std::uint32_t m = 0; m < memberships_[node.value].size(); ++m) refresh_in(node, m);
}

void Placement::refresh_in(NodeId node, std::uint32_t membership) {
  const Membership& m = memberships_[node.value][membership];
  const bool open = is_open_[node.value] != 0 && !on_call(node, m.klass);
  if (open == (m.open != kNowhere)) return;
  if (open) {
    open_in(node, membership);
  } else {
    close_in(node, membership);
  }
}

void Placement::open_in(NodeId node, std::uint32_t membership) {
  Membership& m = memberships_[node.value][membership];
  ClassState& state = classes_[m.klass.value];
  auto& open = state.strata[m.stratum].open;
  m.open = static_cast<std::uint32_t>(open.size());
  open.push_back({node, membership, m.position});
  if (++state.open_count == 1) flows_.set_active(m.klass, true);
}

void Placement::close_in(NodeId node, std::uint32_t membership) {
  Membership& m = memberships_[node.value][membership];
  ClassState& state = classes_[m.klass.value];
  auto& open = state.strata[m.stratum].open;
  const OpenNode last = open.back();
  open[m.open] = last;
  memberships_[last.node.value][last.membership].open = m.open;
  open.pop_back();
  m.open = kNowhere;
  if (--state.open_count == 0) flows_.set_active(m.klass, false);
}

bool Placement::down(ClassId klass) const {
  const auto nodes = eligibility_.nodes(klass);
  return std::all_of(nodes.begin(), nodes.end(), [&](NodeId n) {
    return nodes_[n.value].reported() && !nodes_[n.value].ready();
  });
}

bool Placement::untried(const Task& task, ClassId klass, TimePoint now) const {
  const auto nodes = eligibility_.nodes(klass);
  return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) {
    const Node& n = nodes_[id.value];
    if (task.has_tried(id) || (n.reported() && !n.ready())) return false;
    const std::uint32_t replica = eligibility_.replica(task.model, id);
    return residency_.is_usable(replica) && breakers_[replica].admits(now);
  });
}

std::uint32_t Placement::ready_slots(ModelId model) const {
  std::uint32_t sum = 0;
  for (const NodeId node : eligibility_.candidates(model)) {
    sum += nodes_[node.value].ready() ? nodes_[node.value].slots() : 0;
  }
  return sum;
}

NodeId Placement::next_in_turn(ModelId model, Priority priority) {
  const auto candidates = eligibility_.candidates(model);
  const auto next = [&](auto&& fits) {
    std::uint32_t& turn = turn_[model.value];
    for (std::size_t tried = 0; tried < candidates.size(); ++tried) {
      const NodeId node = candidates[turn++ % candidates.size()];
      if (eligibility_.accepts(node, priority) && fits(node)) return node;
    }
    return NodeId{};
  };
  const auto ready = [&](NodeId node) {
    return nodes_[node.value].ready() && residency_.is_here(node, model);
  };
  NodeId found = next([&](NodeId node) { return ready(node) && is_standby_[node.value] == 0; });
  if (!found.valid()) found = next(ready);
  return found.valid() ? found : next([](NodeId) { return true; });
}

}  // namespace sluice::core
