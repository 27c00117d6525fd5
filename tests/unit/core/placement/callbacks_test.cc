// Who waits for room where the model is: models that come and go, and are called back in turn.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Managed nodes of one slot each, which have room for all of the models.
struct CallbacksTest : ::testing::Test {
  void start(std::uint32_t models, std::uint32_t nodes) {
    Options options = small_options(models, nodes);
    options.control.reserve.most_share = 0;
    options.preemption.most = 0;
    for (ModelOptions& model : options.models) model.memory_bytes = 1;
    for (NodeOptions& node : options.nodes) {
      node.managed = true;
      node.memory_bytes = 100;
      node.credits = 1;
    }
    s = std::make_unique<SteppedScheduler>(options);
    s->all_ready();
  }
  SteppedScheduler::Said ask(std::uint64_t request, std::uint32_t model, Priority priority = 8) {
    return s->submit(request, asking(priority, 1h, model));
  }
  SteppedScheduler::Said then(std::uint64_t done, std::uint64_t next,
                              std::uint32_t node = 0) const {
    return {"finish " + std::to_string(done) + " completed",
            "dispatch " + std::to_string(next) + " to " + std::to_string(node)};
  }

  std::unique_ptr<SteppedScheduler> s;
};

// Two models on one of two nodes, while the other, which has neither, stays free.
TEST_F(CallbacksTest, ModelsTakeTurnsOnTheNodeThatHasThem) {
  start(3, 2);
  s->loaded(0, 0);
  s->loaded(1, 0);
  s->loaded(2, 1);
  ask(0, 0);
  for (const std::uint64_t request : {1u, 2u, 3u}) {
    EXPECT_THAT(ask(request, 0), ElementsAre("queued " + std::to_string(request)));
  }
  EXPECT_THAT(ask(10, 1), ElementsAre("queued 10"));
  EXPECT_THAT(ask(11, 1), ElementsAre("queued 11"));
  EXPECT_EQ(s->finish(0), then(0, 1));
  EXPECT_EQ(s->finish(1), then(1, 10));
  EXPECT_EQ(s->finish(10), then(10, 2));
  EXPECT_EQ(s->finish(2), then(2, 11));
  EXPECT_EQ(s->finish(11), then(11, 3));
  EXPECT_THAT(s->finish(3), ElementsAre("finish 3 completed"));
}

TEST_F(CallbacksTest, TheFreeNodeIsNotGivenWhatItDoesNotHave) {
  start(2, 2);
  s->loaded(0, 0);
  s->loaded(1, 1);
  ask(0, 0);
  EXPECT_THAT(ask(1, 0), ElementsAre("queued 1"));
  EXPECT_THAT(s->tick(), IsEmpty());
  EXPECT_THAT(ask(2, 1), ElementsAre("dispatch 2 to 1"));
  EXPECT_THAT(s->finish(2), ElementsAre("finish 2 completed")) << "no room for the other model";
  EXPECT_EQ(s->finish(0), then(0, 1));
}

TEST_F(CallbacksTest, TheMoreUrgentLaneIsCalledToo) {
  start(2, 2);
  s->loaded(0, 0);
  s->loaded(1, 1);
  ask(0, 0);
  ask(1, 0, 8);
  ask(2, 0, 0);
  EXPECT_EQ(s->finish(0), then(0, 2)) << "high before low";
  EXPECT_EQ(s->finish(2), then(2, 1));
}

TEST_F(CallbacksTest, WhoeverOfSeveralNodesIsFreeFirstServes) {
  start(2, 3);
  s->loaded(0, 0);
  s->loaded(0, 1);
  s->loaded(1, 2);
  ask(0, 0);
  ask(1, 0);
  EXPECT_THAT(ask(2, 0), ElementsAre("queued 2"));
  EXPECT_THAT(ask(3, 0), ElementsAre("queued 3"));
  EXPECT_EQ(s->finish(1), then(1, 2, 1));
  EXPECT_EQ(s->finish(0), then(0, 3, 0));
}

TEST_F(CallbacksTest, AFreshCopyOfTheModelEndsTheWait) {
  start(2, 2);
  s->loaded(0, 0);
  s->loaded(1, 1);
  ask(0, 0);
  EXPECT_THAT(ask(1, 0), ElementsAre("queued 1"));
  EXPECT_THAT(s->loaded(0, 1), ElementsAre("dispatch 1 to 1"));
}

// Its place in the node's list is stale: nothing is run there, and others are called instead.
TEST_F(CallbacksTest, AModelThatWasUnloadedMeanwhileIsPassedOver) {
  start(3, 2);
  s->loaded(0, 0);
  s->loaded(1, 0);
  s->loaded(2, 1);
  ask(0, 0);
  ask(1, 1);
  ask(2, 0);
  EXPECT_THAT(s->unloaded(1, 0), ElementsAre("load 1 at 1"));
  EXPECT_EQ(s->finish(0), then(0, 2));
  EXPECT_THAT(s->finish(2), ElementsAre("finish 2 completed"));
  EXPECT_THAT(s->loaded(1, 1), ElementsAre("dispatch 1 to 1"));
}

TEST_F(CallbacksTest, WhoHasLeftIsNotCalled) {
  start(3, 2);
  s->loaded(0, 0);
  s->loaded(1, 0);
  s->loaded(2, 1);
  ask(0, 0);
  ask(1, 1);
  ask(2, 0);
  EXPECT_THAT(s->cancel(1), ElementsAre("finish 1 cancelled caller_gone"));
  EXPECT_EQ(s->finish(0), then(0, 2));
  EXPECT_THAT(s->finish(2), ElementsAre("finish 2 completed"));
}

TEST_F(CallbacksTest, ANodeThatGoesDownCallsNobodyUntilItIsBack) {
  start(2, 2);
  s->loaded(0, 0);
  s->loaded(1, 1);
  ask(0, 0);
  ask(1, 0);
  EXPECT_THAT(s->report(0, false), ElementsAre("load 0 at 1"));
  EXPECT_THAT(s->finish(0, AttemptResult::kUnreachable),
              ElementsAre("finish 0 failed replica_unreachable"));
  EXPECT_THAT(s->report(0, true), IsEmpty());
  EXPECT_THAT(s->loaded(0, 1), ElementsAre("dispatch 1 to 1"));
}

}  // namespace
}  // namespace sluice::core
