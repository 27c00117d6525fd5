// Where the time alone decides, candidates are looked at the short way: it must not say anything
// else than the long one.
#include <gtest/gtest.h>

#include "base/random.h"
#include "core/placement/placement.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow{100s};
constexpr ModelId kModel{0};

class Choices : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  // Few kinds, or none, so that replicas know of each other, or do not.
  static Options cluster(Random& drawn) {
    Options options;
    options.task_types = {"image"};
    options.models = {{.name = "m", .task_type = TaskTypeId{0}}};
    const std::uint32_t nodes = 1 + drawn.below(12);
    for (std::uint32_t n = 0; n < nodes; ++n) {
      const std::uint32_t kind = drawn.below(3);
      options.nodes.push_back({.kind = kind == 0 ? "" : "k" + std::to_string(kind),
                               .models = {kModel},
                               .slots = 1 + drawn.below(3),
                               .credits = 4,
                               .round_trip = std::chrono::milliseconds(drawn.below(3))});
    }
    return options;
  }

  void live() {
    std::uint32_t attempts = 0;
    for (std::uint32_t n = 0; n < options.nodes.size(); ++n) {
      placement.report(NodeId{n}, random.below(4) > 0, std::nullopt, kNow);
      for (std::uint32_t i = random.below(30); i > 0; --i) {
        const Attempt done{.node = NodeId{n},
                           .model = kModel,
                           .size_bytes = random.below(5) * 1'000,
                           .replica = eligibility.replica(kModel, NodeId{n})};
        placement.learn(done, std::chrono::milliseconds(1 + random.below(20)), kNow);
      }
      for (std::uint32_t i = random.below(4); i > 0 && placement.node({n}).open(); --i) {
        Attempt attempt{.node = NodeId{n}, .model = kModel, .lane = Lane::kHigh};
        placement.begin(NodeId{n}, attempts++, attempt, kNow);
      }
    }
  }

  Random random{GetParam()};
  Options options = cluster(random);
  Eligibility eligibility{options};
  Flows flows{eligibility.class_count(), 1, 1, 100};
  Residency residency{options, eligibility};
  Placement placement{options, eligibility, residency, flows};
};

TEST_P(Choices, TheSoonestByTimeAloneIsTheSoonestOfAll) {
  live();
  const ClassId klass = eligibility.class_of(kModel, 0);
  for (const std::uint64_t size : {0, 1'500, 4'000, 1'000'000}) {
    Task task;
    task.model = kModel;
    task.size_bytes = size;
    task.deadline = kNow + 1s;
    task.prior_service = 5ms;
    Task looked_into = task;
    looked_into.tried[0] = NodeId{77};  // nowhere here: changes nothing but the way
    const auto brief = placement.best_ready(task, klass, kNow);
    const auto whole = placement.best_ready(looked_into, klass, kNow);
    ASSERT_EQ(brief.has_value(), whole.has_value());
    if (!brief) continue;
    EXPECT_EQ(brief->until_slot, whole->until_slot);
    EXPECT_EQ(brief->service, whole->service);
    EXPECT_EQ(brief->p95, whole->p95);
    EXPECT_EQ(brief->trusted, whole->trusted);
  }
}

// What one node promises, which is never more than the best one does; and the best one again as
// soon as all have been asked anew.
TEST_P(Choices, AGoodOneIsNeverSoonerThanTheBest) {
  live();
  const ClassId klass = eligibility.class_of(kModel, 0);
  Task task;
  task.model = kModel;
  task.deadline = kNow + 1s;
  task.prior_service = 5ms;
  std::size_t best_ones = 0;
  for (std::size_t i = 0; i < options.nodes.size() * 3; ++i) {
    task.size_bytes = random.below(5) * 1'000;
    const auto good = placement.good_ready(task, klass, kNow);
    const auto best = placement.best_ready(task, klass, kNow);
    ASSERT_EQ(good.has_value(), best.has_value());
    if (!good) continue;
    EXPECT_GE(good->total(), best->total());
    best_ones += good->total() == best->total() ? 1 : 0;
  }
  EXPECT_TRUE(best_ones >= 3 || !placement.ready(klass));
}

INSTANTIATE_TEST_SUITE_P(Seeds, Choices, ::testing::Range<std::uint64_t>(1, 101));

// Beyond 32 nodes a sample is looked at, but of every kind: two fast ones among a hundred slow ones
// are always seen, and so is a kind of one node.
TEST(Sampling, SeesEveryKindOfNode) {
  Options options;
  options.task_types = {"image"};
  options.models = {{.name = "m", .task_type = TaskTypeId{0}}};
  options.nodes.resize(100, {.kind = "slow", .models = {kModel}});
  options.nodes.resize(102, {.kind = "fast", .models = {kModel}});
  const Eligibility eligibility(options);
  Flows flows(eligibility.class_count(), 1, 1, 100);
  const Residency residency(options, eligibility);
  Placement placement(options, eligibility, residency, flows);
  for (std::uint32_t n = 0; n < 102; ++n) {
    placement.report(NodeId{n}, true, std::nullopt, kNow);
    const Attempt done{.node = NodeId{n}, .model = kModel, .replica = n};
    for (int i = 0; i < 5; ++i) placement.learn(done, n < 100 ? 500ms : 1ms, kNow);
  }
  Task task;
  task.model = kModel;
  task.arrival = kNow;
  task.deadline = kNow + 100ms;
  const ClassId klass = eligibility.class_of(kModel, 0);
  for (int i = 0; i < 100; ++i) {
    const Choice choice = placement.choose(task, klass, kNow, true);
    ASSERT_EQ(choice.verdict, Verdict::kRun);
    ASSERT_GE(choice.node.value, 100u);
  }
}

}  // namespace
}  // namespace sluice::core
