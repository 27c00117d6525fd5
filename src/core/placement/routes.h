// Which path the tasks of each model take: selectors (path.h) fed with what nodes and attempts say,
// and what follows from them for placement (R28, R30).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/state.h"
#include "base/time.h"
#include "core/options.h"
#include "core/placement/breaker.h"
#include "core/placement/eligibility.h"
#include "core/placement/node.h"
#include "core/placement/path.h"
#include "core/placement/path_health.h"
#include "core/placement/path_load.h"
#include "core/placement/residency.h"
#include "core/task.h"

namespace sluice::core {

// The path that a model takes is preferred; later ones take what finds no room on it in time.
// Better ones, which were left, are barred until probes have brought them back, except one that was
// left for its load: it works, and takes what finds no room anywhere else.
//
// A probe is a real task, one of a model at a time, and one that may be tried again if one comes
// within a second of when it could: a health check says that something answers, not that the model
// runs, and a task that is tried elsewhere costs its caller only time.
//
// A node serves its path for a model while it is ready, its breaker is not open, and it has the
// model loaded (R18).
//
// Under adaptive policies that bind late; elsewhere all paths are one. Models with nodes on one
// path only have no state here and cost nothing. For the others all calls are O(paths + sets of
// nodes that the node is in); changes of readiness and of breakers look at all candidates of the
// models concerned.
class Routes {
 public:
  // `nodes` and `breakers` (by replica) must outlive it, as the others.
  Routes(const Options& options, const Eligibility& eligibility, const Residency& residency,
         const std::vector<Node>& nodes, const std::vector<Breaker>& breakers);

  struct Rank {
    std::uint8_t order = 0;  // smaller is preferred
    bool barred = false;

    SLUICE_STATE(order, barred);
  };
  bool several(ModelId model) const { return state_of_model_[model.value] != kNone; }
  PathId path_of(NodeId node) const { return path_of_node_[node.value]; }
  Rank rank(const Task& task, NodeId node) const;
  // The path that the task should probe, if it is the right one for that.
  std::optional<PathId> probe(const Task& task, TimePoint now) const;
  // Of a model with one path only: that of any of its nodes; invalid when it has none.
  PathId current(ModelId model) const;

  // What has happened, after the nodes, breakers and residency have changed.
  void readiness_changed(NodeId node, TimePoint now);
  void load_changed(NodeId node, TimePoint now);
  // A breaker of the model has, or where it is loaded.
  void replicas_changed(ModelId model, TimePoint now);
  void began(Attempt& attempt, TimePoint now);
  void ended(const Attempt& attempt, AttemptVerdict verdict, TimePoint now);
  void forgotten(const Attempt& attempt, TimePoint now);

  void release_due(TimePoint now);
  // When release_due() has something to do.
  TimePoint next_due() const { return next_due_; }

  // Since they were last emptied: what was decided, and whose tasks should be looked at again.
  std::vector<PathChange>& changes() { return changes_; }
  std::vector<ModelId>& stirred() { return stirred_; }

  // For snapshots (base/state.h).
  template <class Self, class Archive>
  static void visit_state(Self& self, Archive& archive) {
    auto& [options, eligibility, residency, nodes, breakers, path_of_node, state_of_model, states,
           loads, loads_of_node, part_of_node, failed_in_run, figures, next_due, changes, stirred] =
        self;
    archive(states, loads, part_of_node, failed_in_run, next_due, stirred);
    archive.empty(changes);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  // How long a probe waits for a task that may be tried again.
  static constexpr Duration kProbePatience = std::chrono::seconds(1);

  // One path of one model.
  struct OfPath {
    PathHealth health;
    std::uint32_t ready = 0;    // nodes, with breakers that are not open
    std::uint32_t loaded = 0;   // of these
    std::uint32_t unknown = 0;  // nodes that have not reported yet: they may still come
    std::uint32_t sure = 0;     // of these, that have the model when they come
    bool left_for_load = false;
    Rank rank;

    SLUICE_STATE(health, ready, loaded, unknown, sure, left_for_load, rank);
  };
  struct State {
    ModelId model;
    PathSelector selector;
    std::uint32_t load = 0;  // in loads_: of the models with the same nodes
    std::vector<OfPath> paths;
    bool probe_under_way = false;
    TimePoint probe_wanted = kNever;  // since when
    TimePoint due = kNever;

    SLUICE_STATE(model, selector, load, paths, probe_under_way, probe_wanted, due);
  };

  void add(ModelId model);
  std::uint32_t load_of(ModelId model);
  State* state_of(ModelId model);
  bool ready(ModelId model, NodeId node, TimePoint now) const;
  void count_nodes(State& state, TimePoint now) const;
  PathFigures figures(const State& state, std::uint32_t path, TimePoint now);
  void step(State& state, TimePoint now);
  void take(State& state, const PathSwitch& change, TimePoint now);
  void rank_paths(State& state) const;

  const Options& options_;
  const Eligibility& eligibility_;
  const Residency& residency_;
  const std::vector<Node>& nodes_;
  const std::vector<Breaker>& breakers_;
  std::vector<PathId> path_of_node_;
  std::vector<std::uint32_t> state_of_model_;
  std::vector<State> states_;
  // By set of nodes and path, and who of them a node is in. What each node adds to them.
  std::vector<std::vector<PathLoad>> loads_;
  std::vector<std::vector<std::uint32_t>> loads_of_node_;
  std::vector<PathLoad::Part> part_of_node_;
  std::vector<std::uint32_t> failed_in_run_;  // by replica
  std::vector<PathFigures> figures_;          // of the step in progress
  TimePoint next_due_ = kNever;
  std::vector<PathChange> changes_;
  std::vector<ModelId> stirred_;
};

}  // namespace sluice::core
