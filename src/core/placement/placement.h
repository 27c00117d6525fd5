// Which node runs a task (R19, R20, R21, R23).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "base/state.h"
#include "base/time.h"
#include "core/decision.h"
#include "core/event.h"
#include "core/lanes/flows.h"
#include "core/options.h"
#include "core/placement/breaker.h"
#include "core/placement/deliberation.h"
#include "core/placement/eligibility.h"
#include "core/placement/node.h"
#include "core/placement/predictor.h"
#include "core/placement/reported_figures.h"
#include "core/placement/reserves.h"
#include "core/placement/residency.h"
#include "core/placement/routes.h"
#include "core/task.h"

namespace sluice::core {

// What a task may expect of a node.
struct Prediction {
  Duration until_slot{0};  // round trip and work already there
  Duration service{0};
  Duration p95{0};       // of the service time
  bool trusted = false;  // measured often enough, and of late

  Duration total() const { return until_slot + service; }
};

struct Choice {
  Verdict verdict = Verdict::kWait;
  NodeId node;
  Prediction prediction;
  // It waits because some of what is free is kept for others (R12).
  bool withheld = false;
};

// Owns the nodes, who of them is open, and what is known of each replica: its service times and its
// breaker. Every change of a node is passed on to the flows in the same call, so a class is active
// exactly while one of its nodes is open.
class Placement {
 public:
  Placement(const Options& options, const Eligibility& eligibility, const Residency& residency,
            Flows& flows);

  const Node& node(NodeId node) const { return nodes_[node.value]; }
  const Breaker& breaker(NodeId node, ModelId model) const {
    return breakers_[eligibility_.replica(model, node)];
  }

  void report(NodeId node, bool ready, std::optional<Duration> round_trip, TimePoint now);
  // A replica of the model has been loaded, or is not any more; `residency` says so.
  void residency_changed(ModelId model, TimePoint now);
  // False when something newer is known. Figures that are no shares are counted in `rejected`.
  bool report_figures(const NodeFiguresReport& report, TimePoint now, std::uint64_t& rejected);
  NodeFigures figures(NodeId node, TimePoint now) const;
  bool figures_known(NodeId node, TimePoint now) const {
    return figures_[node.value].known(now, options_.placement.ages);
  }
  bool memory_known(NodeId node, TimePoint now) const {
    return figures_[node.value].memory_known(now, options_.placement.ages);
  }
  void begin(NodeId node, std::uint32_t attempt_slot, Attempt& attempt, TimePoint now);
  // The slot of the attempt that is thought to begin now in place of the one that ended.
  std::optional<std::uint32_t> end(const Attempt& attempt, std::uint32_t attempt_slot,
                                   TimePoint now);
  // An answered attempt took this long to serve.
  void learn(const Attempt& attempt, Duration service, TimePoint now);
  // How an attempt ended is news for the replica's breaker; so is that nobody knows.
  void judge(const Attempt& attempt, AttemptVerdict verdict, Duration took, TimePoint now);
  void forget(const Attempt& attempt, TimePoint now);

  // Lets those that wait for a breaker's half-opening, for a path to be probed, or for a node whose
  // figures were poor until nobody knew them any more, try again.
  void release_due(TimePoint now);
  // When release_due() has something to do.
  TimePoint next_due() const;
  // Changes of breakers since this was last called, in order.
  std::vector<BreakerChange>& breaker_changes() { return breaker_changes_; }
  // The same of paths.
  std::vector<PathChange>& path_changes() { return routes_.changes(); }
  PathId path(ModelId model) const { return routes_.current(model); }

  // An urgent task came for the class; once a period of the control loop, slots are kept for those
  // that will come.
  void expect_urgent(ClassId klass, Duration service, TimePoint now);
  void set_reserves(TimePoint now);
  // Its tasks, if they are not urgent, leave slots to those of light models.
  bool is_heavy(ModelId model) const {
    return reserves_.keeps_for_light() &&
           options_.models[model.value].weight != WeightClass::kLight;
  }

  // Aborts when a figure that is kept is not what is counted anew. O(replicas).
  void check_breakers() const;

  bool open(ClassId klass) const { return classes_[klass.value].open_count > 0; }
  bool ready(ClassId klass) const { return ready_slots(klass) > 0; }
  // Whether a node of the class where the task has not failed is up, as far as is known, has its
  // model loaded and lets it pass. O(nodes of the class), less while most are up.
  bool untried(const Task& task, ClassId klass, TimePoint now) const;
  // Every node of the class has reported, and none is ready.
  bool down(ClassId klass) const;
  // Those of standbys only where they have been called in.
  std::uint32_t ready_slots() const { return ready_slots_; }
  std::uint32_t ready_slots(ClassId klass) const {
    const ClassState& state = classes_[klass.value];
    return state.ready_slots > 0 ? state.ready_slots : state.standby_slots;
  }
  // Of the nodes that have the model. O(candidates).
  std::uint32_t ready_slots(ModelId model) const;

