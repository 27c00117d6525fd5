#include <chrono>

#include <gtest/gtest.h>

#include "unit/config/serve/reading.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

TEST(LanesSection, EachLaneKeepsWhatIsNotSaid) {
  const auto lanes = read_with(
                         "lanes:\n"
                         "  low: {weight: 0.5, capacity: 7, capacity_bytes: 1MiB, max_age: 1h,\n"
                         "        budget: 9s}\n"
                         "  latency: {weight: 3}\n")
                         .core.lanes;
  const core::Options defaults;
  EXPECT_EQ(lanes[0].weight, defaults.lanes[0].weight);
  EXPECT_EQ(lanes[1].weight, 3);
  EXPECT_EQ(lanes[1].budget, defaults.lanes[1].budget);
  EXPECT_EQ(lanes[2].weight, 0.5);
  EXPECT_EQ(lanes[2].capacity, 7U);
  EXPECT_EQ(lanes[2].capacity_bytes, 1U << 20);
  EXPECT_EQ(lanes[2].max_age, Duration(1h));
  EXPECT_EQ(lanes[2].budget, Duration(9s));
}

TEST(LanesSection, RefusesALaneThatIsNone) {
  EXPECT_EQ(error_with("lanes: {medium: {weight: 1}}\n"),
            "sluice.yaml:4: lanes.medium: unknown key; allowed: high, latency, low");
  EXPECT_EQ(error_with("lanes: {high: {weight: 0}}\n"),
            "sluice.yaml:4: lanes.high.weight: \"0\" is out of bounds; write 0.001 to 1000");
}

TEST(BudgetsSection, ALevelMayHaveNone) {
  const auto budgets =
      read_with("realtime_budgets: {high: 50ms, low: none}\n").core.realtime_budget;
  EXPECT_EQ(budgets[0], Duration(50ms));
  EXPECT_EQ(budgets[1], core::Options().realtime_budget[1]);
  EXPECT_EQ(budgets[2], std::nullopt);
}

TEST(PolicySection, IsANameOrAMixture) {
  EXPECT_EQ(read_with("").core.policy.name, "sluice");
  const core::Policy edf = read_with("policy: edf\n").core.policy;
  EXPECT_EQ(edf.name, "edf");
  EXPECT_EQ(edf.ordering, core::Ordering::kDeadline);

  const core::Policy mixed =
      read_with(
          "policy: {name: fifo, ordering: priority, binding: late, placement: power-of-two}\n")
          .core.policy;
  EXPECT_EQ(mixed.name, "fifo");
  EXPECT_EQ(mixed.ordering, core::Ordering::kPriority);
  EXPECT_EQ(mixed.binding, core::Binding::kLate);
  EXPECT_EQ(mixed.placement, core::PlacementKind::kPowerOfTwo);
  EXPECT_EQ(mixed.admission, core::Admission::kCapacityOnly);
}

TEST(PolicySection, SaysWhichPoliciesThereAre) {
  EXPECT_EQ(error_with("policy: lifo\n"),
            "sluice.yaml:4: policy: \"lifo\" is not one of sluice, fifo, fixed-priority, edf, "
            "least-outstanding, random, power-of-two, join-shortest-expected");
  EXPECT_EQ(error_with("policy: {binding: early}\n"),
            "sluice.yaml:4: policy.binding: \"early\" is not one of late, early-round-robin");
}

TEST(TuningSections, ReachTheCore) {
  const core::Options core = read_with(
                                 "score: {per_priority: 0, per_expected_service: 2, "
                                 "per_drop_share: 1ms}\n"
                                 "predictor: {alpha: 1, min_samples: 3, fresh_for: 1min,\n"
                                 "  prior: {light: 1ms, heavy: 2s}}\n")
                                 .core;
  EXPECT_EQ(core.score.per_priority, Duration(0));
  EXPECT_EQ(core.score.per_expected_service, 2);
  EXPECT_EQ(core.score.per_drop_share, Duration(1ms));
  EXPECT_EQ(core.predictor.alpha, 1);
  EXPECT_EQ(core.predictor.min_samples, 3U);
  EXPECT_EQ(core.predictor.fresh_for, Duration(1min));
  EXPECT_EQ(core.predictor.prior[0], Duration(1ms));
  EXPECT_EQ(core.predictor.prior[1], core::PredictorOptions().prior[1]);
  EXPECT_EQ(core.predictor.prior[2], Duration(2s));
}

}  // namespace
}  // namespace sluice::config
