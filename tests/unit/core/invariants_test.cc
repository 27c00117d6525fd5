// What must hold after every event. The scheduler aborts when it does not; here it is shown that
// the sums are looked at, and that none of the states a scheduler can be in is taken for a broken
// one.
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

// One of everything.
Counters sound() {
  Counters counters;
  counters.submitted = 8;
  counters.outcomes = {1, 1, 1, 1, 1};
  counters.waiting = 1;
  counters.running = 2;
  counters.attempts = 3;
  counters.abandoned = 1;
  return counters;
}

TEST(Counters, SoundOnesAreConserved) {
  EXPECT_TRUE(sound().conserved());
  EXPECT_TRUE(Counters{}.conserved());
  EXPECT_EQ(sound().ended(), 5u);
}

TEST(Counters, OneTooManyAnywhereIsNot) {
  const auto with = [](auto&& change) {
    Counters counters = sound();
    change(counters);
    return counters;
  };
  EXPECT_FALSE(with([](Counters& c) { ++c.submitted; }).conserved());
  for (std::size_t i = 0; i < kOutcomes; ++i) {
    EXPECT_FALSE(with([i](Counters& c) { ++c.outcomes[i]; }).conserved());
  }
  EXPECT_FALSE(with([](Counters& c) { ++c.waiting; }).conserved());
  EXPECT_FALSE(with([](Counters& c) { ++c.running; }).conserved());
  EXPECT_FALSE(with([](Counters& c) { ++c.attempts; }).conserved());
  EXPECT_FALSE(with([](Counters& c) { ++c.abandoned; }).conserved());
  // A task that runs without an attempt, made up for by one that does not wait.
  EXPECT_FALSE(with([](Counters& c) {
                 --c.waiting;
                 ++c.running;
               }).conserved());
}

// SteppedScheduler counts everything again after each event.
TEST(Invariants, HoldInEveryStateATaskCanBeIn) {
  for (const Policy& policy : kPolicies) {
    Options options = small_options(2, 2);
    options.policy = policy;
    options.nodes[0].credits = 3;
    options.nodes[1].models = {ModelId{1}};
    SteppedScheduler step(options);
    step.all_ready();
    Labels labels = asking(5, 100ms);
    for (std::uint64_t i = 0; i < 12; ++i) {
      labels.model = ModelId{static_cast<std::uint32_t>(i % 2)};
      labels.priority = static_cast<Priority>(i % 10);
      labels.size_bytes = i * 100;
      step.submit(i, labels);
    }
    step.report(1, false);
    step.cancel(0);     // abandoned
    step.cancel(11);    // out of the queue
    step.finish(2);     // and another takes its credit
    step.advance(70s);  // expired, all that waited
    step.finish(0);     // what nobody waited for
    step.tell(AttemptLost{step.attempt(3)});
    EXPECT_EQ(step.scheduler().counters().waiting, 0u) << policy.name;
  }
}

}  // namespace
}  // namespace sluice::core
