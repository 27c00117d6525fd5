#include "sim/noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace sluice::sim {
namespace {

using core::AttemptFinished;
using core::AttemptResult;

const core::AttemptId kEnded{3, 5};
const core::TaskId kAnswered{4, 6};

// What the noise says after many attempts have ended.
template <class Visit>
void hear(const NoiseOptions& options, int events, Visit visit) {
  Noise noise(options, 1);
  const std::vector<core::Action> actions{core::Finish{.task = kAnswered}};
  noise.after(core::NodeReport{.node = {2}, .ready = true}, {});
  for (int i = 0; i < events; ++i) {
    if (const auto said = noise.after(AttemptFinished{kEnded, AttemptResult::kAnswered}, actions)) {
      visit(*said);
    }
  }
}

TEST(Noise, SaysNothingUnlessToldTo) {
  hear({.garbled = 1}, 1000, [](const Noise::Remark&) { ADD_FAILURE(); });
}

TEST(Noise, SaysEveryKindOfNonsense) {
  std::set<Senseless> kinds;
  int said = 0;
  hear({.senseless = 0.5}, 2000, [&](const Noise::Remark& remark) {
    ++said;
    kinds.insert(remark.kind);
    EXPECT_EQ(remark.late > Duration::zero(), remark.kind == Senseless::kTimeBack);
  });
  EXPECT_EQ(kinds.size(), kSenselessNames.size());
  EXPECT_NEAR(said, 1000, 100);
}

TEST(Noise, RepeatsWhatIsOverAndNamesWhatIsNot) {
  hear({.senseless = 1}, 2000, [](const Noise::Remark& remark) {
    if (remark.kind == Senseless::kSecondCompletion) {
      EXPECT_EQ(std::get<AttemptFinished>(remark.event).attempt, kEnded);
    }
    if (remark.kind == Senseless::kCancelAfterFinish) {
      EXPECT_EQ(std::get<core::Cancelled>(remark.event).task, kAnswered);
    }
    if (remark.kind == Senseless::kNegativeFigure) {
      const auto& report = std::get<core::NodeReport>(remark.event);
      EXPECT_EQ(report.node, core::NodeId{2});
      EXPECT_TRUE(report.ready);
      EXPECT_LT(*report.round_trip, Duration::zero());
    }
    if (remark.kind == Senseless::kNoFigure) {
      const auto& report = std::get<core::NodeFiguresReport>(remark.event);
      EXPECT_FALSE(*report.utilisation >= 0 && *report.utilisation <= 1);
    }
  });
}

TEST(Noise, GarblesAShareOfAnswers) {
  Noise noise({.garbled = 0.3}, 1);
  std::set<std::size_t> results;
  int garbled = 0;
  for (int i = 0; i < 2000; ++i) {
    const core::Event told = noise.garbled({kEnded, AttemptResult::kAnswered});
    const auto* const finished = std::get_if<AttemptFinished>(&told);
    garbled += finished == nullptr || finished->result != AttemptResult::kAnswered;
    results.insert(finished == nullptr ? 99 : static_cast<std::size_t>(finished->result));
  }
  EXPECT_NEAR(garbled, 600, 80);
  EXPECT_EQ(results.size(), 8u);  // six others, lost, and the truth
}

// What is told as true is the same, whatever is said besides.
TEST(Noise, NonsenseDoesNotChangeTheTruth) {
  Noise quiet({.garbled = 0.5, .started = 0.5}, 3);
  Noise loud({.senseless = 1, .garbled = 0.5, .started = 0.5}, 3);
  const AttemptFinished truth{kEnded, AttemptResult::kAnswered};
  for (int i = 0; i < 200; ++i) {
    loud.after(truth, {});
    EXPECT_EQ(quiet.tells_start(), loud.tells_start());
    EXPECT_EQ(quiet.garbled(truth).index(), loud.garbled(truth).index());
  }
}

}  // namespace
}  // namespace sluice::sim
