// The waiting tasks: who competes with whom, and who is first.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/prefetch.h"
#include "base/state.h"
#include "base/table.h"
#include "base/time.h"
#include "core/ids.h"
#include "core/labels.h"
#include "core/lanes/indexed_heap.h"
#include "core/lanes/key_index.h"
#include "core/lanes/lookahead.h"
#include "core/lanes/pairing_heap.h"

namespace sluice::core {

// An eligibility class: tasks that may run on exactly the same nodes (see placement/eligibility.h).
using ClassId = Index<struct ClassTag>;

// Three levels, from the nodes to the task:
//
//   group   the tasks of one lane and one eligibility class: they compete for the same nodes.
//           *Active* while its class has credit.
//   share   what one tenant has waiting or running in a group. Shares of a group are served by
//           start-time fair queueing in device time (Goyal, Vin, Cheng 1996), weighted by tenant:
//           among those that are backlogged for a while, device time ÷ weight differs by at most
//           (credits of the class + 1) × the largest task ÷ the smallest weight (R32): each may
//           have been charged for one task that it then waits for, and estimates are corrected
//           only when attempts end, of which there are at most as many as credits.
//   flow    what a share has waiting for one model, in one order. *Parked* while its head would
//           rather wait for a busy node than take a free one, or may not take it; *kept out* while
//           what is free is reserved for others; *away* while what is free does not have the model.
//
// Order within a share is that of the keys, moved by an offset for the kind of a flow's head:
// corrections act at once, on what waits already, without touching any queue.
//
// Shares and flows exist while there is something in them: tenants and models that are idle cost
// nothing. A share outlives its tasks until the others have caught up with what it was given.
class Flows {
 public:
  using FlowId = std::uint32_t;
  using ShareId = std::uint32_t;
  using GroupId = std::uint32_t;

  struct Totals {
    std::uint32_t tasks = 0;
    std::uint64_t bytes = 0;
    Duration work{0};  // expected device time

    SLUICE_STATE(tasks, bytes, work);
  };

  struct Place {
    Lane lane = Lane::kLow;
    ClassId klass;
    TenantId tenant;
    ModelId model;
  };

  // What a task adds, and takes away again.
  struct Item {
    std::uint32_t slot = 0;  // its place in the pool of tasks
    std::uint64_t bytes = 0;
    Duration work{0};
  };

  // `slots`: how many the pool of tasks has at most. Weights are 1 until set.
  Flows(std::uint32_t classes, std::uint32_t tenants, std::uint32_t kinds, std::uint32_t slots);

  // The task must not be in any flow. O(log shares of the group) when its flow was empty, O(1)
  // otherwise. Smaller keys first, equal keys in the order of their push.
  FlowId push(const Place& place, TaskTypeId kind, std::int64_t key, const Item& item);
  // As it was pushed. O(log n) amortised; the flow is gone with its last task.
  void remove(FlowId flow, const Item& item);

  // The slot of the first task.
  std::uint32_t head(FlowId flow) const { return flows_[flow].tasks.top; }
  ClassId class_of(FlowId flow) const { return {shares_[flows_[flow].share].group / kLanes}; }
  static GroupId group_of(Lane lane, ClassId klass) {
    return klass.value * kLanes + static_cast<std::uint32_t>(lane);
  }

  const Totals& totals(Lane lane) const { return lanes_[static_cast<std::size_t>(lane)]; }
  const Totals& totals(GroupId group) const { return groups_[group].totals; }
  // Device time expected before a new task of the tenant is served, while all that wait keep
  // waiting: all that the group has, or what the tenant has and its weight's part of the rest.
  Duration work_before(GroupId group, TenantId tenant) const;

