// A load that takes longer than it is known to was said to be over now: who came too late for it
// was refused, and told to come again after no time at all. Only where deadlines are not minded
// before. Found by: sluice sim --random-seed 705606 --tasks 20000 --check
#include <gtest/gtest.h>

#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

TEST(OverdueLoad, WhoIsRefusedIsToldToComeAgain) {
  Options options = small_options();
  options.policy.reclaim = Reclaim::kAtMaxAge;
  options.models[0].memory_bytes = 4;
  options.models[0].load_time = 100ms;
  options.nodes[0].managed = true;
  options.nodes[0].memory_bytes = 10;
  Scheduler scheduler(options);
  ActionBuffer actions;
  TimePoint now{10s};
  const auto submit = [&](std::uint64_t request, Duration age, Duration budget) {
    actions.clear();
    scheduler.handle(
        Submitted{.request = RequestId{request}, .labels = asking(5, budget), .arrival = now - age},
        now, actions);
  };
  scheduler.handle(NodeReport{.node = NodeId{0}, .ready = true}, now, actions);
  // One load is measured; then the model is gone, and loaded again.
  submit(0, 0s, 10s);
  now += 100ms;
  scheduler.handle(ModelLoaded{.node = NodeId{0}, .model = ModelId{0}, .ok = true}, now, actions);
  scheduler.handle(ModelUnloaded{.node = NodeId{0}, .model = ModelId{0}, .ok = true}, now, actions);
  submit(1, 0s, 10s);
  now += 200ms;
  submit(2, 10ms, 5ms);
  const Finish* finish = nullptr;
  for (const Action& action : actions) {
    if (const auto* found = std::get_if<Finish>(&action)) finish = found;
  }
  ASSERT_NE(finish, nullptr);
  EXPECT_EQ(finish->reason, Reason::kWouldMissDeadline);
  EXPECT_GT(finish->retry_after, Duration::zero());
}

}  // namespace
}  // namespace sluice::core
