#include "core/placement/path.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

constexpr PathFigures kFit{.ready = true, .loaded = true, .utilisation = 0.3, .queue = 0.1};
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

class PathTest : public ::testing::Test {
 protected:
  std::optional<PathSwitch> update() { return selector.update(figures, now); }
  // Whether it is on this path after a probe of the better one succeeded as often as it must.
  void probe_until_back() {
    for (std::uint32_t i = 0; i < options.probes; ++i) {
      EXPECT_FALSE(update());
      ASSERT_TRUE(selector.to_probe());
      selector.probed(*selector.to_probe(), true, now);
    }
  }
  // Hot fails and heals; on the cold path.
  void go_cold() {
    figures[0].failures_in_a_row = 3;
    ASSERT_TRUE(update());
    figures[0].failures_in_a_row = 0;
    ASSERT_NE(selector.current(), 0u);
  }

  PathOptions options;
  std::vector<PathFigures> figures{kFit, kFit, kFit};
  PathSelector selector{options, 3};
  TimePoint now{100s};
};

TEST_F(PathTest, StaysOnTheHotPathWhileItIsFit) {
  EXPECT_EQ(selector.current(), 0u);
  figures[0].utilisation = 0.95;
  figures[0].queue = 0.9;
  figures[0].slowness = 1.3;
  figures[0].failures_in_a_row = 2;
  EXPECT_FALSE(update());
  EXPECT_FALSE(selector.to_probe());
  EXPECT_EQ(selector.next_change(), kNever);
}

TEST_F(PathTest, LeavesItAtOnceForEachCause) {
  const auto cause_of = [&](auto&& change) {
    PathSelector fresh(options, 3);
    std::vector<PathFigures> with = figures;
    change(with[0]);
    const auto record = fresh.update(with, now);
    EXPECT_TRUE(record);
    EXPECT_EQ(fresh.current(), 1u);
    return record ? record->cause : PathCause::kProbed;
  };
  EXPECT_EQ(cause_of([](PathFigures& f) { f.ready = false; }), PathCause::kNotReady);
  EXPECT_EQ(cause_of([](PathFigures& f) { f.loaded = false; }), PathCause::kNotReady);
  EXPECT_EQ(cause_of([](PathFigures& f) { f.failures_in_a_row = 3; }), PathCause::kFailures);
  EXPECT_EQ(cause_of([](PathFigures& f) { f.slowness = 1.31; }), PathCause::kLatency);
  EXPECT_EQ(cause_of([](PathFigures& f) { f.utilisation = 0.96; }), PathCause::kLoad);
  EXPECT_EQ(cause_of([](PathFigures& f) { f.queue = 0.91; }), PathCause::kLoad);
}

TEST_F(PathTest, RecordsTheFiguresOfASwitch) {
  figures[0].slowness = 2;
  figures[1].utilisation = 0.4;
  const auto record = update();
  ASSERT_TRUE(record);
  EXPECT_EQ(record->from, 0u);
  EXPECT_EQ(record->to, 1u);
  EXPECT_EQ(record->left.slowness, 2);
  EXPECT_EQ(record->entered.utilisation, 0.4);
  EXPECT_EQ(record->hold, options.hold);
}

TEST_F(PathTest, PassesOverAPathThatIsNotFit) {
  figures[0].ready = false;
  figures[1].queue = 1;
  ASSERT_TRUE(update());
  EXPECT_EQ(selector.current(), 2u);
}

TEST_F(PathTest, StaysWhereNoOtherIsFit) {
  for (auto& path : figures) path.utilisation = 1;
  EXPECT_FALSE(update());
  for (auto& path : figures) path.ready = false;
  EXPECT_FALSE(update());
}

TEST_F(PathTest, ComesBackByProbesAfterTheHold) {
  go_cold();
  const TimePoint held_until = now + options.hold;
  EXPECT_EQ(selector.next_change(), held_until);
  now = held_until - 1ns;
  update();
  EXPECT_FALSE(selector.to_probe());
  now = held_until;
  probe_until_back();
  const auto record = update();
  ASSERT_TRUE(record);
  EXPECT_EQ(record->cause, PathCause::kProbed);
  EXPECT_EQ(selector.current(), 0u);
}