  // Early binding: of the nodes that have the model and take the priority the next ready one in
  // turn, or the next when none is ready. Invalid when there is no such node. O(candidates).
  NodeId next_in_turn(ModelId model, Priority priority);

  // The shortest prediction among the ready nodes of the class that have the model loaded and whose
  // breaker lets the task pass,
  // with a credit or without. None when there is no such node.
  std::optional<Prediction> best_ready(const Task& task, ClassId klass, TimePoint now);
  // The same of the node that was the soonest when all were asked last, which is once in as many
  // calls as there are nodes to ask: a task costs two looks, not ten. Up to 32 nodes never shorter
  // than best_ready(), which is to be asked before anybody is refused by it.
  std::optional<Prediction> good_ready(const Task& task, ClassId klass, TimePoint now);

  // The shortest time in which a ready node could do it if nothing were before it: what the latest
  // start is reckoned by. None where there is no such node, or nothing to trust.
  std::optional<Duration> soonest(const Task& task, ClassId klass, TimePoint now);

  // Whether the node at this position of the class could do it in time with one attempt less.
  bool in_time_without_one(const Task& task, ClassId klass, std::size_t position,
                           TimePoint now) const;
  // Until a slot of a node is free, mean of the ready nodes that have the model (or of a sample).
  Duration mean_queueing(ModelId model) const;

  // Where models come and go, free nodes of a class say nothing about whether a task can run: who
  // finds no room where its model is waits for those nodes, by model and lane (Verdict::kAway), and
  // is called back when one of them has room. O(usable replicas).
  void wait_for_room(ModelId model, ClassId klass, Lane lane);
  // All of them, wherever they wait.
  void call_all_back(ModelId model);
  // Calls back who waits for a node that has room, one flow a lane; false when there is none. For
  // when nobody else is to be served. O(1) amortised.
  bool call_back() { return !with_room_.empty() && call_back_some(); }

  // Filter, score, choose: among the open nodes of the class (at least one) the one that the
  // policy's placement strategy prefers; one where the task has failed only when no other, a busy
  // one included, would be in time. `mind_deadline`: do not run what will be late.
  Choice choose(const Task& task, ClassId klass, TimePoint now, bool mind_deadline);
  // What choose() or soonest(), whichever was called last, has weighed.
  const Deliberation& deliberation() const { return deliberation_; }

  // For snapshots (base/state.h).
  template <class Self, class Archive>
  static void visit_state(Self& self, Archive& archive) {
    auto& [options, eligibility, residency, flows, nodes, kind_of_node, is_open, is_standby,
           counted_slots, memberships, classes, ready_slots, first_ready, predictor, breakers,
           faulty, open_breakers, breaker_changes, routes, figures, node_weights, held_nodes,
           reserves, waiting_threads, waited_for, is_waited_for, with_room, is_with_room, turn,
           favourites, random, deliberation, withheld] = self;
    archive(nodes, is_open, counted_slots, memberships, classes, ready_slots, first_ready,
            predictor, breakers, faulty, open_breakers, routes, figures, held_nodes, reserves,
            waiting_threads, waited_for, is_waited_for, with_room, is_with_room, turn, favourites,
            random);
    archive.empty(breaker_changes);
  }

 private:
  // Beyond this many candidates a sample is looked at: power of d choices (Mitzenmacher 2001), of
  // every kind of node alike, so that no verdict rests on never having seen the fast ones.
  static constexpr std::size_t kExhaustive = 32;
  static constexpr std::size_t kSample = 8;
  static constexpr std::size_t kSampleOfAKind = 2;
  static constexpr std::size_t kMostListed = PlacementOptions::kMostTop;
  static constexpr std::uint32_t kNowhere = 0xffffffff;

  struct Membership {
    ClassId klass;
    std::uint32_t position = 0;     // the node's place among the nodes of the class
    std::uint32_t stratum = 0;      // its kind's place among the kinds of the class
    std::uint32_t open = kNowhere;  // its place among the open ones of its kind

    SLUICE_STATE(klass, position, stratum, open);
  };
  struct OpenNode {
    NodeId node;
    std::uint32_t membership;  // this class's place in memberships_[node]
    std::uint32_t position;    // the node's place among the nodes of the class

    SLUICE_STATE(node, membership, position);
  };
  // The nodes of a class that are of one kind.
  struct Stratum {
    std::vector<std::uint32_t> positions;  // among the nodes of the class
    std::vector<OpenNode> open;

