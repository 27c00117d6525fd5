// R26: which replicas take a task, by its priority.
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using Said = SteppedScheduler::Said;

// Node 0 is for the high class, node 1 takes 5 to 9.
Options dedicated() {
  Options options = small_options(1, 2);
  options.nodes[0].service_class = Realtime::kHigh;
  options.nodes[1].accepts = PriorityRange{5, 9};
  options.control.reserve.most_share = 0;
  return options;
}

TEST(Acceptance, TasksGoWhereTheirPriorityIsTaken) {
  SteppedScheduler s(dedicated());
  s.all_ready();
  EXPECT_EQ(s.submit(1, asking(2, 10s)), (Said{"dispatch 1 to 0"}));
  EXPECT_EQ(s.submit(2, asking(2, 10s)), (Said{"queued 2"})) << "the other is idle, and not for it";
  EXPECT_EQ(s.submit(3, asking(5, 10s)), (Said{"dispatch 3 to 1"}));
  EXPECT_EQ(s.submit(4, asking(9, 10s)), (Said{"queued 4"}));
  EXPECT_EQ(s.finish(1), (Said{"finish 1 completed", "dispatch 2 to 0"}));
}

TEST(Acceptance, WhatNoReplicaTakesIsToldSo) {
  SteppedScheduler s(dedicated());
  s.all_ready();
  EXPECT_EQ(s.submit(1, asking(3, 10s)), (Said{"finish 1 refused not_accepted"}));
  EXPECT_EQ(s.finished(1).retry_after, 0ms) << "coming again does not help";
  s.report(0, false);
  EXPECT_EQ(s.submit(2, asking(0, 10s)), (Said{"finish 2 refused no_replica"}));
}

TEST(Acceptance, HoldsWhereBindingIsEarly) {
  Options options = dedicated();
  options.policy = *policy_named("fixed-priority");
  SteppedScheduler s(options);
  s.all_ready();
  EXPECT_EQ(s.submit(1, asking(9, 10s)), (Said{"dispatch 1 to 1"}));
  EXPECT_EQ(s.submit(2, asking(9, 10s)), (Said{"queued 2"}));
  EXPECT_EQ(s.submit(3, asking(0, 10s)), (Said{"dispatch 3 to 0"}));
  EXPECT_EQ(s.submit(4, asking(3, 10s)), (Said{"finish 4 refused not_accepted"}));
}

// The class is that of the priority which the rules leave.
TEST(Acceptance, ARuleThatMovesThePriorityMovesTheReplicas) {
  for (const char* policy : {"sluice", "fifo"}) {
    Options options = dedicated();
    options.policy = *policy_named(policy);
    options.rules = {{.name = "later",
                      .match = {.priority_to = 2},
                      .effect = {.priority = PriorityEffect{PriorityEffect::Kind::kByLanes, 2}}}};
    SteppedScheduler s(options);
    s.all_ready();
    EXPECT_EQ(s.submit(1, asking(0, 10s)), (Said{"dispatch 1 to 1"})) << policy;
  }
}

// R16 moves a task to another queue, not to other replicas.
TEST(Acceptance, APromotedTaskKeepsItsReplicas) {
  Options options = dedicated();
  options.nodes[1].accepts = PriorityRange{7, 9};
  options.nodes.push_back({.models = {ModelId{0}}, .accepts = PriorityRange{3, 6}});
  options.nodes.push_back({.models = {ModelId{0}}, .accepts = PriorityRange{7, 9}});
  options.promotion.after = 100ms;
  SteppedScheduler s(options);
  s.all_ready();
  Labels again = asking(8, 1h);
  again.retriable = true;
  s.submit(1, asking(8, 1h));
  s.submit(3, asking(8, 1h));
  s.submit(2, again);
  s.advance(200ms);
  EXPECT_EQ(s.tick(), (Said{"promote 2 to 6"}));
  EXPECT_EQ(s.finish(1), (Said{"finish 1 completed", "dispatch 2 to 1"}));
  EXPECT_EQ(s.finish(2, AttemptResult::kError), (Said{"requeue 2 replica_error"}));
  EXPECT_EQ(s.finish(3), (Said{"finish 3 completed", "dispatch 2 to 3"}));
}

}  // namespace
}  // namespace sluice::core
