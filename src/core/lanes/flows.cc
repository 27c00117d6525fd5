#include "core/lanes/flows.h"

#include <algorithm>

#include "base/check.h"

namespace sluice::core {
namespace {

// How many parked flows of a lane one freed credit makes think again: enough that the first of
// them are not stuck behind one that still prefers to wait, few enough to stay cheap.
constexpr int kUnparkedAtOnce = 4;

// Room that a heap gets when it is first used, so that it need not grow bit by bit: 24 KB.
constexpr std::size_t kRoomAtOnce = 1024;

}  // namespace

Flows::Flows(std::uint32_t classes, std::uint32_t tenants, std::uint32_t kinds, std::uint32_t slots)
    : offsets_(kinds), tenants_(tenants), groups_(classes * kLanes) {
  // Address space for as many as there may be tasks: only what is used is touched.
  forest_.reserve(slots);
  heads_.reserve(slots);
  flows_.reserve(slots);
  free_flows_.reserve(slots);
  kept_out_positions_.reserve(slots);
  away_positions_.reserve(slots);
  shares_.reserve(slots);
  free_shares_.reserve(slots);
  share_positions_.reserve(slots);
  resting_.reserve(slots);
  for (auto& lane : runnable_) lane.reserve(classes);
}

Flows::FlowId Flows::push(const Place& place, TaskTypeId kind, std::int64_t key, const Item& item) {
  const ShareId share = share_in(group_of(place.lane, place.klass), place.tenant);
  const FlowId id = flow_in(share, place.model);
  Flow& flow = flows_[id];
  const auto head_before = flow.tasks.top;
  forest_.push(flow.tasks, item.slot, {.key = key, .sequence = sequence_++}, kind.value);
  add(shares_[share], item, +1);
  if (flow.tasks.top != head_before) {
    make_ready(id);
    refresh_flow(id);
  }
  return id;
}

void Flows::remove(FlowId id, const Item& item) {
  Flow& flow = flows_[id];
  const bool was_head = item.slot == flow.tasks.top;
  forest_.remove(flow.tasks, item.slot);
  add(shares_[flow.share], item, -1);
  if (flow.tasks.empty()) {
    drop_flow(id);
  } else if (was_head) {
    make_ready(id);
    refresh_flow(id);
  }
}

void Flows::add(Share& share, const Item& item, int sign) {
  const auto change = [&](Totals& totals) {
    totals.tasks += static_cast<std::uint32_t>(sign);
    totals.bytes += static_cast<std::uint64_t>(sign) * item.bytes;
    totals.work += sign * item.work;
  };
  change(lanes_[share.group % kLanes]);
  change(groups_[share.group].totals);
  share.work += sign * item.work;
}

Flows::FlowId Flows::find_flow(const Share& share, ShareId id, ModelId model) const {
  const bool has_first = share.first_flow != kNone;
  if (has_first && flows_[share.first_flow].model == model) return share.first_flow;
  const bool has_others = share.flows > (has_first ? 1u : 0u);
  return has_others ? flow_index_.find(id, model.value) : kNone;
}

Flows::FlowId Flows::flow_in(ShareId share, ModelId model) {
  Share& owner = shares_[share];
  FlowId id = find_flow(owner, share, model);
  if (id != kNone) return id;
  if (free_flows_.empty()) {
    id = static_cast<FlowId>(flows_.size());
    flows_.emplace_back();
    kept_out_positions_.push_back(kNone);
    away_positions_.push_back(kNone);
  } else {
    id = free_flows_.back();
    free_flows_.pop_back();
  }
  flows_[id] = Flow{.share = share, .model = model};
  if (owner.first_flow == kNone) {
    owner.first_flow = id;
  } else {
    flow_index_.insert(share, model.value, id);
  }
  ++live_flows_;
  if (owner.flows++ == 0) groups_[owner.group].weight += tenants_[owner.tenant.value].weight;
  return id;
}

void Flows::drop_flow(FlowId id) {
  make_ready(id);
  Flow& flow = flows_[id];
  const ShareId share = flow.share;
  Share& owner = shares_[share];
  if (flow.runnable) heads_.remove(owner.runnable, id);
  flow.runnable = false;
  if (owner.first_flow == id) {
    owner.first_flow = kNone;
  } else {
    flow_index_.erase(share, flow.model.value);
  }
  free_flows_.push_back(id);
  --live_flows_;
  refresh_share(share);
  if (--owner.flows > 0) return;
  Group& group = groups_[owner.group];
  // Exactly zero where nothing waits: sums of what was added and taken away drift.
  const bool none = group.totals.tasks == 0;
  group.weight = none ? 0 : group.weight - tenants_[owner.tenant.value].weight;
  if (owner.running == 0) rest(share);
}

void Flows::set_active(ClassId klass, bool active) {
  for (int lane = 0; lane < kLanes; ++lane) {
    const GroupId group = group_of(Lane(lane), klass);
    groups_[group].active = active;
    refresh_group(group);
  }
}

void Flows::park(FlowId id) {
  Flow& flow = flows_[id];
  SLUICE_CHECK(flow.standing == Standing::kReady, "a flow was parked twice");
  Group& group = groups_[shares_[flow.share].group];
  flow.standing = Standing::kParked;
  flow.parked_link = {.next = kNone, .previous = group.last_parked};
  (group.last_parked == kNone ? group.first_parked : flows_[group.last_parked].parked_link.next) =
      id;
  group.last_parked = id;
  refresh_flow(id);
}

void Flows::keep_out(FlowId id, bool heavy) {
  Flow& flow = flows_[id];
  SLUICE_CHECK(flow.standing == Standing::kReady, "a flow was kept out twice");
  const Share& share = shares_[flow.share];
  flow.standing = heavy ? Standing::kHeavyOut : Standing::kKeptOut;
  auto& out = out_heap(groups_[share.group], flow.standing);
  if (out.empty()) out.reserve(kRoomAtOnce);
  out.push(kept_out_positions_, id, {.start = share.finish, .sequence = sequence_++});
  refresh_flow(id);
}

void Flows::send_away(FlowId id) {
  Flow& flow = flows_[id];
  SLUICE_CHECK(flow.standing == Standing::kReady, "a flow was sent away twice");
  flow.standing = Standing::kAway;
  const Share& share = shares_[flow.share];
  std::uint32_t at = away_index_.find(share.group, flow.model.value);
  if (at == kNone) {
    at = static_cast<std::uint32_t>(away_.size());
    away_.emplace_back();
    away_index_.insert(share.group, flow.model.value, at);
  }
  away_[at].push(away_positions_, id, {.start = share.finish, .sequence = sequence_++});
  refresh_flow(id);
}

bool Flows::any_away(GroupId group, ModelId model) const {
  const std::uint32_t at = away_index_.find(group, model.value);
  return at != kNone && !away_[at].empty();
}

void Flows::call_back(GroupId group, ModelId model) {
  unpark(away_[away_index_.find(group, model.value)].top());
}

void Flows::make_ready(FlowId id) {
  Flow& flow = flows_[id];
  const Standing before = flow.standing;
  if (before == Standing::kReady) return;
  flow.standing = Standing::kReady;
  Group& group = groups_[shares_[flow.share].group];
  if (before == Standing::kKeptOut || before == Standing::kHeavyOut) {
    return out_heap(group, before).remove(kept_out_positions_, id);
  }
  if (before == Standing::kAway) {
    const std::uint32_t at = away_index_.find(shares_[flow.share].group, flow.model.value);
    return away_[at].remove(away_positions_, id);
  }
  const Link link = flow.parked_link;
  (link.previous == kNone ? group.first_parked : flows_[link.previous].parked_link.next) =
      link.next;
  (link.next == kNone ? group.last_parked : flows_[link.next].parked_link.previous) = link.previous;
}

void Flows::unpark(FlowId id) {
  make_ready(id);
  refresh_flow(id);
}

void Flows::unpark_some(ClassId klass) {
  for (int lane = 0; lane < kLanes; ++lane) {
    const Group& group = groups_[group_of(Lane(lane), klass)];
    for (int i = 0; i < kUnparkedAtOnce && group.first_parked != kNone; ++i) {
      unpark(group.first_parked);
    }
  }
}

void Flows::let_in(ClassId klass, Standing standing) {
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto& out = out_heap(groups_[group_of(Lane(lane), klass)], standing);
    if (!out.empty()) unpark(out.top());
  }
}