    SLUICE_STATE(positions, open);
  };
  struct ClassState {
    std::vector<Stratum> strata;
    std::uint32_t node_count = 0;
    std::uint32_t open_count = 0;
    std::uint32_t ready_slots = 0;  // without standbys
    std::uint32_t standby_slots = 0;
    std::vector<NodeId> standbys;
    std::vector<ClassId> neighbours;  // other classes that have some of its nodes
    bool has_light = false;           // tasks of light models may wait in it

    template <class Self, class Archive>
    static void visit_state(Self& self, Archive& archive) {
      auto& [strata, node_count, open_count, ready_slots, standby_slots, standbys, neighbours,
             has_light] = self;
      archive(strata, node_count, open_count, ready_slots, standby_slots);
    }
  };
  struct Candidate {
    NodeId node;
    Prediction prediction;
    // It may be waited for, not run on now: for others, or because its score is low.
    bool kept = false;
    bool low = false;
    bool tried = false;
    bool flooded = false;  // had its share since its figures were sampled
    bool ranked = false;   // by the policy's strategy
    // By the policy's strategy; smaller is better, first the cost, then the lot.
    double cost = 0;
    std::uint64_t lot = 0;
    bool spared = false;  // taken only where no other node could do it
    // On which path, and whether in time: on a better one and in time first, then on another.
    std::uint8_t behind = 0;

    // What goes before its time. Smaller is better.
    int standing() const { return (spared ? 512 : 0) + (tried ? 256 : 0) + behind; }
  };

  // What is the same for all candidates of a task: asked once, not ten times.
  struct Query {
    const Task& task;
    Predictor::Input input;
    ClassId klass;
    TimePoint now;
    std::span<const NodeId> nodes;               // of the class
    std::optional<std::uint32_t> first_replica;  // of these, where their numbers are dense
    bool watches_breakers = false;               // some are not closed
    bool gives_way = false;                      // something may be kept for others
    bool heavy = false;                          // not only for urgent tasks
    bool has_standbys = false;
    bool several_paths = false;
    bool minds_scores = false;
    bool managed = false;  // the model comes and goes: not every node of the class has it

    // Nothing but its time sets a candidate apart from another.
    bool by_time_alone() const {
      return !watches_breakers && !has_standbys && !several_paths && !managed &&
             !task.tried[0].valid();
    }
  };

  void build_classes();
  void find_neighbours();     // withholding.cc
  void find_light_classes();  // the same
  std::vector<Predictor::Replica> replicas() const;

  // Keeps the classes' lists of open nodes right after the node has changed.
  void refresh(NodeId node, TimePoint now);
  void refresh_in(NodeId node, std::uint32_t membership);
  void open_in(NodeId node, std::uint32_t membership);
  void close_in(NodeId node, std::uint32_t membership);
  void count_ready(NodeId node, bool ready);
  // Whoever waits for the node thinks again.
  void unpark_all(NodeId node);
  bool may_be_cold(NodeId node, TimePoint now) const;

  // standby.cc
  // Standbys of a class are open in it only while none of its other nodes is ready.
  bool on_call(NodeId node, ClassId klass) const {
    return is_standby_[node.value] != 0 && classes_[klass.value].ready_slots > 0;
  }
  void call_or_dismiss_standbys(ClassId klass);
  void count_in_total(NodeId node);
  void note(std::uint32_t replica, NodeId node, ModelId model,
            const std::optional<BreakerTransition>& transition, TimePoint now);
  void stir_models();

