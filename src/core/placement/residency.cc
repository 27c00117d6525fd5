// The states of replicas, and all that follows from one.
#include "core/placement/residency.h"

#include <algorithm>

#include "base/check.h"

namespace sluice::core {
namespace {

struct Holds {
  bool memory;  // it takes room now
  bool claim;   // it will when everything that was decided is done
  bool load;    // of the loads of its node and model, one
};

constexpr Holds holds(ResidencyState state) {
  switch (state) {
    case ResidencyState::kCold:
      return {.memory = false, .claim = false, .load = false};
    case ResidencyState::kPlanned:
      return {.memory = false, .claim = true, .load = true};
    case ResidencyState::kLoading:
      return {.memory = true, .claim = true, .load = true};
    case ResidencyState::kLoaded:
    case ResidencyState::kAborting:
      return {.memory = true, .claim = true, .load = false};
    case ResidencyState::kDraining:
    case ResidencyState::kUnloading:
      return {.memory = true, .claim = false, .load = false};
  }
  __builtin_unreachable();
}

}  // namespace

Residency::Residency(const Options& options, const Eligibility& eligibility)
    : options_(options),
      eligibility_(eligibility),
      enabled_(std::any_of(options.nodes.begin(), options.nodes.end(),
                           [](const NodeOptions& node) { return node.managed; })),
      adapts_(options.policy.control == Control::kAdaptive) {
  if (!enabled_) return;
  for (const ModelOptions& model : options.models) models_.emplace_back(model);
  replicas_.resize(eligibility.replica_count());
  threads_.reserve(eligibility.replica_count());
  deadlines_.reserve(eligibility.replica_count());
  fresh_.reserve(models_.size());
  wanting_.reserve(models_.size());
  for (std::uint32_t n = 0; n < options.nodes.size(); ++n) {
    Node& node = nodes_.emplace_back(options.nodes[n]);
    for (const ModelId id : options.nodes[n].models) {
      Replica& replica = replicas_[replica_of({n}, id)];
      replica.node = {n};
      replica.model = id;
      replica.managed = options.nodes[n].manages(id);
      Model& model = models_[id.value];
      ++model.replicas;
      model.managed = model.managed || replica.managed;
      if (node.managed) node.memory.host(model.size);
      if (replica.managed) continue;
      replica.state = ResidencyState::kLoaded;
      if (node.managed) account(node, model.size, ResidencyState::kCold, replica.state);
    }
  }
  for (Model& model : models_) model.usable.reserve(model.replicas);
  for (const NodeOptions& node : options.nodes) {
    const bool comes_and_goes = std::any_of(node.models.begin(), node.models.end(),
                                            [this](ModelId model) { return manages(model); });
    SLUICE_CHECK(!node.standby || !comes_and_goes, "a standby is ready: its models stay loaded");
  }
}

std::optional<std::uint32_t> Residency::find(NodeId node, ModelId model) const {
  if (!enabled_ || node.value >= nodes_.size() || model.value >= models_.size()) return {};
  const auto nodes = eligibility_.candidates(model);
  if (!std::binary_search(nodes.begin(), nodes.end(), node)) return {};
  return replica_of(node, model);
}

ResidencyState Residency::state(NodeId node, ModelId model) const {
  return enabled_ ? replicas_[replica_of(node, model)].state : ResidencyState::kLoaded;
}

bool Residency::is_here(NodeId node, ModelId model) const {
  if (!manages(model)) return true;
  const Model& of = models_[model.value];
  const std::uint32_t replica = replica_of(node, model);
  if (!of.usable.empty()) return replicas_[replica].state == ResidencyState::kLoaded;
  return of.loading == kNone || of.loading == replica;
}

// The one place where a state changes: every sum and list that depends on it follows here.
void Residency::move(std::uint32_t id, ResidencyState to, ResidencyCause cause, TimePoint now,
                     ModelId other) {
  Replica& replica = replicas_[id];
  Node& node = nodes_[replica.node.value];
  Model& model = models_[replica.model.value];
  const ResidencyState from = replica.state;
  SLUICE_CHECK(from != to, "a replica moves to the state that it is in");
  changes_.push_back({.node = replica.node,
                      .model = replica.model,
                      .from = from,
                      .to = to,
                      .cause = cause,
                      .lasted = now - replica.since,
                      .other = other,
                      .waiting = model.demand.waiting(),
                      .urgent_per_s = model.demand.urgent_per_s(now, options_.residency)});
  account(node, model.size, from, to);
  if (from == ResidencyState::kPlanned) {
    node.planned.erase(std::find(node.planned.begin(), node.planned.end(), id));
  }
  if (to == ResidencyState::kPlanned) node.planned.push_back(id);
  if (holds(from).load != holds(to).load) model.loading = holds(to).load ? id : kNone;
  const bool is_idle = replica.in_flight == 0;
  if (from == ResidencyState::kLoaded) {
    set_usable(id, false);
    if (is_idle) threads_.remove(node.idle, id);
  }
  if (to == ResidencyState::kLoaded) {
    set_usable(id, true);
    replica.idle_since = now;
    if (is_idle) threads_.push_back(node.idle, id);
  }
  replica.state = to;
  replica.since = now;
  set_deadline(id, now);
}

void Residency::account(Node& node, const Footprint& size, ResidencyState from, ResidencyState to) {
  const Holds before = holds(from);
  const Holds after = holds(to);
  if (before.memory && !after.memory) node.memory.free(size);
  if (!before.memory && after.memory) node.memory.take(size);
  if (before.claim && !after.claim) node.memory.unclaim(size);
  if (!before.claim && after.claim) node.memory.claim(size);
  if (before.load && !after.load) --node.loads;
  if (!before.load && after.load) ++node.loads;
}

void Residency::set_usable(std::uint32_t id, bool usable) {
  Replica& replica = replicas_[id];
  Model& model = models_[replica.model.value];
  const std::uint32_t slots = nodes_[replica.node.value].slots;
  for (Priority p = 0; p < kPriorities; ++p) {
    if (eligibility_.accepts(replica.node, p)) model.serving[p] += usable ? 1u : ~0u;
  }
  if (usable) {
    replica.usable_at = static_cast<std::uint32_t>(model.usable.size());
    model.usable.push_back(id);
    model.usable_slots += slots;
    return;
  }
  const std::uint32_t last = model.usable.back();
  model.usable[replica.usable_at] = last;
  replicas_[last].usable_at = replica.usable_at;
  model.usable.pop_back();
  replica.usable_at = kNone;
  model.usable_slots -= slots;
}

// What is ordered is answered in time, or timed out.
void Residency::set_deadline(std::uint32_t id, TimePoint now) {
  const auto stale = std::find_if(deadlines_.begin(), deadlines_.end(),
                                  [&](const Deadline& d) { return d.replica == id; });
  if (stale != deadlines_.end()) {
    *stale = deadlines_.back();
    deadlines_.pop_back();
  }
  const ResidencyState state = replicas_[id].state;
  const bool loads = state == ResidencyState::kLoading;
  const bool leaves = state == ResidencyState::kDraining || state == ResidencyState::kUnloading ||
                      state == ResidencyState::kAborting;
  const ResidencyOptions& o = options_.residency;
  if (loads) deadlines_.push_back({id, saturating_add(now, o.load_timeout)});
  if (leaves) deadlines_.push_back({id, saturating_add(now, o.unload_timeout)});
  first_deadline_ = kNever;
  for (const Deadline& d : deadlines_) first_deadline_ = std::min(first_deadline_, d.due);
}

void Residency::order(std::uint32_t id, bool load) {
  orders_.push_back({.node = replicas_[id].node, .model = replicas_[id].model, .load = load});
}

// Whatever fits: all of them will, once those that leave have left, in whatever order.
void Residency::order_planned(NodeId at, TimePoint now) {
  Node& node = nodes_[at.value];
  for (std::size_t i = 0; i < node.planned.size();) {
    const std::uint32_t next = node.planned[i];
    if (!node.memory.fits_now(models_[replicas_[next].model.value].size)) {
      ++i;
      continue;
    }
    move(next, ResidencyState::kLoading, ResidencyCause::kRoomMade, now);  // out of the list
    order(next, true);
  }
}

void Residency::unload(std::uint32_t id, ResidencyCause cause, TimePoint now, ModelId other) {
  move(id, ResidencyState::kUnloading, cause, now, other);
  order(id, false);
}

}  // namespace sluice::core