TEST_F(PathTest, ProbesOnlyWhatIsReadyLoadedAndIdleEnough) {
  go_cold();
  now += options.hold;
  const auto probes = [&](auto&& change) {
    std::vector<PathFigures> with = figures;
    change(with[0]);
    selector.update(with, now);
    return selector.to_probe().has_value();
  };
  EXPECT_TRUE(probes([](PathFigures&) {}));
  EXPECT_FALSE(probes([](PathFigures& f) { f.ready = false; }));
  EXPECT_FALSE(probes([](PathFigures& f) { f.loaded = false; }));
  EXPECT_FALSE(probes([](PathFigures& f) { f.utilisation = 0.71; }));
  EXPECT_FALSE(probes([](PathFigures& f) { f.queue = 0.51; }));
  EXPECT_FALSE(probes([](PathFigures& f) { f.utilisation = kUnknown; }));
  EXPECT_TRUE(probes([](PathFigures& f) { f.failures_in_a_row = 9; })) << "nobody went there since";
}

TEST_F(PathTest, UnknownFiguresDoNotMakeItLeave) {
  figures[0].utilisation = figures[0].queue = figures[0].slowness = kUnknown;
  EXPECT_FALSE(update());
}

TEST_F(PathTest, AFailedProbeHoldsAnewAndTheNextBetterPathHasItsTurn) {
  figures[1].ready = false;
  go_cold();
  ASSERT_EQ(selector.current(), 2u);
  figures[1].ready = true;
  now += options.hold;
  update();
  ASSERT_EQ(selector.to_probe(), 0u);
  selector.probed(0, true, now);
  selector.probed(0, false, now);
  update();
  EXPECT_FALSE(selector.to_probe());
  now += options.hold;
  update();
  EXPECT_EQ(selector.to_probe(), 1u);
  selector.probed(0, true, now);
  selector.probed(1, false, now);
  now += options.hold;
  probe_until_back();
  ASSERT_TRUE(update());
  EXPECT_EQ(selector.current(), 0u);
}

TEST_F(PathTest, ProbesBeginAnewWhenThePathWasUnfitInBetween) {
  go_cold();
  now += options.hold;
  update();
  selector.probed(0, true, now);
  selector.probed(0, true, now);
  figures[0].queue = 1;
  update();
  figures[0].queue = 0;
  update();
  selector.probed(0, true, now);
  EXPECT_FALSE(update());
}

TEST_F(PathTest, HoldsTwiceAsLongWhenGoingBackWasTooSoon) {
  go_cold();
  for (const Duration expected : {20s, 40s, 80s, 120s, 120s}) {
    now = selector.next_change();
    probe_until_back();
    ASSERT_TRUE(update());
    figures[0].utilisation = 1;
    const auto record = update();
    ASSERT_TRUE(record);
    EXPECT_EQ(record->hold, expected);
    figures[0].utilisation = 0.3;
  }
  now = selector.next_change();
  probe_until_back();
  ASSERT_TRUE(update());
  now += options.settle;
  go_cold();
  EXPECT_EQ(selector.next_change(), now + options.hold);
}

TEST_F(PathTest, FromADeadPathItGoesAnywhere) {
  figures[1].ready = figures[2].ready = true;
  go_cold();
  figures[1].ready = figures[2].ready = false;
  now += options.least_stay - 1ns;
  EXPECT_FALSE(update());
  now += 1ns;
  const auto record = update();
  ASSERT_TRUE(record);
  EXPECT_EQ(record->cause, PathCause::kNotReady);
  EXPECT_EQ(selector.current(), 0u);
}

TEST_F(PathTest, WhereAllHaveFailedTheyAreTriedInTurn) {
  for (auto& path : figures) path.failures_in_a_row = 5;
  std::vector<std::uint32_t> tried;
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(update());
    tried.push_back(selector.current());
    EXPECT_FALSE(update());
    now += options.least_stay;
  }
  EXPECT_EQ(tried, (std::vector<std::uint32_t>{1, 2, 0, 1}));
}

TEST_F(PathTest, NamesItsCauses) {
  EXPECT_EQ(to_string(PathCause::kProbed), "probed");
}

}  // namespace
}  // namespace sluice::core