  // choice.cc
  Query query(const Task& task, ClassId klass, TimePoint now) const;
  std::uint32_t replica_at(const Query& query, std::size_t position) const;
  Candidate look_at(const Query& query, std::size_t position) const;
  std::size_t soonest_of(const Query& query);
  void place_on_path(Candidate& found, const Task& task, TimePoint now) const;
  // withholding.cc: whether the reserves leave the node to a task that is not urgent.
  bool leaves_to(const Query& query, NodeId node, const ServicePrediction& predicted) const;
  bool reserved_from(bool heavy, ClassId klass) const {
    return heavy ? reserves_.restricts_heavy(klass) : reserves_.restricts(klass);
  }
  void give_back(ClassId klass, bool heavy);
  // Whether `a` is predicted to finish first; an invalid candidate never is.
  static bool sooner(const Candidate& a, const Candidate& b);
  // callbacks.cc
  bool call_back_some();
  bool call_next(NodeId node, Lane lane);
  bool has_room(ModelId model, ClassId klass) const;
  std::optional<Flows::GroupId> away_for(ModelId model, NodeId node, Lane lane) const;
  ArrivalThreads::List& waited_for_at(NodeId node, Lane lane) {
    return waited_for_[node.value * kLanes + static_cast<std::uint32_t>(lane)];
  }
  bool adapts() const { return options_.policy.control == Control::kAdaptive; }
  // Calls visit(item) for all of them, or for a sample of each stratum when they are many.
  template <class Item, class Visit>
  void visit(const Query& query, std::size_t count, std::vector<Item> Stratum::*list, Visit visit);
  void ask_for(const Query& query, std::uint32_t position) const;
  static std::uint32_t position_of(std::uint32_t position) { return position; }
  static std::uint32_t position_of(const OpenNode& open) { return open.position; }
  // The same for the nodes that have the model loaded, where models come and go: a sample of all
  // nodes might find none of them. O(usable replicas) at worst.
  template <class Counts, class Visit>
  void visit_usable(const Query& query, Counts counts, Visit visit);
  // Calls it with the positions of nodes of the class that might run the task.
  template <class Visit>
  void visit_ready(const Query& query, Visit visit_position);
  template <class Visit>
  void visit_open(const Query& query, Visit visit_position);
  Candidate pick(const Query& query);
  template <class Offer>
  void offer_open(const Query& query, Offer offer);
  Candidate first_ready(const Query& query);
  Choice run_or_wait(const Query& query, const Candidate& found);
  // For the record: what is to be said of a candidate, and which one it was.
  Weighed weigh(const Query& query, const Candidate& candidate) const;
  Choice decide(Verdict verdict, const Query& query, const Candidate& on);
  // The first to finish of the nodes that are spared, if no other could do it however late.
  Candidate last_resort(const Query& query);
  // The first to finish on the path, of those that are open and have not failed it.
  Candidate probe_on(PathId path, const Query& query);

  // ranking.cc: what the policy's strategy prefers.
  void rank(const Task& task, Candidate& candidate, TimePoint now);
  static bool preferred(const Candidate& a, const Candidate& b);
  // Of how many it chooses in the end.
  std::size_t shortlist_length() const;
  const Candidate& pick_of(std::span<const Candidate> best);
  const Candidate& draw_by_score(std::span<const Candidate> best);

  // scoring.cc: R22, R21.
  static std::vector<NodeWeights> node_weights(const Options& options);
  double score_of(ModelId model, NodeId node, TimePoint now) const;
  double score_of(const Task& task, const Candidate& candidate, TimePoint now) const;
  bool scores_too_little(const Task& task, NodeId node, TimePoint now) const;
  // Who is kept from the node thinks again when its figures do not count any more.
  void hold(NodeId node);

  const Options& options_;
  const Eligibility& eligibility_;
  const Residency& residency_;
  Flows& flows_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> kind_of_node_;
  std::vector<std::uint8_t> is_open_;                 // by node
  std::vector<std::uint8_t> is_standby_;              // by node
  std::vector<std::uint32_t> counted_slots_;          // by node: in ready_slots_
  std::vector<std::vector<Membership>> memberships_;  // by node
  std::vector<ClassState> classes_;
  std::uint32_t ready_slots_ = 0;
  TimePoint first_ready_ = kNever;  // when the first of all nodes was
  Predictor predictor_;
  std::vector<Breaker> breakers_;  // by replica
  std::uint32_t faulty_ = 0;       // of these, not closed
  // Replicas whose breaker is open. Few, so they are looked through.
  struct OpenBreaker {
    std::uint32_t replica;
    NodeId node;
    ModelId model;
    TimePoint until;

    SLUICE_STATE(replica, node, model, until);
  };
  std::vector<OpenBreaker> open_breakers_;
  std::vector<BreakerChange> breaker_changes_;
  Routes routes_;
  std::vector<ReportedFigures> figures_;   // by node
  std::vector<NodeWeights> node_weights_;  // by weight class and node
  // Nodes that tasks were kept from by their score, each once. Few, as above.
  struct HeldNode {
    NodeId node;
    TimePoint until;

    SLUICE_STATE(node, until);
  };
  std::vector<HeldNode> held_nodes_;
  Reserves reserves_;
  // Who waits for room where their model is: replica × lanes + lane, in order, by node × lanes +
  // lane; and nodes with room for which somebody may wait.
  ArrivalThreads waiting_threads_;
  std::vector<ArrivalThreads::List> waited_for_;
  std::vector<bool> is_waited_for_;
  std::vector<NodeId> with_room_;
  std::vector<bool> is_with_room_;
  std::vector<std::uint32_t> turn_;  // by model
  // Who was the soonest of a class, and how often that is still believed.
  struct Favourite {
    ClassId klass;
    std::uint32_t position = 0;
    std::uint32_t uses_left = 0;

    SLUICE_STATE(klass, position, uses_left);
  };
  std::vector<Favourite> favourites_;  // by model
  Random random_;
  Deliberation deliberation_;  // of the choice in progress
  bool withheld_ = false;      // the same: a node was kept for others
};

}  // namespace sluice::core
