// Everything the core can be told to do differently. Plain data: `config` reads it from YAML, tests
// and the simulator write it down. All tables are fixed for the life of a scheduler.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "core/classify/priority_table.h"
#include "core/classify/rule_book.h"
#include "core/control/control_options.h"
#include "core/ids.h"
#include "core/labels.h"
#include "core/placement/breaker_options.h"
#include "core/placement/path_options.h"
#include "core/placement/placement_options.h"
#include "core/placement/residency_options.h"
#include "core/placement/retry_budget.h"
#include "core/policy.h"

namespace sluice::core {

// One row of the model catalogue: what a request for the model is when its labels are silent.
struct ModelOptions {
  std::string name;
  TaskTypeId task_type;
  WeightClass weight = WeightClass::kMedium;
  Realtime realtime = Realtime::kMedium;
  std::optional<Duration> budget;
  // Service time to assume before any was measured; absent: by weight class.
  std::optional<Duration> expected_service;
  // A smaller model that answers instead where this one would be too late, or where its lane is
  // nearly full and degrades (R17, R20). Not itself; what it degrades to is not asked.
  std::optional<ModelId> degrade_to;
  // A second attempt elsewhere when the first takes longer than 95 % of them (hedging.cc).
  bool hedge = false;
  // Running a request twice does no harm. The core goes by Labels::retriable, which drivers set by
  // this.
  bool idempotent = true;
  // The rest is for nodes that are managed (see placement/residency.h). Memory that a replica
  // takes.
  std::uint64_t memory_bytes = 0;
  // Memory of each such node that is not given to other models, whether it is loaded or not (R25).
  // Those of a node's models together, and what is pinned: at most what the node has.
  std::uint64_t reserved_bytes = 0;
  // Time to assume that a load takes, before one was measured; > 0.
  Duration load_time = std::chrono::seconds(1);
  // Nodes on which it is kept loaded while urgent requests for it come (R18).
  std::uint32_t warm_replicas = 1;
};

// What happens to requests beyond a tenant's rate.
enum class OverRate : std::uint8_t {
  kRefuse,  // at once, with the time after which one is let through
  kDelay,   // they wait, and are dispatched at the rate
};

inline constexpr std::array<std::string_view, 2> kOverRateNames{"refuse", "delay"};

// R31. What is absent has no limit.
struct TenantLimits {
  // Requests a second, and how many of them at once; burst absent: what a second brings.
  std::optional<double> rate_rps;
  std::optional<double> burst;
  OverRate over_rate = OverRate::kRefuse;
  // Attempts running; more wait.
  std::optional<std::uint32_t> concurrency;
  // Of the device time of all ready slots, 0 < x ≤ 1; more waits. Held over a second or so.
  std::optional<double> device_share;
  // Tasks and bytes waiting, by lane; more is refused.
  std::array<std::optional<std::uint32_t>, kLanes> waiting{};
  std::array<std::optional<std::uint64_t>, kLanes> waiting_bytes{};
};

struct TenantOptions {
  std::string name;
  Tier tier = Tier::kBasic;
  // The most urgent priority that a request of this tenant may ask for by label.
  Priority best_priority = 0;
  // Share of device time against the other tenants of a lane that are backlogged; > 0.
  double weight = 1;
  // Over the safety load its share shrinks first (R33). Absent: those of tier basic.
  std::optional<bool> core;
  // Share of the device time of all ready slots that it has before the weights are asked, 0..1.
  double reserved_share = 0;
  TenantLimits limits;
};

// Whether an attempt that nobody waits for any more ends early.
enum class CancelMode : std::uint8_t {
  kIgnored,  // the replica works on: the credit stays taken until its answer has come
  kStops,    // closing the connection stops it
};

inline constexpr std::array<std::string_view, 2> kCancelModeNames{"ignored", "stops"};

// A device with one replica of each of its models; they share its slots and credits.
struct NodeOptions {
  std::string name;
  // Nodes of one kind are expected to be about equally fast, and learn from each other. Empty: like
  // no other.
  std::string kind;
  std::vector<ModelId> models;  // not empty, no model twice
  std::uint32_t slots = 1;      // parallel executions, 1..65535
  // Attempts in flight. Absent: learnt, slots × (1 + round trip ÷ service), at most 4 × slots.
  std::optional<std::uint32_t> credits;
  CancelMode cancel = CancelMode::kIgnored;
  // Absent: learnt from reports.
  std::optional<Duration> round_trip;
  // R26: whom it is for, and the priorities that it takes. Absent: everybody; those of its class.
  std::optional<Realtime> service_class;
  std::optional<PriorityRange> accepts;
  // In Options::paths; the first of them unless told otherwise.
  PathId path;
  // Hot standby: ready, and given nothing while another node could take it.
  bool standby = false;
  // Its models are loaded and unloaded as they are asked for, but for those that are pinned; false:
  // all are always loaded. No standby has a model that comes and goes anywhere.
  bool managed = false;
  // Of its models, where managed: always loaded, whatever the node says.
  std::vector<ModelId> pinned;
  // For models, pinned ones included, where managed. Absent: all of them fit.
  std::optional<std::uint64_t> memory_bytes;

