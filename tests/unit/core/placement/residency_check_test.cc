// What is counted again, and that a difference does not go unnoticed.
#include <gtest/gtest.h>

#include "unit/core/placement/stepped_residency.h"

namespace sluice::core {
namespace {

using namespace std::chrono_literals;
using State = ResidencyState;

// Residency with options that can be changed behind its back.
struct ResidencyCheckTest : ::testing::Test {
  void bring_up(std::uint32_t model) { residency.loaded({0}, {model}, true, now); }

  Options options = managed_options(2, 1);
  Eligibility eligibility{options};
  Residency residency{options, eligibility};
  TimePoint now{1000s};

  void SetUp() override { residency.set_ready({0}, true, now); }
};

using ResidencyCheckDeathTest = ResidencyCheckTest;

TEST_F(ResidencyCheckTest, EveryStateAddsUp) {
  SteppedResidency step(managed_options(3, 1));  // checks after each word
  step.bring_up(0, 0);
  step.bring_up(1, 0);
  step.begin(0, 0);
  step.begin(1, 0);
  step.wait_for(2, Lane::kHigh);
  EXPECT_EQ(step.state(0, 0), State::kDraining);
  EXPECT_EQ(step.state(2, 0), State::kPlanned);
  EXPECT_EQ(step.residency().memory({0}).used(), 8u);
  EXPECT_EQ(step.residency().memory({0}).claimed(), 8u) << "the one that stays, and the planned";
  step.end(0, 0);
  EXPECT_EQ(step.state(0, 0), State::kUnloading);
  step.unloaded(0, 0);
  EXPECT_EQ(step.state(2, 0), State::kLoading);
  EXPECT_EQ(step.residency().memory({0}).used(), 8u);
  step.advance(121s);
  EXPECT_EQ(step.state(2, 0), State::kAborting);
  step.unloaded(2, 0);
  step.report(0, false);
  EXPECT_EQ(step.residency().memory({0}).used(), 0u);
}

TEST_F(ResidencyCheckTest, WithoutManagedNodesThereIsNothingToCount) {
  Options unmanaged = managed_options(2, 1);
  unmanaged.nodes[0].managed = false;
  const Eligibility of_them(unmanaged);
  Residency nothing(unmanaged, of_them);
  nothing.ended(0, now);  // would be one attempt less than none
  nothing.check();
  EXPECT_FALSE(nothing.enabled());
}

TEST_F(ResidencyCheckDeathTest, MemoryThatNobodyUsesIsNoticed) {
  bring_up(0);
  bring_up(1);
  residency.check();
  options.nodes[0].models.pop_back();
  EXPECT_DEATH(residency.check(), "memory in use is that of the models there");
}

TEST_F(ResidencyCheckDeathTest, AnAttemptThatEndedTwiceIsNoticed) {
  bring_up(0);
  const std::uint32_t replica = eligibility.replica({0}, {0});
  residency.began(replica);
  residency.ended(replica, now);
  residency.check();
  residency.ended(replica, now);
  EXPECT_DEATH(residency.check(), "idle models are listed");
}

}  // namespace
}  // namespace sluice::core