void Flows::unpark_all(ClassId klass) {
  for (int lane = 0; lane < kLanes; ++lane) {
    const Group& group = groups_[group_of(Lane(lane), klass)];
    while (group.first_parked != kNone) unpark(group.first_parked);
    while (!group.kept_out.empty()) unpark(group.kept_out.top());
    while (!group.heavy_out.empty()) unpark(group.heavy_out.top());
  }
}

void Flows::set_offset(TaskTypeId kind, Duration offset) {
  offsets_[kind.value] = offset.count();
  for (FlowId id = 0; id < flows_.size(); ++id) {
    // What is free is not runnable.
    const bool concerned = flows_[id].runnable && flows_[id].tasks.tag == kind.value;
    if (!concerned) continue;
    Share& share = shares_[flows_[id].share];
    heads_.remove(share.runnable, id);
    heads_.push(share.runnable, id, rank_of(id));
    stir(share.group);
  }
}

Flows::Rank Flows::rank_of(FlowId id) const {
  const PairingForest::Heap& tasks = flows_[id].tasks;
  return {.key = tasks.rank.key + offsets_[tasks.tag], .sequence = tasks.rank.sequence};
}

// The three below keep what is runnable equal to what its name says, after anything about the
// flow, the share or the group has changed.
void Flows::refresh_flow(FlowId id) {
  Flow& flow = flows_[id];
  Share& share = shares_[flow.share];
  const bool was_in = flow.runnable;
  flow.runnable = flow.standing == Standing::kReady;
  if (was_in) heads_.remove(share.runnable, id);
  if (flow.runnable) heads_.push(share.runnable, id, rank_of(id));
  refresh_share(flow.share);
}

