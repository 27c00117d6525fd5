// Fairness between the tenants of a group: what their shares are charged, and how long they are
// remembered.
#include <algorithm>
#include <bit>

#include "base/check.h"
#include "core/lanes/flows.h"

namespace sluice::core {
namespace {

// Virtual times are not negative: their bits are in the same order.
std::int64_t rank_of_time(double virtual_time) {
  return std::bit_cast<std::int64_t>(virtual_time);
}

}  // namespace

Duration Flows::work_before(GroupId group, TenantId tenant) const {
  const Group& g = groups_[group];
  const ShareId id = share_index_.find(group, tenant.value);
  const Duration own = id == kNone ? Duration::zero() : shares_[id].work;
  // What push() will read.
  if (id != kNone && shares_[id].first_flow != kNone)
    sluice::prefetch(flows_[shares_[id].first_flow]);
  if (own == g.totals.work) return own;
  const double mine = tenants_[tenant.value].weight;
  const bool counted = id != kNone && shares_[id].flows > 0;
  const double all = counted ? g.weight : g.weight + mine;
  const double fair = static_cast<double>(own.count()) * all / mine;
  return fair < static_cast<double>(g.totals.work.count())
             ? Duration(static_cast<std::int64_t>(fair))
             : g.totals.work;
}

Flows::ShareId Flows::share_in(GroupId group, TenantId tenant) {
  ShareId id = share_index_.find(group, tenant.value);
  if (id != kNone) {
    if (shares_[id].rests) resting_.remove(groups_[group].resting, id);
    shares_[id].rests = false;
    return id;
  }
  if (free_shares_.empty()) {
    id = static_cast<ShareId>(shares_.size());
    shares_.emplace_back();
    share_positions_.push_back(kNone);
  } else {
    id = free_shares_.back();
    free_shares_.pop_back();
  }
  share_index_.insert(group, tenant.value, id);
  ++live_shares_;
  Share& share = shares_[id];
  const double now = entry_time(groups_[group]);
  share = {.group = group, .tenant = tenant, .finish = now, .began = now};
  Tenant& owner = tenants_[tenant.value];
  share.tenant_link = {.next = owner.first_share, .previous = kNone};
  if (owner.first_share != kNone) shares_[owner.first_share].tenant_link.previous = id;
  owner.first_share = id;
  return id;
}

// Where a newcomer begins: with the last one served, but not ahead of whoever has had least.
double Flows::entry_time(const Group& group) {
  return group.runnable.empty() ? group.now : std::min(group.now, group.runnable.top_key().start);
}

Flows::ShareId Flows::charge(FlowId flow, Duration expected) {
  const ShareId id = flows_[flow].share;
  Group& group = groups_[shares_[id].group];
  group.now = std::max(group.now, shares_[id].finish);
  book(id, expected);
  forget_rested(group);
  return id;
}

void Flows::charge_more(ShareId share, Duration expected) {
  SLUICE_CHECK(shares_[share].running > 0, "a share was charged more that had not been charged");
  book(share, expected);
}

void Flows::book(ShareId id, Duration expected) {
  Share& share = shares_[id];
  ++share.running;
  ++groups_[share.group].running;
  set_finish(id, share.finish + static_cast<double>(expected.count()) / weight_now(share.tenant));
}

void Flows::settle(ShareId id, Duration more) {
  Share& share = shares_[id];
  Group& group = groups_[share.group];
  SLUICE_CHECK(share.running > 0 && group.running > 0, "more attempts settled than charged");
  --share.running;
  --group.running;
  // In full, also behind the group's time: if a part were lost whenever an attempt takes less than
  // expected, that would add up against those whose tasks vary most. Only not to before it began to
  // compete: what it was charged by then is past.
  const double change = static_cast<double>(more.count()) / weight_now(share.tenant);
  set_finish(id, std::max(share.finish + change, share.began));
  if (share.running == 0 && share.flows == 0) rest(id);
}

void Flows::set_finish(ShareId id, double finish) {
  Share& share = shares_[id];
  Group& group = groups_[share.group];
  share.finish = finish;
  group.latest_finish = std::max(group.latest_finish, finish);
  if (share_positions_[id] == kNone) return;
  const ShareId first = group.runnable.top();
  group.runnable.update(share_positions_, id, {.start = finish, .sequence = sequence_++});
  if (!is_first(group, first)) stir(share.group);
}

// Nothing waits or runs: it is remembered until the group's time has reached what it was given,
// lest a tenant buys a fresh start by pausing.
void Flows::rest(ShareId id) {
  Share& share = shares_[id];
  Group& group = groups_[share.group];
  share.rests = true;
  resting_.push(group.resting, id, {.key = rank_of_time(share.finish), .sequence = sequence_++});
  // Nobody is left to be unfair to: the busy period is over.
  const bool idle = group.running == 0 && group.totals.tasks == 0;
  if (idle) group.now = std::max(group.now, group.latest_finish);
  forget_rested(group);
}

void Flows::forget_rested(Group& group) {
  while (!group.resting.empty() && shares_[group.resting.top].finish <= group.now) {
    const ShareId id = group.resting.top;
    resting_.pop(group.resting);
    forget(id);
  }
  if (group.resting.empty()) return;
  // The next one to be forgotten.
  const Share& next = shares_[group.resting.top];
  share_index_.prefetch(next.group, next.tenant.value);
}

void Flows::forget(ShareId id) {
  const Share& share = shares_[id];
  const Link link = share.tenant_link;
  Tenant& owner = tenants_[share.tenant.value];
  (link.previous == kNone ? owner.first_share : shares_[link.previous].tenant_link.next) =
      link.next;
  if (link.next != kNone) shares_[link.next].tenant_link.previous = link.previous;
  share_index_.erase(share.group, share.tenant.value);
  free_shares_.push_back(id);
  --live_shares_;
}

void Flows::set_weight(TenantId tenant, double weight) {
  SLUICE_CHECK(weight > 0, "tenant weights are positive");
  Tenant& owner = tenants_[tenant.value];
  for (ShareId id = owner.first_share; id != kNone; id = shares_[id].tenant_link.next) {
    if (shares_[id].flows > 0) groups_[shares_[id].group].weight += weight - owner.weight;
  }
  owner.weight = weight;
}

void Flows::set_blocked(TenantId tenant, bool blocked) {
  Tenant& owner = tenants_[tenant.value];
  if (owner.blocked == blocked) return;
  owner.blocked = blocked;
  for (ShareId id = owner.first_share; id != kNone; id = shares_[id].tenant_link.next) {
    refresh_share(id);
  }
}

}  // namespace sluice::core