  PriorityRange accepted() const {
    if (accepts) return *accepts;
    return service_class ? priorities_of(*service_class) : PriorityRange{};
  }
  // Whether the model, one of its own, comes and goes there. O(pinned).
  bool manages(ModelId model) const {
    return managed && std::find(pinned.begin(), pinned.end(), model) == pinned.end();
  }
};

// What a lane does that has no room for one more (R10).
enum class Saturation : std::uint8_t {
  kReject,   // refuses what comes
  kShed,     // lets go whichever has the least slack, what comes included: likely to miss anyway
  kDegrade,  // from `degrade_from` of its capacity on, what comes is degraded where its model can
             // be
};

inline constexpr std::array<std::string_view, 3> kSaturationNames{"reject", "shed", "degrade"};

struct LaneOptions {
  // Share of device time against the other lanes when all are backlogged; > 0.
  double weight = 1;
  // Most tasks and bytes waiting; what comes beyond is refused.
  std::uint32_t capacity = 10'000;
  std::uint64_t capacity_bytes = std::uint64_t{1} << 30;
  Saturation saturation = Saturation::kReject;
  double degrade_from = 0.5;  // share of the capacity, 0..1
  // Longest time in the queue, whatever the deadline; > 0.
  Duration max_age = std::chrono::seconds(60);
  // For tasks whose request, model and realtime level say nothing.
  Duration budget = std::chrono::milliseconds(500);
};

// A task's rank in its flow is its arrival moved by these. Smaller first. The first three are R4's,
// for ordering `score`.
struct ScoreWeights {
  // Each step of priority counts like this much later arrival (α); ≥ 0.
  Duration per_priority = std::chrono::milliseconds(50);
  // Each unit of expected service counts like this many units of later arrival (β); ≥ 0.
  double per_expected_service = 0.5;
  // A kind that was always dropped ranks as if it had come this much earlier (γ); ≥ 0.
  Duration per_drop_share = std::chrono::milliseconds(50);
  // Ordering `shortest`: each unit of expected service counts like so many units of later arrival;
  // ≥ 0. More is nearer to shortest first, less to first come; it bounds how long the long wait.
  double shortest_service = 10;
};

struct PredictorOptions {
  // Weight of the newest sample in the moving averages; 0 < x ≤ 1.
  double alpha = 0.1;
  // Fewer samples than this are not enough to refuse anybody by.
  std::uint32_t min_samples = 5;
  // An estimate with no newer sample fades to unknown: it refuses nobody. Short, because while it
  // refuses everybody nothing new is measured: one bad moment closes a model for this long.
  Duration fresh_for = std::chrono::seconds(2);
  // Service times to assume before any was measured: light, medium, heavy.
  std::array<Duration, kWeightClasses> prior{
      std::chrono::milliseconds(5), std::chrono::milliseconds(30), std::chrono::milliseconds(200)};
};

// R29: attempts at one task, the first included, and how many retries all of them may make.
struct RetryOptions {
  std::uint32_t most_attempts = 3;  // 1..Task::kMostTried + 1; 1: no retries
  RetryBudgetOptions budget;
};

// R15: a task of the high lane that would be late takes the slot of a running task of the low lane.
struct PreemptionOptions {
  // How often one task may lose its slot; 0: never.
  std::uint32_t most = 1;
};

// R16: what has waited too long in the low lane in spite of the lane's boost moves to the one
// above.
struct PromotionOptions {
  Duration after = std::chrono::seconds(4);  // > 0
  // Share of all slots that may be waited for by promoted tasks at once, at least one task; 0: none
  // is promoted.
  double most_share = 0.05;
};

// A node that has become ready is not flooded: it starts with few attempts in flight, and gets one
// more with each success until it has all of its credits. Under adaptive policies.
struct SlowStartOptions {
  bool enabled = true;
  std::uint32_t attempts = 1;  // at first, ≥ 1
  // The first report of a node that is ready makes it start slowly when it comes so long after the
  // first of all: it has joined. Sooner, it was up before its scheduler was.
  Duration joins_after = std::chrono::seconds(10);
};

struct Options {
  std::uint64_t seed = 1;
  std::vector<std::string> task_types;
  std::vector<ModelOptions> models;
  std::vector<NodeOptions> nodes;
  // The first is who a request without a known tenant belongs to; never empty.
  std::vector<TenantOptions> tenants{{.name = "default"}};
  PriorityTable priorities = PriorityTable::defaults();
  // Budget by realtime level (high, medium, low) for requests and models that name none.
  std::array<std::optional<Duration>, kRealtimes> realtime_budget{
      std::chrono::milliseconds(100), std::chrono::milliseconds(500), std::chrono::seconds(5)};
  std::array<LaneOptions, kLanes> lanes{
      LaneOptions{.weight = 16, .budget = std::chrono::milliseconds(100)},
      LaneOptions{.weight = 4, .budget = std::chrono::milliseconds(500)},
      LaneOptions{.weight = 1, .budget = std::chrono::seconds(5)}};
  Policy policy = Policy::sluice();
  ScoreWeights score;
  PredictorOptions predictor;
  PlacementOptions placement;
  SlowStartOptions slow_start;
  // Names of the paths, hot first (R28); none: all nodes are on one. Under adaptive policies.
  std::vector<std::string> paths;
  PathOptions path;
  BreakerOptions breaker;
  RetryOptions retry;
  PreemptionOptions preemption;
  PromotionOptions promotion;
  // In order; they can be changed while the scheduler runs (RuleChange).
  std::vector<Rule> rules;
  RuleLimits rule_limits;
  // The built-in rule, after all others, where the policy adapts: a task of the high lane that is
  // predicted to take a device for so long goes to the lane below. Absent: it does not.
  std::optional<Duration> large_task = std::chrono::seconds(2);
  ResidencyOptions residency;
  ControlOptions control;
};

}  // namespace sluice::core