  // What push() and work_before() of such a task, or the end of an attempt that was charged to such
  // a share, will look at.
  void prefetch(GroupId group, TenantId tenant) const {
    share_index_.prefetch(group, tenant.value);
    sluice::prefetch(groups_[group]);
    sluice::prefetch(tenants_[tenant.value]);
  }
  void prefetch_share(ShareId share) const {
    sluice::prefetch(shares_[share]);
    sluice::prefetch(share_positions_[share]);
  }
  // The next step of the same way, if it is there.
  void prefetch_share(GroupId group, TenantId tenant) const {
    const ShareId share = share_index_.find(group, tenant.value);
    if (share != kNone) sluice::prefetch(shares_[share]);
    groups_[group].runnable.prefetch_end();
  }

  // Told by placement, when a class gets its first credit or loses its last.
  void set_active(ClassId klass, bool active);
  // Passed over until unparked. O(log).
  void park(FlowId flow);
  // The same until there is more room in the class than its reserve, or than all of them where it
  // is `heavy`.
  void keep_out(FlowId flow, bool heavy);
  // The same until one that has the model has room: told by model, as there may be many in a class
  // whose models are elsewhere.
  void send_away(FlowId flow);
  bool any_away(GroupId group, ModelId model) const;
  // Of those of the group that are away for the model that whose share has had least; there is one.
  void call_back(GroupId group, ModelId model);
  // The first few that were parked in each lane of the class may try again. A new head, or the
  // head's leaving, does the same for its flow.
  void unpark_some(ClassId klass);
  // Of each lane that flow which was kept out and whose share has had least: one at a time, as room
  // comes back one slot at a time.
  void let_in(ClassId klass) { let_in(klass, Standing::kKeptOut); }
  // The same of the heavy ones.
  void let_heavy_in(ClassId klass) { let_in(klass, Standing::kHeavyOut); }
  void unpark_all(ClassId klass);

  // Weight of a tenant in all groups from its next task on; > 0.
  void set_weight(TenantId tenant, double weight);
  // Weights of tenants that are no core tenants count so many times, 0 < x ≤ 1, from their next
  // task on. O(1).
  void set_non_core(TenantId tenant) { tenants_[tenant.value].core = false; }
  void set_non_core_factor(double factor) { non_core_factor_ = factor; }
  // A blocked tenant is passed over in all groups. O(its shares · log).
  void set_blocked(TenantId tenant, bool blocked);
  bool blocked(TenantId tenant) const { return tenants_[tenant.value].blocked; }
  // Keys of heads of this kind count so much more (later) or less. O(flows · log): corrections are
  // few and far between.
  void set_offset(TaskTypeId kind, Duration offset);

  // Whether the tenant is among those that compete for the group's credits.
  bool runnable(GroupId group, TenantId tenant) const {
    const ShareId share = share_index_.find(group, tenant.value);
    return share != kNone && share_positions_[share] != kNone;
  }
  bool any_runnable() const {
    return !runnable_[0].empty() || !runnable_[1].empty() || !runnable_[2].empty();
  }
  std::array<bool, kLanes> runnable_lanes() const {
    return {!runnable_[0].empty(), !runnable_[1].empty(), !runnable_[2].empty()};
  }
  // The flow whose turn it is in the lane, which must be runnable: of the groups with credit that
  // one whose fair choice ranks first. O(such groups), of which only those are looked into whose
  // choice may have changed.
  FlowId next_in(Lane lane);
  // The same over all lanes; none when nothing is runnable.
  std::optional<FlowId> next();

  // The head of the flow is about to be removed because it runs: its share is charged so much,
  // which may be nothing. settle() must follow when the attempt has ended.
  ShareId charge(FlowId flow, Duration expected);
  // A second attempt of a task whose first one runs: charged to the same share.
  void charge_more(ShareId share, Duration expected);
  // It took so much more, or less, than it was charged.
  void settle(ShareId share, Duration more);

  // Aborts when a rank that is kept is not the rank. O(groups that compete).
  void check_ranks() const;

  // Those that exist at the moment: idle ones do not.
  std::uint32_t flow_count() const { return live_flows_; }
  std::uint32_t share_count() const { return live_shares_; }

  // Goes a step of the way to whom groups will serve next; will_serve(slot) where it is known.
  template <class WillServe>
  void look_ahead(WillServe will_serve);

