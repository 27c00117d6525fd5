// Which models are in the memory of which nodes (R18, R25).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/state.h"
#include "base/time.h"
#include "core/ids.h"
#include "core/lanes/arrival_list.h"
#include "core/options.h"
#include "core/placement/device_memory.h"
#include "core/placement/eligibility.h"
#include "core/placement/model_demand.h"
#include "core/placement/residency_options.h"
#include "core/placement/residency_state.h"

namespace sluice::core {

// Nodes are *managed* or not. Replicas of nodes that are not are always loaded, and so are those
// that are pinned. On a managed node the other models come and go:
//
// Cold start. A task that finds no usable replica has one brought up. One load a model at a time:
// whoever comes meanwhile shares it. Room is what is free, or what models hold that have been idle
// for `idle`, or that are idle while the task has waited for so long.
//
// Penetration. Where that finds no room, an urgent task (high lane) breaks the limits, once until
// the model is up: it may make a node load more at a time, evict what has only just become idle and
// spare copies of models in demand, and drain busy models that are not. Never broken: memory,
// reservations, and the last copy of a model in demand. (Two urgent models without room for both
// would otherwise take turns for ever, each useless to everybody while it is being loaded: the
// first keeps the place.)
//
// Pre-warm. A model in demand is kept on `warm_replicas` nodes.
//
// Growth. A model for which more waits than its replicas serve while one more is loaded gets one
// more.
//
// Eviction. Of the models of a node those that have been idle longest go first; one for which tasks
// wait never, one in demand only down to its warm replicas, and none whose leaving would free
// nothing, because its memory is reserved for it.
//
// Failure. The node is left alone for a while, and another is tried at once; a model that fails
// everywhere is left alone, too. Whoever brings nothing back is timed out.
//
// Penetration, pre-warm and growth are for adaptive policies (see Control). What is decided comes
// out as orders; the driver answers each with loaded() or unloaded(). Nothing is ordered for a node
// that is not ready.
//
// Models that nobody asks for cost nothing. All calls are O(1) but for step() when something is
// wanted, O(wants · nodes · models idle there), the first two bounded by constants below, and
// set_ready(), O(models of the node). Where no node is managed every call returns at once.
class Residency {
 public:
  // Both must outlive this.
  Residency(const Options& options, const Eligibility& eligibility);

  bool enabled() const { return enabled_; }
  // Whether some of its replicas come and go.
  bool manages(ModelId model) const { return enabled_ && models_[model.value].managed; }
  // Of a model that is managed: its replicas that are loaded, on nodes that are ready.
  std::span<const std::uint32_t> usable(ModelId model) const { return models_[model.value].usable; }
  bool is_usable(std::uint32_t replica) const {
    return !enabled_ || replicas_[replica].state == ResidencyState::kLoaded;
  }
  // Loaded, or about to be; and where it is neither anywhere, true of any node. The node must have
  // the model.
  bool is_here(NodeId node, ModelId model) const;
  NodeId node_of(std::uint32_t replica) const { return replicas_[replica].node; }
  ModelId model_of(std::uint32_t replica) const { return replicas_[replica].model; }

  // --- what happens -----------------------------------------------------------------------------
  void set_ready(NodeId node, bool ready, TimePoint now);
  // All that the node has in memory, ascending, as it said of late: of orders under way only their
  // answers are believed, and of a replica that has changed within the lag of such reports only
  // that. O(models of the node · log).
  void found(NodeId node, std::span<const ModelId> loaded, TimePoint now);
  // A request came that is not its tenant's fault; a task waits; it does not any more.
  void arrived(ModelId model, Lane lane, Priority accepted_as, TimePoint now) {
    if (manages(model) && lane == Lane::kHigh) note_urgent(model, accepted_as, now);
  }
  void entered(ModelId model, Lane lane, Priority accepted_as, Duration work, TimePoint now) {
    if (manages(model)) note_waiting(model, lane, accepted_as, work, now);
  }
  void left(ModelId model, Lane lane, Priority accepted_as, Duration work) {
    if (manages(model)) models_[model.value].demand.left(lane, accepted_as, work);
  }
  // As if a task had waited for a moment: whoever must run now or not at all brings the model up
  // for the next.
  void ask(ModelId model, Priority accepted_as, TimePoint now);
  // An attempt runs there; it does not any more.
  void began(std::uint32_t replica) {
    if (enabled_) note_begun(replica);
  }
  void ended(std::uint32_t replica, TimePoint now) {
    if (enabled_) note_ended(replica, now);
  }
  // What became of an order, or what the driver has found. ok: it is in memory now, or not any
  // more; otherwise the load has failed, or nobody can say that it is gone. False: that makes no
  // sense and is ignored: no such node or model, not managed, not ready, not asked for, or told
  // before.
  bool loaded(NodeId node, ModelId model, bool ok, TimePoint now);
  bool unloaded(NodeId node, ModelId model, bool ok, TimePoint now);

