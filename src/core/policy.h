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
//   slack     least slack at entry: deadline less expected service, the latest moment to begin. As
//             deadline, but a long task is not begun when only a short one could still be in time.
//             Fixed at entry, so not least laxity of those that run (Mok 1983): nothing thrashes.
//   shortest  shortest expected service first, which makes the mean wait least (Smith 1956), aged
//             linearly so that nothing starves: a task is passed only by those that come less than
//             `shortest_service` × (its own expected service) after it. Blind to urgency.
enum class Ordering : std::uint8_t { kScore, kArrival, kPriority, kDeadline, kSlack, kShortest };

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

// Which of the open nodes that may run a task runs it, where binding is late. All pass over
// replicas whose breaker is open, nodes that are kept for urgent tasks, and, while there are
// others, those where the task has failed. Where deadlines are minded, a node that would be late
// gives way to one that is in time, free or busy. Beyond 32 open nodes, of a sample of 8.
//   finish-first       predicted to finish first: round trip + queue there + service. Best while
//   the
//                      predictions are; sees nothing of what others send to the node.
//   score              R21: the time left against the time needed, and how free the node is by its
//                      own figures and our counts. Spares nodes that others use, too; keeps work
//                      from the fastest ones when these are busiest. Best, or one of the best few
//                      by lot, where many schedulers would all run to the same node.
//   random             any. No state, no herd, and the widest spread of waits.
//   least-outstanding  fewest attempts in flight ÷ slots, ties by lot: least connections of HAProxy
//                      and nginx. Good where nodes and requests are alike; a slow node looks
//                      as good as a fast one.
//   power-of-two       of two drawn by lot the one with fewer in flight ÷ slots (Mitzenmacher
//   2001).
//                      Nearly as good as the least of all, and does not herd on old figures.
//   shortest-expected  join the shortest expected queue: attempts in flight × the node's mean
//   service
//                      ÷ slots + the task's own there, ties by lot. Knows speed, not distance.
enum class PlacementKind : std::uint8_t {
  kFinishFirst,
  kScore,
  kRandom,
  kLeastOutstanding,
  kPowerOfTwo,
  kShortestExpected
};

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
inline constexpr std::array<std::string_view, 6> kOrderingNames{"score",    "arrival", "priority",
                                                                "deadline", "slack",   "shortest"};
inline constexpr std::array<std::string_view, 2> kLaneServiceNames{"weighted", "merged"};
inline constexpr std::array<std::string_view, 2> kFairnessNames{"tenants", "none"};
inline constexpr std::array<std::string_view, 6> kPlacementNames{
    "finish-first", "score", "random", "least-outstanding", "power-of-two", "shortest-expected"};
inline constexpr std::array<std::string_view, 2> kBindingNames{"late", "early-round-robin"};
inline constexpr std::array<std::string_view, 2> kAdmissionNames{"predictive", "capacity-only"};
inline constexpr std::array<std::string_view, 2> kReclaimNames{"at-deadline", "at-max-age"};

struct Policy {
  std::string_view name;  // of the row it came from; static storage
  Ordering ordering = Ordering::kScore;
  LaneServiceKind lane_service = LaneServiceKind::kWeighted;
  Fairness fairness = Fairness::kTenants;
  Binding binding = Binding::kLate;
  PlacementKind placement = PlacementKind::kFinishFirst;
  Admission admission = Admission::kPredictive;
  Reclaim reclaim = Reclaim::kAtDeadline;
  Control control = Control::kAdaptive;

  static constexpr Policy sluice() { return {.name = "sluice"}; }
  // One central queue, first come, first served, and this choice of node.
  static constexpr Policy balancer(std::string_view name, PlacementKind placement) {
    return {.name = name,
            .ordering = Ordering::kArrival,
            .lane_service = LaneServiceKind::kMerged,
            .fairness = Fairness::kNone,
            .binding = Binding::kLate,
            .placement = placement,
            .admission = Admission::kCapacityOnly,
            .reclaim = Reclaim::kAtMaxAge,
            .control = Control::kStatic};
  }
};

inline constexpr std::array<Policy, 8> kPolicies{
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
    // Balancers that know more of their nodes than whose turn it is.
    Policy::balancer("least-outstanding", PlacementKind::kLeastOutstanding),
    Policy::balancer("random", PlacementKind::kRandom),
    Policy::balancer("power-of-two", PlacementKind::kPowerOfTwo),
    Policy::balancer("join-shortest-expected", PlacementKind::kShortestExpected),
};

constexpr std::optional<Policy> policy_named(std::string_view name) {
  for (const Policy& p : kPolicies) {
    if (p.name == name) return p;
  }
  return std::nullopt;
}

}  // namespace sluice::core