void Flows::refresh_share(ShareId id) {
  Share& share = shares_[id];
  Group& group = groups_[share.group];
  // Whoever is not first says nothing about the group's choice.
  if (is_first(group, id)) stir(share.group);
  const bool runnable = !share.runnable.empty() && !tenants_[share.tenant.value].blocked;
  if (runnable == (share_positions_[id] != kNone)) return;
  if (runnable) {
    // Time during which it had nothing to run earns it nothing.
    share.began = entry_time(group);
    share.finish = std::max(share.finish, share.began);
    if (group.runnable.empty()) group.runnable.reserve(std::min(kRoomAtOnce, tenants_.size()));
    group.runnable.push(share_positions_, id, {.start = share.finish, .sequence = sequence_++});
    if (is_first(group, id)) stir(share.group);
  } else {
    group.runnable.remove(share_positions_, id);
  }
  refresh_group(share.group);
}

void Flows::refresh_group(GroupId id) {
  Group& group = groups_[id];
  const bool runnable = group.active && !group.runnable.empty();
  if (runnable == (group.position != kNone)) return;
  std::vector<Contender>& list = runnable_[id % kLanes];
  if (runnable) {
    group.position = static_cast<std::uint32_t>(list.size());
    list.push_back({.group = id, .rank = group.rank});
    return;
  }
  group.rank = list[group.position].rank;
  groups_[list.back().group].position = group.position;
  list[group.position] = list.back();
  list.pop_back();
  group.position = kNone;
}

const Flows::Contender* Flows::first_of(std::vector<Contender>& contenders) const {
  const Contender* best = nullptr;
  for (Contender& contender : contenders) {
    if (!contender.rank) contender.rank = first_share(contender.group).runnable.rank;
    if (best == nullptr || *contender.rank < *best->rank) best = &contender;
  }
  return best;
}

void Flows::check_ranks() const {
  const auto same = [](const Rank& a, const Rank& b) { return !(a < b) && !(b < a); };
  for (GroupId id = 0; id < groups_.size(); ++id) {
    const Group& group = groups_[id];
    if (group.runnable.empty()) continue;
    const Share& first = shares_[group.runnable.top()];
    SLUICE_CHECK(same(first.runnable.rank, rank_of(first.runnable.top)),
                 "a share knows the rank of its first flow");
    const auto& known =
        group.position == kNone ? group.rank : runnable_[id % kLanes][group.position].rank;
    SLUICE_CHECK(!known || same(*known, first.runnable.rank), "a group knows its choice's rank");
  }
}

Flows::FlowId Flows::next_in(Lane lane) {
  const Contender* const next = first_of(runnable_[static_cast<std::size_t>(lane)]);
  SLUICE_CHECK(next != nullptr, "a lane without runnable flows was picked");
  return choice_of(next->group);
}

std::optional<Flows::FlowId> Flows::next() {
  const Contender* best = nullptr;
  for (auto& list : runnable_) {
    const Contender* const first = first_of(list);
    if (first != nullptr && (best == nullptr || *first->rank < *best->rank)) best = first;
  }
  return best == nullptr ? std::nullopt : std::optional(choice_of(best->group));
}

}  // namespace sluice::core