  // Time-outs, and what is wanted: after every event, and when due.
  void step(TimePoint now);
  TimePoint next_due() const;

  // --- what follows -----------------------------------------------------------------------------
  // Since they were last cleared, in order.
  std::vector<ResidencyOrder>& orders() { return orders_; }
  std::vector<ResidencyChange>& changes() { return changes_; }

  // Until the load of the model that is under way is expected to be over; nothing when none is.
  struct LoadLeft {
    NodeId node;
    Duration left{0};
    bool trusted = false;  // from measured loads
  };
  std::optional<LoadLeft> load_left(ModelId model, TimePoint now) const;
  // Its latest load has failed.
  bool has_failed(ModelId model) const { return enabled_ && models_[model.value].failures > 0; }
  // Of a model that comes and goes and is loaded on none of these nodes, which have it: when a load
  // may be begun on one of them; nothing where no failure holds it up. O(nodes), and O(1) while
  // nothing has failed.
  std::optional<TimePoint> held_up_until(ModelId model, std::span<const NodeId> nodes,
                                         TimePoint now) const;

  // The node must have the model.
  ResidencyState state(NodeId node, ModelId model) const;
  DeviceMemory memory(NodeId node) const {
    return enabled_ ? nodes_[node.value].memory : DeviceMemory(std::nullopt);
  }

  // Recounts everything, and aborts when something differs. For tests.
  void check() const;

  // For snapshots (base/state.h).
  template <class Self, class Archive>
  static void visit_state(Self& self, Archive& archive) {
    auto& [options, eligibility, enabled, adapts, replicas, models, nodes, threads, deadlines,
           first_deadline, fresh, wanting, next_want, look_due, victims, best_victims, orders,
           changes] = self;
    archive(replicas, models, nodes, threads, deadlines, first_deadline, fresh, wanting, next_want,
            look_due);
    archive.empty(orders);
    archive.empty(changes);
  }

 private:
  static constexpr std::uint32_t kNone = ArrivalThreads::kNone;
  // Of the nodes that have a model, so many are looked at for room; in turn, where there are more.
  static constexpr std::size_t kCandidates = 32;
  // Wants that found no room are looked at again so often and so many at a time.
  static constexpr Duration kLookEvery = std::chrono::milliseconds(20);
  static constexpr Duration kLookRarely = std::chrono::seconds(1);
  static constexpr std::size_t kLooks = 32;
  static constexpr Duration kReportLag = std::chrono::seconds(2);
  // What a load takes at least, where it is weighed against waiting.
  static constexpr Duration kShortestLoad = std::chrono::milliseconds(100);

  struct Replica {
    NodeId node;
    ModelId model;
    ResidencyState state = ResidencyState::kCold;
    bool managed = false;       // it comes and goes
    std::uint8_t failures = 0;  // of loads, in a row
    std::uint32_t in_flight = 0;
    std::uint32_t usable_at = kNone;  // its place in the model's list
    TimePoint since;                  // in this state
    TimePoint idle_since;
    TimePoint blocked_until;

    SLUICE_STATE(node, model, state, managed, failures, in_flight, usable_at, since, idle_since,
                 blocked_until);
  };
  struct Model {
    explicit Model(const ModelOptions& options)
        : size{options.memory_bytes, options.reserved_bytes},
          load_time(options.load_time),
          warm_replicas(options.warm_replicas) {}

    Footprint size;
    ModelDemand demand;
    LoadTime load_time;
    std::uint32_t warm_replicas;
    std::uint32_t replicas = 0;
    std::vector<std::uint32_t> usable;
    std::uint32_t usable_slots = 0;
    std::array<std::uint32_t, kPriorities> serving{};  // usable ones that take the priority
    std::uint32_t loading = kNone;                     // the replica that is planned or loading
    TimePoint wanted_since = kNever;                   // and not begun
    TimePoint not_before;
    std::uint32_t turn = 0;
    std::uint8_t failures = 0;  // of loads, in a row, anywhere
    bool managed = false;
    PrioritySet asked = 0;
    bool broke_limits = false;

