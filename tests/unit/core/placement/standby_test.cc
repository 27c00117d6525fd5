// R26: hot standbys.
#include <gtest/gtest.h>

#include "core/placement/placement.h"
#include "unit/core/stepped_scheduler.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using Said = SteppedScheduler::Said;

// Node 0 works, node 1 stands by.
Options with_standby() {
  Options options = small_options(1, 2);
  options.nodes[1].standby = true;
  options.control.reserve.most_share = 0;
  return options;
}

TEST(Standby, IsIdleWhileTheOthersAreReadyHoweverBusy) {
  SteppedScheduler s(with_standby());
  s.all_ready();
  s.submit(1, asking(5, 10s));
  EXPECT_EQ(s.submit(2, asking(5, 10s)), (Said{"queued 2"}));
  EXPECT_EQ(s.finish(1), (Said{"finish 1 completed", "dispatch 2 to 0"}));
}

TEST(Standby, StepsInWhenNoneOfTheOthersIsReadyAndStepsBack) {
  SteppedScheduler s(with_standby());
  s.all_ready();
  s.submit(1, asking(5, 10s));
  s.submit(2, asking(5, 10s));
  EXPECT_EQ(s.report(0, false), (Said{"dispatch 2 to 1"}));
  s.finish(2);
  EXPECT_EQ(s.submit(3, asking(5, 10s)), (Said{"dispatch 3 to 1"}));
  s.finish(1, AttemptResult::kUnreachable);
  s.report(0, true);
  EXPECT_EQ(s.submit(4, asking(5, 10s)), (Said{"dispatch 4 to 0"}));
  EXPECT_EQ(s.submit(5, asking(5, 10s)), (Said{"queued 5"}));
  EXPECT_EQ(s.finish(3), (Said{"finish 3 completed"})) << "what it frees is nobody's";
}

// Its check is passed, but whatever is sent there fails.
TEST(Standby, StepsInWhenTheBreakersOfTheOthersAreOpen) {
  SteppedScheduler s(with_standby());
  s.all_ready();
  std::uint64_t request = 1;
  for (; request <= 5; ++request) {
    EXPECT_EQ(s.submit(request, asking(5, 10s)).back(),
              "dispatch " + std::to_string(request) + " to 0");
    s.finish(request, AttemptResult::kError);
  }
  EXPECT_EQ(s.submit(request, asking(5, 10s)).back(),
            "dispatch " + std::to_string(request) + " to 1");
}

TEST(Standby, StandsInForItsOwnClassOnly) {
  Options options = small_options(1, 4);
  options.control.reserve.most_share = 0;
  options.nodes[0].service_class = options.nodes[1].service_class = Realtime::kHigh;
  options.nodes[2].service_class = options.nodes[3].service_class = Realtime::kLow;
  options.nodes[1].standby = options.nodes[3].standby = true;
  SteppedScheduler s(options);
  s.all_ready();
  s.report(0, false);
  EXPECT_EQ(s.submit(1, asking(0, 10s)), (Said{"dispatch 1 to 1"}));
  EXPECT_EQ(s.submit(2, asking(9, 10s)), (Said{"dispatch 2 to 2"}));
  EXPECT_EQ(s.submit(3, asking(9, 10s)), (Said{"queued 3"}));
}

TEST(Standby, StandsInWhereBindingIsEarly) {
  Options options = with_standby();
  options.policy = *policy_named("fifo");
  SteppedScheduler s(options);
  s.all_ready();
  s.submit(1, asking(5, 10s));
  EXPECT_EQ(s.submit(2, asking(5, 10s)), (Said{"queued 2"}));
  s.report(0, false);
  EXPECT_EQ(s.submit(3, asking(5, 10s)), (Said{"dispatch 3 to 1"}));
}

// Load is measured by what works.
TEST(Standby, SlotsOfIdleStandbysAreNoRoom) {
  Options options;
  options.task_types = {"image"};
  options.models = {{.task_type = TaskTypeId{0}}};
  options.nodes.resize(2, {.models = {ModelId{0}}, .slots = 3});
  options.nodes[1].standby = true;
  const Eligibility eligibility(options);
  Flows flows(eligibility.class_count(), 1, 1, 10);
  const Residency residency(options, eligibility);
  Placement placement(options, eligibility, residency, flows);
  const ClassId klass = eligibility.class_of(ModelId{0}, 0);
  const TimePoint now{1s};
  placement.report(NodeId{1}, true, std::nullopt, now);
  EXPECT_EQ(placement.ready_slots(), 3u);
  EXPECT_TRUE(placement.open(klass));
  placement.report(NodeId{0}, true, std::nullopt, now);
  EXPECT_EQ(placement.ready_slots(), 3u);
  EXPECT_EQ(placement.ready_slots(klass), 3u);
  placement.report(NodeId{0}, false, std::nullopt, now);
  EXPECT_EQ(placement.ready_slots(), 3u);
  EXPECT_EQ(placement.ready_slots(klass), 3u);
  placement.report(NodeId{1}, false, std::nullopt, now);
  EXPECT_EQ(placement.ready_slots(), 0u);
  EXPECT_FALSE(placement.open(klass));
}

}  // namespace
}  // namespace sluice::core
