// What the driver says of replicas, and what becomes of those of which nothing is heard.
#include <algorithm>

#include "core/placement/residency.h"

namespace sluice::core {

bool Residency::loaded(NodeId at, ModelId model_id, bool ok, TimePoint now) {
  const auto found = find(at, model_id);
  if (!found || !replicas_[*found].managed || !nodes_[at.value].ready) return false;
  Replica& replica = replicas_[*found];
  Model& model = models_[model_id.value];
  switch (replica.state) {
    case ResidencyState::kLoading:
      if (!ok) {
        move(*found, ResidencyState::kCold, ResidencyCause::kFailed, now);
        fail(*found, now);
        break;
      }
      model.load_time.learn(now - replica.since);
      move(*found, ResidencyState::kLoaded, ResidencyCause::kDone, now);
      break;
    case ResidencyState::kCold:
    case ResidencyState::kPlanned:
      if (!ok) return false;
      move(*found, ResidencyState::kLoaded, ResidencyCause::kReported, now);
      break;
    default:
      return false;
  }
  if (ok) {
    replica.failures = model.failures = 0;
    replica.blocked_until = model.not_before = TimePoint{};
    model.broke_limits = false;
  }
  look_due_ = std::min(look_due_, now);
  consider(model_id, now);
  return true;
}

bool Residency::unloaded(NodeId at, ModelId model, bool ok, TimePoint now) {
  const auto found = find(at, model);
  if (!found || !replicas_[*found].managed || !nodes_[at.value].ready) return false;
  switch (replicas_[*found].state) {
    case ResidencyState::kUnloading:
      if (!ok) {
        move(*found, ResidencyState::kLoaded, ResidencyCause::kFailed, now);
        give_up_planned(at, now);
        return true;
      }
      move(*found, ResidencyState::kCold, ResidencyCause::kDone, now);
      break;
    case ResidencyState::kAborting:
      // Nobody knows what is in memory, still: asked again when that is timed out.
      if (!ok) return true;
      move(*found, ResidencyState::kCold, ResidencyCause::kDone, now);
      break;
    case ResidencyState::kLoaded:
    case ResidencyState::kDraining:
      if (!ok) return false;
      move(*found, ResidencyState::kCold, ResidencyCause::kReported, now);
      break;
    default:
      return false;
  }
  order_planned(at, now);
  look_due_ = std::min(look_due_, now);
  consider(model, now);
  return true;
}

void Residency::set_ready(NodeId at, bool ready, TimePoint now) {
  if (!enabled_ || nodes_[at.value].ready == ready) return;
  Node& node = nodes_[at.value];
  node.ready = ready;
  if (ready) node.ready_since = now;
  look_due_ = std::min(look_due_, now);
  for (const ModelId model : options_.nodes[at.value].models) {
    const std::uint32_t id = replica_of(at, model);
    if (!replicas_[id].managed) {
      set_usable(id, ready);
    } else if (!ready && replicas_[id].state != ResidencyState::kCold) {
      move(id, ResidencyState::kCold, ResidencyCause::kNodeDown, now);
    }
  }
  if (ready) return;
  for (const ModelId model : options_.nodes[at.value].models) consider(model, now);
}

void Residency::found(NodeId at, std::span<const ModelId> there, TimePoint now) {
  if (!enabled_ || !nodes_[at.value].managed || !nodes_[at.value].ready) return;
  for (const ModelId model : options_.nodes[at.value].models) {
    const Replica& replica = replicas_[replica_of(at, model)];
    if (!replica.managed) continue;
    const bool is_there = std::binary_search(there.begin(), there.end(), model);
    const bool thought_so = replica.state == ResidencyState::kLoaded;
    // What was changed since the node became ready may have been changed since the node said this.
    const bool stale =
        replica.since > nodes_[at.value].ready_since && now - replica.since < kReportLag;
    if (is_there == thought_so || stale) continue;
    if (is_there) {
      // Not believed where an order is under way.
      if (replica.state == ResidencyState::kCold) loaded(at, model, true, now);
    } else {
      unloaded(at, model, true, now);
    }
  }
}

void Residency::note_begun(std::uint32_t id) {
  Replica& replica = replicas_[id];
  Node& node = nodes_[replica.node.value];
  ++node.in_flight;
  const bool was_idle = replica.in_flight++ == 0;
  if (was_idle && replica.managed) threads_.remove(node.idle, id);
}

void Residency::note_ended(std::uint32_t id, TimePoint now) {
  Replica& replica = replicas_[id];
  Node& node = nodes_[replica.node.value];
  --node.in_flight;
  if (--replica.in_flight > 0 || !replica.managed) return;
  replica.idle_since = now;
  if (replica.state == ResidencyState::kLoaded) threads_.push_back(node.idle, id);
  if (replica.state == ResidencyState::kDraining) unload(id, ResidencyCause::kMakeRoom, now, {});
}

void Residency::give_up_planned(NodeId at, TimePoint now) {
  std::vector<std::uint32_t>& planned = nodes_[at.value].planned;
  while (!planned.empty()) {
    const std::uint32_t last = planned.back();
    move(last, ResidencyState::kCold, ResidencyCause::kTimeout, now);
    fail(last, now);
  }
}

// The node is left alone for a while. The model only from its second failure on, so that another
// node is tried at once.
void Residency::fail(std::uint32_t id, TimePoint now) {
  Replica& replica = replicas_[id];
  Model& model = models_[replica.model.value];
  const auto backoff = [&](std::uint8_t doublings) {
    Duration wait = options_.residency.backoff;
    for (; doublings > 0 && wait < options_.residency.longest_backoff; --doublings) wait *= 2;
    return std::min(wait, options_.residency.longest_backoff);
  };
  constexpr std::uint8_t kEnough = 255;
  replica.blocked_until = saturating_add(now, backoff(replica.failures));
  if (model.failures > 0) {
    model.not_before = saturating_add(now, backoff(static_cast<std::uint8_t>(model.failures - 1)));
  }
  if (replica.failures < kEnough) ++replica.failures;
  if (model.failures < kEnough) ++model.failures;
  consider(replica.model, now);
}

void Residency::time_out_due(TimePoint now) {
  while (first_deadline_ <= now) {
    const auto due = std::find_if(deadlines_.begin(), deadlines_.end(),
                                  [&](const Deadline& d) { return d.due <= now; });
    time_out(due->replica, now);
  }
}

void Residency::time_out(std::uint32_t id, TimePoint now) {
  const NodeId at = replicas_[id].node;
  switch (replicas_[id].state) {
    case ResidencyState::kLoading:
      move(id, ResidencyState::kAborting, ResidencyCause::kTimeout, now);
      order(id, false);
      return fail(id, now);
    case ResidencyState::kDraining:
      move(id, ResidencyState::kLoaded, ResidencyCause::kTimeout, now);
      break;
    default:
      // What it holds is not known: its memory counts until the node has answered, or is down.
      order(id, false);
      set_deadline(id, now);
  }
  give_up_planned(at, now);
}

std::optional<TimePoint> Residency::held_up_until(ModelId id, std::span<const NodeId> nodes,
                                                  TimePoint now) const {
  const Model& model = models_[id.value];
  if (model.failures == 0 || model.loading != kNone) return std::nullopt;
  TimePoint first = kNever;
  for (const NodeId node : nodes) {
    if (!nodes_[node.value].ready) continue;
    first = std::min(first, replicas_[replica_of(node, id)].blocked_until);
    if (first <= now) break;
  }
  if (first == kNever) return std::nullopt;  // none is ready, which is another matter
  first = std::max(first, model.not_before);
  return first > now ? std::optional(first) : std::nullopt;
}

TimePoint Residency::next_due() const {
  return std::min(first_deadline_, wanting_.empty() && fresh_.empty() ? kNever : look_due_);
}

std::optional<Residency::LoadLeft> Residency::load_left(ModelId id, TimePoint now) const {
  const Model& model = models_[id.value];
  if (model.loading == kNone) return std::nullopt;
  const Replica& replica = replicas_[model.loading];
  const bool begun = replica.state == ResidencyState::kLoading;
  const Duration spent = begun ? now - replica.since : Duration::zero();
  return LoadLeft{.node = replica.node,
                  .left = std::max(model.load_time.expected() - spent, Duration::zero()),
                  .trusted = model.load_time.measured()};
}

}  // namespace sluice::core
