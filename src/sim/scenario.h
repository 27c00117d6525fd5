// A world and what happens in it: what a scenario file says, as plain data. Indexes refer to the
// lists of the scenario itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "core/labels.h"
#include "core/options.h"
#include "workload/rate_curve.h"

namespace sluice::sim {

struct Model {
  std::string name;
  core::WeightClass weight = core::WeightClass::kMedium;
  double memory_bytes = 0;
  // The rest matters on nodes that are managed.
  Duration load_time = std::chrono::seconds(1);  // mean
  double load_failures = 0;                      // share of the loads that fail
  double reserved_bytes = 0;                     // of each node's memory
  std::uint32_t warm_replicas = 1;
};

// A way between gateway and node, one way, uniform, drawn for each message.
struct Path {
  std::string name;
  Duration least{0};
  Duration most{0};
};

struct NodeKind {
  std::string name;
  std::uint32_t slots = 1;  // parallel executions, shared by all models of a node
  double memory_bytes = 0;  // 0: not told
  // Its nodes begin with no model in memory, and load what they are told to load. Otherwise all are
  // there always.
  bool managed = false;
  std::size_t path = 0;
  std::optional<std::size_t> count;  // of nodes, where the file tells it
  // Whether an execution stops when word comes that nobody waits for it.
  core::CancelMode cancel = core::CancelMode::kIgnored;
};

struct Node {
  std::string name;
  std::size_t kind = 0;
  std::vector<std::size_t> models;  // ascending
};

enum class ServiceDistribution : std::uint8_t { kConstant, kLognormal, kExponential };
inline constexpr std::array<std::string_view, 3> kServiceDistributionNames{"constant", "lognormal",
                                                                           "exponential"};

// How long one execution takes on one slot; independent draws.
struct ServiceTimes {
  ServiceDistribution distribution = ServiceDistribution::kLognormal;
  std::vector<double> cv;  // by model
  // By model and kind of node; absent where the kind cannot run the model.
  std::vector<std::vector<std::optional<Duration>>> mean;
};

struct LaneRules {
  Duration budget{0};
  Duration client_timeout{0};             // from arrival; then the caller leaves
  std::optional<Duration> starved_after;  // only low-lane tasks are counted as starved
};

enum class ArrivalProcess : std::uint8_t { kConstant, kPoisson, kGamma };
inline constexpr std::array<std::string_view, 3> kArrivalProcessNames{"constant", "poisson",
                                                                      "gamma"};

// In every whole interval the rate is multiplied by one factor drawn anew: lognormal of mean 1.
struct Modulation {
  double cv = 0;  // 0: none
  Duration interval = std::chrono::seconds(1);
  double cap = 2.5;
};

enum class SpellLengths : std::uint8_t { kConstant, kExponential };
inline constexpr std::array<std::string_view, 2> kSpellLengthNames{"constant", "exponential"};

// The rate is multiplied by one factor for a spell, then by the other: on and off (1 and 0), or
// bursts (5 and 1). With exponential lengths and Poisson arrivals a two-state MMPP.
struct OnOff {
  Duration on = std::chrono::seconds(1);  // mean lengths of the spells, > 0
  Duration off = std::chrono::seconds(1);
  double on_factor = 1;
  double off_factor = 0;
  SpellLengths lengths = SpellLengths::kExponential;
};

struct Arrivals {
  ArrivalProcess process = ArrivalProcess::kPoisson;
  double cv = 2;  // of the gaps, for gamma
  Modulation modulation;
  std::optional<OnOff> on_off;
};

// Callers of one kind. Streams are independent of each other.
struct Stream {
  std::string name;
  std::vector<double> mix;  // by model, relative
  // By model and priority level, relative; levels outside `levels` have weight 0 already.
  std::vector<std::array<double, core::kPriorities>> priority_weights;
  std::vector<double> tenants;  // by tenant, relative; independent of model and priority
  Arrivals arrivals;
  std::vector<workload::Phase> phases;  // one after another from the start; names are unique
};

enum class FaultKind : std::uint8_t {
  kCrash,           // connections break: attempts fail, health checks fail
  kCrashSilent,     // a black hole: what runs or waits there is lost, what comes gets no answer
  kFreeze,          // nothing moves until it ends, then all goes on
  kSlow,            // service times × factor
  kFlap,            // crashes and comes back every `period`
  kLostCompletion,  // a share of the answers never comes back
  kStaleMetrics,    // reports stop changing
  kLyingMetrics,    // reports say idle
  kClockStep,       // the gateway's clock jumps by `step` (forwards or, ignored by the core, back)
  kQuotaServiceAway,  // answers about shared quotas do not come
  kPartition,         // a path between gateway and nodes passes nothing
};
inline constexpr std::array<std::string_view, 11> kFaultKindNames{
    "crash",         "crash_silent",  "freeze",     "slow",       "flap",     "lost_completion",
    "stale_metrics", "lying_metrics", "clock_step", "quota_away", "partition"};

struct Fault {
  FaultKind kind = FaultKind::kCrash;
  Duration at{0};
  std::optional<Duration> until;              // absent: to the end
  std::vector<std::size_t> nodes;             // which it strikes
  double factor = 1;                          // slow
  double share = 1;                           // lost_completion
  Duration period = std::chrono::seconds(5);  // flap
  Duration step{0};                           // clock_step; may be negative
};

struct TenantLimit {
  double rate_rps = 0;
  Duration burst{0};  // bucket size as a time at that rate
};

struct Tenant {
  std::string name;
  core::Tier tier = core::Tier::kBasic;
  std::optional<TenantLimit> limit;  // for policies that have limits
};

// What a replica does with arrivals beyond the node's slots, whatever the policy: they wait at the
// node, lowest level first, then gateway arrival; each replica (a model on a node) up to its bound.
// Full, with all slots busy: the newest waiting of the numerically largest level in that replica's
// queue is rejected if strictly less urgent than the newcomer, else the newcomer is.
struct NodeQueues {
  std::vector<std::uint32_t> bound;  // by model
};

struct Scenario {
  std::string name;
  std::vector<std::uint64_t> seeds;
  std::vector<Model> models;
  std::vector<Path> paths;
  std::vector<NodeKind> kinds;
  std::vector<Node> nodes;
  std::vector<Tenant> tenants;
  ServiceTimes service;
  std::array<LaneRules, core::kLanes> lanes;
  std::vector<Stream> streams;  // at least one
  Duration drain{0};            // after the last arrival; still unanswered afterwards: failed
  NodeQueues queues;
  Duration health_check =
      std::chrono::seconds(10);  // from death to the report of it, fixed-priority
  std::vector<Fault> faults;
  // Of `measure`, by gateway arrival: [begin, end).
  std::optional<std::array<Duration, 2>> window;
  std::optional<std::array<Duration, 2>> background_window;  // for utilisation before the event
  // What the file says of measures beyond the window, by name (reaction_s, rejoin_s, …).
  std::map<std::string, std::string> measures;
};

}  // namespace sluice::sim