  // For snapshots (base/state.h).
  template <class Self, class Archive>
  static void visit_state(Self& self, Archive& archive) {
    auto& [forest, sequence, offsets, tenants, non_core_factor, groups, shares, free_shares, flows,
           free_flows, share_index, flow_index, heads, kept_out_positions, away_index, away,
           away_positions, share_positions, resting, runnable, lanes, live_flows, live_shares,
           lookahead] = self;
    archive(forest, sequence, offsets, tenants, non_core_factor, groups, shares, free_shares, flows,
            free_flows, share_index, flow_index, heads, kept_out_positions, away_index, away,
            away_positions, share_positions, resting, runnable, lanes, live_flows, live_shares);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  using Rank = PairingForest::Rank;

  // Virtual start time; ties in the order in which they became runnable.
  struct Turn {
    double start = 0;
    std::uint64_t sequence = 0;
    bool operator<(const Turn& other) const {
      return start != other.start ? start < other.start : sequence < other.sequence;
    }

    SLUICE_STATE(start, sequence);
  };
  // Siblings in a list; kNone at its ends.
  struct Link {
    std::uint32_t next = kNone;
    std::uint32_t previous = kNone;

    SLUICE_STATE(next, previous);
  };
  enum class Standing : std::uint8_t { kReady, kParked, kKeptOut, kHeavyOut, kAway };
  struct alignas(64) Flow {
    PairingForest::Heap tasks;
    ShareId share = kNone;
    ModelId model;
    Standing standing = Standing::kReady;
    bool runnable = false;  // among those of its share
    Link parked_link;

    SLUICE_STATE(tasks, share, model, standing, runnable, parked_link);
  };
  struct alignas(64) Share {
    GroupId group = 0;
    TenantId tenant;
    std::uint32_t flows = 0;
    std::uint32_t running = 0;
    double finish = 0;  // virtual time at which it has had its due
    double began = 0;   // virtual time at which it last began to compete
    Duration work{0};
    PairingForest::Heap runnable;  // flows, by the rank of their heads
    // The one that is not in flow_index_: most shares have no other.
    FlowId first_flow = kNone;
    Link tenant_link;
    bool rests = false;

    SLUICE_STATE(group, tenant, flows, running, finish, began, work, runnable, first_flow,
                 tenant_link, rests);
  };
  struct Group {
    Totals totals;
    double now = 0;  // virtual time: the latest start of a task charged
    double latest_finish = 0;
    double weight = 0;  // of the shares with tasks waiting
    std::uint32_t running = 0;
    bool active = false;
    std::uint32_t position = kNone;  // in runnable_ of its lane
    std::optional<Rank> rank;        // of its choice, while it does not compete
    IndexedHeap<Turn> runnable;      // shares
    PairingForest::Heap resting;     // see resting_
    std::uint32_t first_parked = kNone;
    std::uint32_t last_parked = kNone;
    // Flows, by what their shares have had: those kept out by the reserve, and the heavy ones.
    IndexedHeap<Turn> kept_out;
    IndexedHeap<Turn> heavy_out;

    SLUICE_STATE(totals, now, latest_finish, weight, running, active, position, rank, runnable,
                 resting, first_parked, last_parked, kept_out, heavy_out);
  };
  // A group that has credit and something to run, and how its choice ranks, if that is known.
  struct Contender {
    GroupId group = 0;
    std::optional<Rank> rank;

    SLUICE_STATE(group, rank);
  };
  struct Tenant {
    double weight = 1;
    bool core = true;
    bool blocked = false;
    std::uint32_t first_share = kNone;

    SLUICE_STATE(weight, core, blocked, first_share);
  };

  // flows.cc
  FlowId find_flow(const Share& share, ShareId id, ModelId model) const;
  FlowId flow_in(ShareId share, ModelId model);
  ShareId share_in(GroupId group, TenantId tenant);
  void add(Share& share, const Item& item, int sign);
  void drop_flow(FlowId flow);
  Rank rank_of(FlowId flow) const;
  void refresh_flow(FlowId flow);
  void refresh_share(ShareId share);
  void refresh_group(GroupId group);
  static IndexedHeap<Turn>& out_heap(Group& group, Standing standing) {
    return standing == Standing::kHeavyOut ? group.heavy_out : group.kept_out;
  }
  void let_in(ClassId klass, Standing standing);
  void make_ready(FlowId flow);
  void unpark(FlowId flow);
  // Its choice may be another, or rank elsewhere.
  void stir(GroupId id) {
    Group& group = groups_[id];
    (group.position == kNone ? group.rank : runnable_[id % kLanes][group.position].rank).reset();
    lookahead_.begin(id);
  }
  static bool is_first(const Group& group, ShareId share) {
    return !group.runnable.empty() && group.runnable.top() == share;
  }
  const Contender* first_of(std::vector<Contender>& contenders) const;
  const Share& first_share(GroupId group) const { return shares_[groups_[group].runnable.top()]; }
  FlowId choice_of(GroupId group) const { return first_share(group).runnable.top; }
  // shares.cc
  double weight_now(TenantId tenant) const {
    const Tenant& owner = tenants_[tenant.value];
    return owner.core ? owner.weight : owner.weight * non_core_factor_;
  }
  void rest(ShareId share);
  void book(ShareId share, Duration expected);
  void set_finish(ShareId share, double finish);
  static double entry_time(const Group& group);
  void forget_rested(Group& group);
  void forget(ShareId share);

  PairingForest forest_;  // tasks by flow, tagged with their kinds
  std::uint64_t sequence_ = 0;
  std::vector<std::int64_t> offsets_;  // by kind
  std::vector<Tenant> tenants_;
  double non_core_factor_ = 1;
  std::vector<Group> groups_;
  Table<Share> shares_;
  std::vector<ShareId> free_shares_;
  Table<Flow> flows_;
  std::vector<FlowId> free_flows_;
  KeyIndex share_index_;  // group, tenant
  KeyIndex flow_index_;   // share, model
  PairingForest heads_;   // flows by share, as their heads rank
  IndexedHeap<Turn>::Positions kept_out_positions_;
  KeyIndex away_index_;                  // group, model; kept when empty
  std::vector<IndexedHeap<Turn>> away_;  // flows, by what their shares have had
  IndexedHeap<Turn>::Positions away_positions_;
  IndexedHeap<Turn>::Positions share_positions_;  // among the runnable of their group
  // Shares with nothing in them, by when they may be forgotten: a heap a group.
  PairingForest resting_;
  std::array<std::vector<Contender>, kLanes> runnable_;
  std::array<Totals, kLanes> lanes_{};
  std::uint32_t live_flows_ = 0;
  std::uint32_t live_shares_ = 0;
  Lookahead lookahead_;
};

// Group → share → flow → task → those of its flow that may follow it.
template <class WillServe>
void Flows::look_ahead(WillServe will_serve) {
  lookahead_.step([&](Lookahead::Way& way) {
    constexpr std::uint8_t kMostSiblings = 8;
    const Group& group = groups_[way.group];
    switch (way.step) {
      case 0:
        if (group.runnable.empty()) return false;
        sluice::prefetch(shares_[group.runnable.top()]);
        return true;
      case 1:
        if (group.runnable.empty()) return false;
        way.at = shares_[group.runnable.top()].runnable.top;
        if (way.at == kNone) return false;
        sluice::prefetch(flows_[way.at]);
        return true;
      case 2: {
        const PairingForest::Heap& tasks = flows_[way.at].tasks;
        if (tasks.empty()) return false;
        will_serve(tasks.top);
        way.at = tasks.child;
        break;
      }
      default:
        way.at = forest_.next_sibling(way.at);
    }
    if (way.at == kNone) return false;
    forest_.prefetch(way.at);
    return way.step < 2 + kMostSiblings;
  });
}

}  // namespace sluice::core
