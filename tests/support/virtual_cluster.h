// A small virtual-time driver: the scheduler in front of made-up nodes, with every promise of the
// core checked as it goes. What the gateway does with sockets and a clock, this does with a heap of
// moments.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <vector>

#include "base/random.h"
#include "base/time.h"
#include "core/scheduler.h"

namespace sluice::test {

// How the made-up nodes behave. All of it is drawn from the seed.
struct ClusterBehaviour {
  std::uint64_t seed = 1;
  double service_cv = 0.3;
  // Service time of a model on every node, by model index.
  std::vector<Duration> service;
  Duration one_way{0};
  // Shares of attempts that end in a replica error, or whose end is never known (AttemptLost).
  double error_share = 0;
  double lost_share = 0;
  // For what nodes do at times: how much longer than drawn the node takes now, and how an attempt
  // that would be answered ends there. Unset: as drawn, answered.
  std::function<double(core::NodeId, TimePoint)> slowness;
  std::function<core::AttemptResult(core::NodeId, TimePoint)> result;
  // Of nodes that are managed: how long a load takes, and the share of them that fail.
  Duration load{std::chrono::milliseconds(500)};
  double load_failure_share = 0;
};

// One terminal outcome and when it came.
struct Ended {
  core::Finish finish;
  TimePoint at;
  bool in_budget() const { return finish.in_budget(at); }
};

class VirtualCluster {
 public:
  VirtualCluster(core::Options options, ClusterBehaviour behaviour);

  // Things to come; `at` is not before now().
  void submit_at(TimePoint at, core::Labels labels);
  void cancel_at(TimePoint at, core::RequestId request);
  void report_at(TimePoint at, core::NodeReport report);
  // The node is found to have loaded the model, though nobody has asked for it.
  void load_at(TimePoint at, core::NodeId node, core::ModelId model);
  void figures_at(TimePoint at, core::NodeFiguresReport figures);
  // Every event comes back as if a driver had repeated it: the core must shrug it off.
  void replay_noise(bool on) { noise_ = on; }

  // Until nothing is left to happen.
  void run();
  void run_until(TimePoint end);

  TimePoint now() const { return now_; }
  core::Scheduler& scheduler() { return scheduler_; }
  std::uint32_t submitted() const { return next_request_; }
  // By request id; each is checked to come exactly once.
  const std::map<std::uint64_t, Ended>& ended() const { return ended_; }
  // Every dispatch in order: what determinism is compared by.
  const std::vector<core::Dispatch>& dispatches() const { return dispatches_; }
  // What was decided about more than one task, in order.
  const std::vector<core::Adjusted>& adjustments() const { return adjustments_; }
  // Called with every dispatch, if set.
  std::function<void(const core::Dispatch&)> on_dispatch;

  std::uint32_t count(core::Outcome outcome) const;
  std::uint32_t count(core::Reason reason) const;
  // Orders to load or to unload.
  std::uint32_t loads() const { return loads_; }
  std::uint32_t unloads() const { return unloads_; }
  // Calls of the scheduler so far.
  std::uint64_t events() const { return events_; }

 private:
  // What a node is busy with; attempts beyond its slots wait here, first come first served.
  struct FakeNode {
    std::uint32_t slots = 0;
    std::uint32_t busy = 0;
    std::queue<core::AttemptId> waiting;
    std::set<core::ModelId> memory;  // where it is managed
  };
  struct Moment {
    TimePoint at;
    std::uint64_t order = 0;
    std::function<void()> what;
    bool operator<(const Moment& other) const {
      return at != other.at ? at > other.at : order > other.order;
    }
  };

  void at(TimePoint when, std::function<void()> what);
  void tell(const core::Event& event);
  void carry_out(const core::Action& action);
  void carry_out_one(const core::Queued& queued);
  void carry_out_one(const core::Dispatch& dispatch);
  void carry_out_one(const core::Finish& finish);
  void carry_out_one(const core::CancelAttempt&) {}
  void carry_out_one(const core::Requeued&) {}
  void carry_out_one(const core::Promoted&) {}
  void carry_out_one(const core::RuleAnswer&) {}
  void carry_out_one(const core::AdmissionRecord&) {}
  void carry_out_one(const core::PlacementRecord&) {}
  void carry_out_one(const core::Adjusted& adjusted) { adjustments_.push_back(adjusted); }
  void carry_out_one(const core::LoadModel& load);
  void carry_out_one(const core::UnloadModel& unload);
  void arrive_at_node(const core::Dispatch& dispatch);
  void begin_service(core::NodeId node, core::AttemptId attempt);
  void end_service(core::NodeId node, core::AttemptId attempt);
  void schedule_wakeup();

  core::Scheduler scheduler_;
  ClusterBehaviour behaviour_;
  Random random_;
  bool noise_ = false;
  TimePoint now_{};
  TimePoint wakeup_ = kNever;
  std::uint64_t order_ = 0;
  std::uint32_t next_request_ = 0;
  std::uint64_t events_ = 0;
  std::uint32_t loads_ = 0;
  std::uint32_t unloads_ = 0;
  std::priority_queue<Moment> moments_;
  std::vector<FakeNode> nodes_;
  core::ActionBuffer actions_;
  std::map<std::uint64_t, core::TaskId> task_of_request_;
  std::map<std::uint64_t, core::ModelId> model_of_attempt_;
  std::map<std::uint64_t, Ended> ended_;
  std::vector<core::Dispatch> dispatches_;
  std::vector<core::Adjusted> adjustments_;
};

// Options to start from: `models` light models on `nodes` nodes of `slots` slots, all on all.
core::Options simple_options(std::uint32_t models, std::uint32_t nodes, std::uint32_t slots);
// Reports every node ready at time zero.
void all_ready(VirtualCluster& cluster);

}  // namespace sluice::test
