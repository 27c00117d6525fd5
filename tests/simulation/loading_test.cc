// Models that come and go, over time: cold starts that are shared, failures, eviction, and models
// that nobody asks for.
#include <gtest/gtest.h>

#include "support/virtual_cluster.h"

namespace sluice::test {
namespace {

using namespace core;
using namespace std::chrono_literals;

Options managed(std::uint32_t models, std::uint32_t nodes, std::uint32_t slots,
                std::uint64_t memory) {
  Options options = simple_options(models, nodes, slots);
  for (ModelOptions& model : options.models) model.memory_bytes = 1;
  for (NodeOptions& node : options.nodes) {
    node.managed = true;
    node.memory_bytes = memory;
  }
  return options;
}

Labels asking(std::uint32_t model, Priority priority, Duration budget) {
  return {.model = ModelId{model}, .tenant = TenantId{0}, .priority = priority, .budget = budget};
}

TEST(LoadingSimulation, TenConcurrentTasksShareOneColdStart) {
  VirtualCluster cluster(managed(1, 4, 4, 1), {.service = {10ms}, .load = 700ms});
  all_ready(cluster);
  for (int i = 0; i < 10; ++i) cluster.submit_at(TimePoint{1s}, asking(0, 3, 5s));
  cluster.run();
  EXPECT_EQ(cluster.loads(), 1u);
  EXPECT_EQ(cluster.count(Outcome::kCompleted), 10u);
  for (const auto& [id, ended] : cluster.ended()) EXPECT_GE(ended.finish.waited, 700ms);
}

TEST(LoadingSimulation, FailedLoadsAreTriedElsewhereUntilOneSucceeds) {
  VirtualCluster cluster(managed(3, 4, 2, 3),
                         {.seed = 5, .service = {10ms, 10ms, 10ms}, .load_failure_share = 0.5});
  all_ready(cluster);
  for (int i = 0; i < 300; ++i) {
    cluster.submit_at(TimePoint{1s} + i * 10ms, asking(static_cast<std::uint32_t>(i) % 3, 5, 1min));
  }
  cluster.replay_noise(true);
  cluster.run();
  EXPECT_EQ(cluster.count(Outcome::kCompleted), 300u);
  EXPECT_GT(cluster.loads(), 3u);
  EXPECT_LT(cluster.loads(), 30u);
}

// Ten models by turns, room for two on each of two nodes: the one that is asked for finds its
// place.
TEST(LoadingSimulation, ModelsTakeTurnsInTheMemoryThatThereIs) {
  VirtualCluster cluster(managed(10, 2, 2, 2), {.service = std::vector<Duration>(10, 10ms)});
  all_ready(cluster);
  for (std::uint32_t turn = 0; turn < 20; ++turn) {
    for (int i = 0; i < 20; ++i) {
      cluster.submit_at(TimePoint{1s} + turn * 15s + i * 50ms, asking(turn % 10, 8, 20s));
    }
  }
  cluster.run();
  EXPECT_EQ(cluster.count(Outcome::kCompleted), 400u);
  EXPECT_GE(cluster.loads(), 20u);
  EXPECT_GE(cluster.unloads(), 16u);
  EXPECT_LE(cluster.loads(), 40u);
}

// An urgent request comes to a node that is full of a busy model of the low lane.
TEST(LoadingSimulation, AnUrgentTaskBreaksIntoABusyNode) {
  Options options = managed(2, 1, 1, 1);
  VirtualCluster cluster(options, {.service = {50ms, 5ms}});
  all_ready(cluster);
  for (int i = 0; i < 400; ++i) cluster.submit_at(TimePoint{1s} + i * 25ms, asking(0, 9, 1min));
  cluster.submit_at(TimePoint{3s}, asking(1, 0, 2s));
  cluster.run();
  const Ended& urgent = cluster.ended().at(400);
  EXPECT_TRUE(urgent.in_budget());
  EXPECT_LE(urgent.finish.waited, 700ms);
  EXPECT_GT(cluster.count(Outcome::kCompleted), 300u);
}

// Nothing is done for them, and nobody is woken for their sake.
TEST(LoadingSimulation, ModelsThatNobodyAsksForCauseNoEvents) {
  const auto events_with = [](std::uint32_t models, bool loaded) {
    Options options = managed(models, 4, 4, 1'001);
    VirtualCluster cluster(options, {.service = std::vector<Duration>(models, 10ms)});
    all_ready(cluster);
    for (std::uint32_t m = 0; loaded && m < models; ++m)
      cluster.load_at(TimePoint{500ms}, {0}, {m});
    cluster.run_until(TimePoint{900ms});
    const std::uint64_t before = cluster.events();
    for (int i = 0; i < 2'000; ++i) cluster.submit_at(TimePoint{1s} + i * 5ms, asking(0, 5, 1s));
    cluster.run();
    EXPECT_EQ(cluster.scheduler().next_wakeup(), kNever);
    EXPECT_EQ(cluster.count(Outcome::kCompleted), 2'000u);
    return cluster.events() - before;
  };
  EXPECT_EQ(events_with(1'001, true), events_with(1, true));
  EXPECT_EQ(events_with(1'001, false), events_with(1, false));
}

// Far more is wanted than there is memory for, with failures and nodes that come and go. Whether
// all promises hold is checked with every step.
TEST(LoadingSimulation, ThrashingBreaksNoPromise) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Options options = managed(30, 4, 2, 3);
    for (std::uint32_t m = 0; m < 30; ++m) {
      options.models[m].memory_bytes = 1 + m % 3;
      options.models[m].warm_replicas = m % 3;
    }
    options.models[0].reserved_bytes = 1;
    options.residency.idle = 500ms;
    VirtualCluster cluster(options, {.seed = seed,
                                     .service = std::vector<Duration>(30, 20ms),
                                     .one_way = 1ms,
                                     .load = 300ms,
                                     .load_failure_share = 0.2});
    all_ready(cluster);
    Random random(seed);
    for (int i = 0; i < 4'000; ++i) {
      cluster.submit_at(TimePoint{1s} + i * 5ms,
                        asking(random.below(30), static_cast<Priority>(random.below(10)), 3s));
    }
    cluster.run();
    EXPECT_EQ(cluster.scheduler().counters().ended(), 4'000u);
    EXPECT_GT(cluster.count(Outcome::kCompleted), 500u) << seed;
  }
}

}  // namespace
}  // namespace sluice::test