    SLUICE_STATE(size, demand, load_time, warm_replicas, replicas, usable, usable_slots, serving,
                 loading, wanted_since, not_before, turn, failures, managed, asked, broke_limits);
  };
  struct Node {
    explicit Node(const NodeOptions& options)
        : memory(options.memory_bytes), slots(options.slots), managed(options.managed) {}

    DeviceMemory memory;
    ArrivalThreads::List idle;           // replicas, by how long they have been
    std::vector<std::uint32_t> planned;  // replicas, in order
    std::uint32_t slots;
    std::uint32_t loads = 0;  // planned or ordered
    std::uint32_t in_flight = 0;
    bool managed;
    bool ready = false;
    TimePoint ready_since;

    SLUICE_STATE(memory, idle, planned, slots, loads, in_flight, managed, ready, ready_since);
  };
  struct Deadline {
    std::uint32_t replica;
    TimePoint due;

    SLUICE_STATE(replica, due);
  };
  // A load that somebody wants, on a node that takes this priority.
  struct Want {
    ModelId model;
    ResidencyCause cause;
    Priority priority;
    TimePoint since;
    bool breaks_limits = false;
  };
  // A place for a model, and what it costs.
  struct Place {
    std::uint32_t replica = kNone;
    TimePoint newest_victim = TimePoint::min();  // idle since; kNever when one is busy
    double busy = 0;                             // attempts ÷ slots of the node
    std::uint64_t room = 0;                      // that is free there
  };

  // residency.cc
  void check_node(NodeId node) const;
  std::optional<std::uint32_t> find(NodeId node, ModelId model) const;
  std::uint32_t replica_of(NodeId node, ModelId model) const {
    return eligibility_.replica(model, node);
  }
  void move(std::uint32_t replica, ResidencyState to, ResidencyCause cause, TimePoint now,
            ModelId other = {});
  void account(Node& node, const Footprint& size, ResidencyState from, ResidencyState to);
  void set_usable(std::uint32_t replica, bool usable);
  void set_idle(std::uint32_t replica, bool idle);
  void set_deadline(std::uint32_t replica, TimePoint now);
  void order(std::uint32_t replica, bool load);
  void order_planned(NodeId node, TimePoint now);
  void unload(std::uint32_t replica, ResidencyCause cause, TimePoint now, ModelId other);
  void give_up_planned(NodeId node, TimePoint now);
  void fail(std::uint32_t replica, TimePoint now);
  void time_out(std::uint32_t replica, TimePoint now);
  void time_out_due(TimePoint now);

  // residency_events.cc
  void note_begun(std::uint32_t replica);
  void note_ended(std::uint32_t replica, TimePoint now);

  // residency_wants.cc
  void note_urgent(ModelId model, Priority accepted_as, TimePoint now);
  void note_waiting(ModelId model, Lane lane, Priority accepted_as, Duration work, TimePoint now);
  std::optional<Want> wants(ModelId model, TimePoint now);
  static PrioritySet unserved(const Model& model);
  bool outgrown(const Model& model) const;
  void consider(ModelId model, TimePoint now);
  bool serve(ModelId model, TimePoint now);
  void look_at_wants(TimePoint now);
  bool start(const Want& want, TimePoint now);
  std::optional<Place> best_place(const Want& want, TimePoint now);
  std::optional<Place> weigh(std::uint32_t replica, const Want& want, TimePoint now);
  bool find_room(Place& place, const Want& want, TimePoint now);
  bool may_evict(std::uint32_t replica, const Want& want, TimePoint now);
  bool is_urgent(Model& model, TimePoint now) const;

  const Options& options_;
  const Eligibility& eligibility_;
  bool enabled_ = false;
  bool adapts_;
  std::vector<Replica> replicas_;
  std::vector<Model> models_;
  std::vector<Node> nodes_;
  ArrivalThreads threads_;           // of the nodes' idle replicas
  std::vector<Deadline> deadlines_;  // of what was ordered; few
  TimePoint first_deadline_ = kNever;
  std::vector<ModelId> fresh_;    // wants that nobody has looked at
  std::vector<ModelId> wanting_;  // wants that found no room so far
  std::size_t next_want_ = 0;
  TimePoint look_due_ = kNever;
  std::vector<std::uint32_t> victims_;  // of the place that is being weighed
  std::vector<std::uint32_t> best_victims_;
  std::vector<ResidencyOrder> orders_;
  std::vector<ResidencyChange> changes_;
};

}  // namespace sluice::core
