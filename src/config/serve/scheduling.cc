#include <algorithm>
#include <array>
#include <chrono>

#include "config/serve/sections.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLongest = 24h;

void read_lane(Fields& f, core::LaneOptions& out) {
  f.optional("weight", number(0.001, 1000), out.weight,
             "Share of device time against the other lanes when all are backlogged");
  f.optional("capacity", count(1, 10'000'000), out.capacity, "Most requests waiting");
  f.optional("capacity_bytes", bytes(1, std::uint64_t{1} << 40), out.capacity_bytes,
             "Most bytes of bodies waiting");
  f.optional("saturation", one_of<core::Saturation>(core::kSaturationNames), out.saturation,
             "When it is full: refuse what comes, let go whichever has the least slack, or answer "
             "by smaller models before it is (degrade_to of the model)");
  f.optional("degrade_from", share(), out.degrade_from,
             "Of the capacity: from here on what comes is degraded");
  f.optional("max_age", duration(1ms, kLongest), out.max_age,
             "Longest time in the queue, whatever the budget");
  f.optional("budget", duration(1ms, kLongest), out.budget,
             "Where request, model and realtime level say nothing");
}

Kind<core::Policy> policy_name() {
  std::array<std::string_view, core::kPolicies.size()> names;
  std::transform(core::kPolicies.begin(), core::kPolicies.end(), names.begin(),
                 [](const core::Policy& policy) { return policy.name; });
  return {.name = list_names(names),
          .example = "",
          .bounds = "",
          .parse = core::policy_named,
          .within = [](const core::Policy&) { return true; },
          .format = [](const core::Policy& policy) { return std::string(policy.name); }};
}

void read_strategies(Fields& f, core::Policy& out) {
  f.optional("name", policy_name(), out, "Where the strategies below are taken from");
  f.optional("ordering", one_of<core::Ordering>(core::kOrderingNames), out.ordering,
             "Which request of a flow is next");
  f.optional("lane_service", one_of<core::LaneServiceKind>(core::kLaneServiceNames),
             out.lane_service, "Which lane is next");
  f.optional("fairness", one_of<core::Fairness>(core::kFairnessNames), out.fairness,
             "Who is next among the tenants of a lane");
  f.optional("binding", one_of<core::Binding>(core::kBindingNames), out.binding,
             "When a request is bound to a replica");
  f.optional("placement", one_of<core::PlacementKind>(core::kPlacementNames), out.placement,
             "Which of the replicas that have room");
  f.optional("admission", one_of<core::Admission>(core::kAdmissionNames), out.admission,
             "Whether what cannot be done in budget is refused on arrival");
  f.optional("control", one_of<core::Control>(core::kControlNames), out.control,
             "Whether the control loop, breakers, reserves and retries act");
  f.optional("reclaim", one_of<core::Reclaim>(core::kReclaimNames), out.reclaim,
             "When a waiting request is given up");
}

}  // namespace

void read_budgets(Fields& root, core::Options& out) {
  const auto budget = or_word(duration(1ms, kLongest), "none");
  root.map("realtime_budgets",
           "Budgets by realtime level, where request and model name none; with none, the lane's",
           [&](Fields& f) {
             for (std::size_t i = 0; i < core::kRealtimes; ++i) {
               const std::string_view level = core::kRealtimeNames[i];
               f.optional(level, budget, out.realtime_budget[i],
                          "For realtime level " + std::string(level));
             }
           });
}

void read_lanes(Fields& root, core::Options& out) {
  root.map("lanes", "The three queues: priorities 0 to 2, 3 to 6 and 7 to 9", [&](Fields& f) {
    for (std::size_t i = 0; i < core::kLanes; ++i) {
      const std::string_view lane = core::kLaneNames[i];
      f.map(lane, "The " + std::string(lane) + " lane",
            [&](Fields& inner) { read_lane(inner, out.lanes[i]); });
    }
  });
}

void read_policy(Fields& root, core::Policy& out) {
  root.scalar_or_map("policy", policy_name(), out, "How requests are scheduled",
                     [&](Fields& f) { read_strategies(f, out); });
}

void read_score(Fields& root, core::ScoreWeights& out) {
  root.map("score",
           "Order within a flow under orderings \"score\" and \"shortest\": arrival moved by these",
           [&](Fields& f) {
             f.optional("per_priority", duration(0s, 1h), out.per_priority,
                        "Each step of priority counts like so much later arrival");
             f.optional("per_expected_service", number(0, 1000), out.per_expected_service,
                        "Expected service counts so many times as later arrival");
             f.optional("per_drop_share", duration(0s, 1h), out.per_drop_share,
                        "What was always dropped counts like so much earlier arrival");
             f.optional("shortest_service", number(0, 1000), out.shortest_service,
                        "Only for ordering \"shortest\", instead of the others: expected service "
                        "counts so many times as later arrival");
           });
}

void read_predictor(Fields& root, core::PredictorOptions& out) {
  root.map("predictor", "How service times are learnt", [&](Fields& f) {
    f.optional("alpha", number(0.001, 1), out.alpha, "Weight of the newest sample in the averages");
    f.optional("min_samples", count(1, 1'000'000), out.min_samples,
               "Samples before anything is refused by them");
    f.optional("fresh_for", duration(1ms, kLongest), out.fresh_for,
               "Without a newer sample, an estimate refuses nobody after so long");
    f.map("prior", "Service times to assume before any was measured", [&](Fields& prior) {
      for (std::size_t i = 0; i < core::kWeightClasses; ++i) {
        const std::string_view weight = core::kWeightClassNames[i];
        prior.optional(weight, duration(1us, kLongest), out.prior[i],
                       "For weight class " + std::string(weight));
      }
    });
  });
}

}  // namespace sluice::config
