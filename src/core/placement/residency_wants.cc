// Which models should be loaded, where, and who leaves for them.
#include <algorithm>
#include <tuple>

#include "core/placement/residency.h"

namespace sluice::core {

void Residency::note_urgent(ModelId id, Priority accepted_as, TimePoint now) {
  models_[id.value].demand.urgent_arrived(accepted_as, now, options_.residency);
  consider(id, now);
}

void Residency::note_waiting(ModelId id, Lane lane, Priority accepted_as, Duration work,
                             TimePoint now) {
  ModelDemand& demand = models_[id.value].demand;
  demand.entered(lane, accepted_as, work);
  // It may do what those that wait already may not.
  const bool first_urgent = lane == Lane::kHigh && demand.waiting(lane) == 1;
  if (first_urgent) look_due_ = std::min(look_due_, now);
  consider(id, now);
}

void Residency::ask(ModelId id, Priority accepted_as, TimePoint now) {
  if (!manages(id)) return;
  Model& model = models_[id.value];
  if (model.serving[accepted_as] > 0 || model.loading != kNone) return;
  model.asked |= only(accepted_as);
  consider(id, now);
}

// What waits for the model, or has asked for it, and is taken by none of its usable replicas.
PrioritySet Residency::unserved(const Model& model) {
  PrioritySet open = model.demand.priorities() | model.asked;
  for (PrioritySet left = open; left != 0; left &= static_cast<PrioritySet>(left - 1)) {
    const Priority priority = first_of(left);
    if (model.serving[priority] > 0) open &= static_cast<PrioritySet>(~only(priority));
  }
  return open;
}

bool Residency::is_urgent(Model& model, TimePoint now) const {
  return model.demand.waiting(Lane::kHigh) > 0 || model.demand.in_demand(now, options_.residency);
}

// What waits would wait longer for the replicas there are, at least one, than for one more.
bool Residency::outgrown(const Model& model) const {
  const Duration load = std::max(model.load_time.expected(), kShortestLoad);
  return model.demand.work() / model.usable_slots > load;
}

std::optional<Residency::Want> Residency::wants(ModelId id, TimePoint now) {
  Model& model = models_[id.value];
  if (model.loading != kNone || model.usable.size() >= model.replicas) return std::nullopt;
  Want want{.model = id, .cause = ResidencyCause::kColdStart, .since = model.wanted_since};
  if (const PrioritySet open = unserved(model)) {
    want.priority = first_of(open);
    return want;
  }
  if (!adapts_) return std::nullopt;
  const Priority urgent = model.demand.urgent_as();
  const bool few = model.serving[urgent] < model.warm_replicas;
  if (few && model.demand.in_demand(now, options_.residency)) {
    want.cause = ResidencyCause::kPrewarm;
    want.priority = urgent;
    return want;
  }
  if (model.demand.waiting() == 0 || !outgrown(model)) return std::nullopt;
  want.cause = ResidencyCause::kGrowth;
  want.priority = first_of(model.demand.priorities());
  return want;
}

// Something about the model has changed: it may want a load now.
void Residency::consider(ModelId id, TimePoint now) {
  Model& model = models_[id.value];
  if (!model.managed || model.wanted_since != kNever || !wants(id, now)) return;
  model.wanted_since = now;
  fresh_.push_back(id);
}

void Residency::step(TimePoint now) {
  if (!enabled_) return;
  time_out_due(now);
  if (look_due_ <= now) look_at_wants(now);
  for (const ModelId id : fresh_) {
    if (serve(id, now)) continue;
    wanting_.push_back(id);
    look_due_ = std::min(look_due_, now + kLookEvery);
  }
  fresh_.clear();
}

// Those for which urgent tasks wait before the others.
void Residency::look_at_wants(TimePoint now) {
  look_due_ = wanting_.empty() ? kNever : now + kLookRarely;
  const std::size_t looks = std::min(wanting_.size(), kLooks);
  for (const bool urgent : {true, false}) {
    std::size_t at = next_want_;
    for (std::size_t i = 0; i < looks && !wanting_.empty(); ++i) {
      if (at >= wanting_.size()) at = 0;
      const Model& model = models_[wanting_[at].value];
      if (model.demand.waiting() > 0) look_due_ = now + kLookEvery;
      const bool is_turn = urgent == (model.demand.waiting(Lane::kHigh) > 0);
      if (is_turn && serve(wanting_[at], now)) {
        wanting_[at] = wanting_.back();
        wanting_.pop_back();
      } else {
        ++at;
      }
    }
    if (!urgent) next_want_ = at;
  }
}

// True when the model wants no load any more, or has one.
bool Residency::serve(ModelId id, TimePoint now) {
  Model& model = models_[id.value];
  auto want = wants(id, now);
  const bool asks_urgently = model.asked != 0 && lane_of(first_of(model.asked)) == Lane::kHigh;
  const bool urgent = model.demand.waiting(Lane::kHigh) > 0 || asks_urgently;
  model.asked = 0;
  if (want) {
    if (now < model.not_before) return false;
    bool begun = start(*want, now);
    const bool may_break = urgent && adapts_ && !model.broke_limits;
    if (!begun && may_break && want->cause == ResidencyCause::kColdStart) {
      want->cause = ResidencyCause::kPenetration;
      want->breaks_limits = true;
      begun = model.broke_limits = start(*want, now);
    }
    if (!begun) return false;
  }
  model.wanted_since = kNever;
  return true;
}

bool Residency::start(const Want& want, TimePoint now) {
  const auto place = best_place(want, now);
  if (!place) return false;
  const NodeId at = replicas_[place->replica].node;
  const Node& node = nodes_[at.value];
  const bool has_room =
      best_victims_.empty() && node.memory.fits_now(models_[want.model.value].size);
  move(place->replica, has_room ? ResidencyState::kLoading : ResidencyState::kPlanned, want.cause,
       now);
  if (has_room) order(place->replica, true);
  for (const std::uint32_t victim : best_victims_) {
    if (replicas_[victim].in_flight == 0) {
      unload(victim, ResidencyCause::kMakeRoom, now, want.model);
    } else {
      move(victim, ResidencyState::kDraining, ResidencyCause::kMakeRoom, now, want.model);
    }
  }
  order_planned(at, now);
  return true;
}

// Where no load has failed of late; free room before room that has to be made, for which those
// leave that are missed least; the preferred path, which is entered where the model is loaded
// (R28); the node with the least to do; and that with the most room. Leaves who has to go in
// best_victims_.
std::optional<Residency::Place> Residency::best_place(const Want& want, TimePoint now) {
  Model& model = models_[want.model.value];
  const auto nodes = eligibility_.candidates(want.model);
  const std::size_t looks = std::min(nodes.size(), kCandidates);
  const auto rank = [this](const Place& p) {
    const Replica& replica = replicas_[p.replica];
    const PathId path = options_.nodes[replica.node.value].path;
    return std::tuple(replica.failures, p.newest_victim, path.valid() ? path.value : 0, p.busy,
                      ~p.room, p.replica);
  };
  std::optional<Place> best;
  for (std::size_t i = 0; i < looks; ++i) {
    const NodeId node = nodes[(model.turn + i) % nodes.size()];
    const auto place = weigh(replica_of(node, want.model), want, now);
    if (!place || (best && rank(*best) < rank(*place))) continue;
    best = place;
    best_victims_.swap(victims_);
  }
  if (nodes.size() > kCandidates) model.turn += static_cast<std::uint32_t>(kCandidates);
  return best;
}

std::optional<Residency::Place> Residency::weigh(std::uint32_t id, const Want& want,
                                                 TimePoint now) {
  const Replica& replica = replicas_[id];
  const Node& node = nodes_[replica.node.value];
  if (!node.managed || !node.ready || replica.state != ResidencyState::kCold) return std::nullopt;
  if (!eligibility_.accepts(replica.node, want.priority)) return std::nullopt;
  if (replica.blocked_until > now) return std::nullopt;
  if (node.loads >= options_.residency.loads_per_node && !want.breaks_limits) return std::nullopt;
  Place place{.replica = id,
              .newest_victim = {},
              .busy = static_cast<double>(node.in_flight) / node.slots,
              .room = node.memory.room()};
  return find_room(place, want, now) ? std::optional(place) : std::nullopt;
}

// Fills victims_. Idle ones go by how long they have been; a busy one only where nothing else
// helps.
bool Residency::find_room(Place& place, const Want& want, TimePoint now) {
  const Node& node = nodes_[replicas_[place.replica].node.value];
  const Footprint& size = models_[want.model.value].size;
  std::uint64_t freed = 0;
  victims_.clear();
  const auto take = [&](std::uint32_t victim) {
    victims_.push_back(victim);
    freed += models_[replicas_[victim].model.value].size.gain();
  };
  for (std::uint32_t r = node.idle.first; r != kNone; r = threads_.next(r)) {
    if (node.memory.fits_after(size, freed)) return true;
    if (!may_evict(r, want, now)) continue;
    take(r);
    place.newest_victim = std::max(place.newest_victim, replicas_[r].idle_since);
  }
  if (node.memory.fits_after(size, freed)) return true;
  if (!want.breaks_limits) return false;
  const NodeId at = replicas_[place.replica].node;
  for (const ModelId other : options_.nodes[at.value].models) {
    const std::uint32_t r = replica_of(at, other);
    const Replica& busy = replicas_[r];
    if (!busy.managed || busy.state != ResidencyState::kLoaded || busy.in_flight == 0) continue;
    if (models_[other.value].size.gain() == 0 || is_urgent(models_[other.value], now)) continue;
    take(r);
    place.newest_victim = kNever;
    if (node.memory.fits_after(size, freed)) return true;
  }
  return false;
}

bool Residency::may_evict(std::uint32_t id, const Want& want, TimePoint now) {
  const Replica& idle = replicas_[id];
  Model& model = models_[idle.model.value];
  if (model.size.gain() == 0) return false;
  const bool urgent = adapts_ && is_urgent(model, now);
  if (want.breaks_limits) return !urgent || model.usable.size() > 1;
  if (model.demand.waiting() > 0) return false;
  if (urgent && model.usable.size() <= model.warm_replicas) return false;
  const Duration enough = options_.residency.idle;
  const bool task_waits = want.cause == ResidencyCause::kColdStart;
  return now - idle.idle_since >= enough || (task_waits && now - want.since >= enough);
}

}  // namespace sluice::core
