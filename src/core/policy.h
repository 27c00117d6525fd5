// A policy is a choice of one strategy for each question the scheduler asks. Named policies are
// rows of a table, so what people run today is one configuration line away from what we think is
// better, and every mixture between the two can be tried.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice::core {

// Which task of a flow is next. Smaller key first; equal keys by arrival.
//   score     R4: priority, expected service and drop history as spans of time added to the
//             arrival. Ages by itself; no task waits for more than the largest span's worth of
//             later ones.
//   arrival   first come, first served. Fair and blind.
//   priority  most urgent first, then arrival. Starves the rest under overload.
//   deadline  earliest deadline first. Optimal below capacity (Liu and Layland 1973), collapses
//             above it unless the hopeless are refused.
enum class Ordering : std::uint8_t { kScore, kArrival, kPriority, kDeadline };

// Which lane is next.
//   weighted  shares of device time by weight while all are backlogged; an urgent lane that uses
//             less than its share is served at once.
//   merged    no lanes: the smallest key of all flows.
enum class LaneServiceKind : std::uint8_t { kWeighted, kMerged };

// Who is next among the tenants of a lane that wait for the same nodes.
//   tenants  weighted shares of device time between those that are backlogged (R32); the order
//            holds within each.
//   none     one order for all: who sends more gets more.
enum class Fairness : std::uint8_t { kTenants, kNone };

// When a task is bound to a node.
//   late   when a credit is free, to the best candidate: a later, more urgent task can still pass.
//   early  on arrival, round robin over the model's ready nodes, and never moved again: what a
//          load balancer without a central queue does.
enum class Binding : std::uint8_t { kLate, kEarlyRoundRobin };

// Whether a task that no candidate is predicted to finish in budget is refused on arrival (R20).
enum class Admission : std::uint8_t { kPredictive, kCapacityOnly };

// Whether a task leaves the queue when its deadline passes (R17), or only at its lane's maximum
// age, as where nobody knows of deadlines.
enum class Reclaim : std::uint8_t { kAtDeadline, kAtMaxAge };

// Whether what is seen changes how the next tasks are treated: the control loop, breakers, retries,
// reserves and preemption.
enum class Control : std::uint8_t { kAdaptive, kStatic };

inline constexpr std::array<std::string_view, 2> kControlNames{"adaptive", "static"};
inline constexpr std::array<std::string_view, 4> kOrderingNames{"score", "arrival", "priority",
                                                                "deadline"};
inline constexpr std::array<std::string_view, 2> kLaneServiceNames{"weighted", "merged"};
inline constexpr std::array<std::string_view, 2> kFairnessNames{"tenants", "none"};
inline constexpr std::array<std::string_view, 2> kBindingNames{"late", "early-round-robin"};
inline constexpr std::array<std::string_view, 2> kAdmissionNames{"predictive", "capacity-only"};
inline constexpr std::array<std::string_view, 2> kReclaimNames{"at-deadline", "at-max-age"};

struct Policy {
  std::string_view name;  // of the row it came from; static storage
  Ordering ordering = Ordering::kScore;
  LaneServiceKind lane_service = LaneServiceKind::kWeighted;
  Fairness fairness = Fairness::kTenants;
  Binding binding = Binding::kLate;
  Admission admission = Admission::kPredictive;
  Reclaim reclaim = Reclaim::kAtDeadline;
  Control control = Control::kAdaptive;

  static constexpr Policy sluice() { return {.name = "sluice"}; }
};

inline constexpr std::array<Policy, 4> kPolicies{
    Policy::sluice(),
    // What people have in front of replicas today: a balancer that hands requests round, and a
    // first-come queue before each replica.
    Policy{.name = "fifo",
           .ordering = Ordering::kArrival,
           .lane_service = LaneServiceKind::kMerged,
           .fairness = Fairness::kNone,
           .binding = Binding::kEarlyRoundRobin,
           .admission = Admission::kCapacityOnly,
           .reclaim = Reclaim::kAtMaxAge,
           .control = Control::kStatic},
    // Static priorities before each replica, as in Triton or HAProxy's priority class.
    Policy{.name = "fixed-priority",
           .ordering = Ordering::kPriority,
           .lane_service = LaneServiceKind::kMerged,
           .fairness = Fairness::kNone,
           .binding = Binding::kEarlyRoundRobin,
           .admission = Admission::kCapacityOnly,
           .reclaim = Reclaim::kAtMaxAge,
           .control = Control::kStatic},
    // Central earliest deadline first.
    Policy{.name = "edf",
           .ordering = Ordering::kDeadline,
           .lane_service = LaneServiceKind::kMerged,
           .fairness = Fairness::kNone,
           .binding = Binding::kLate,
           .admission = Admission::kPredictive,
           .reclaim = Reclaim::kAtDeadline,
           .control = Control::kStatic},
};

constexpr std::optional<Policy> policy_named(std::string_view name) {
  for (const Policy& p : kPolicies) {
    if (p.name == name) return p;
  }
  return std::nullopt;
}

}  // namespace sluice::core
