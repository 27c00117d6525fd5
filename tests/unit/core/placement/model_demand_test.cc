// Who asks for a model.
#include "core/placement/model_demand.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

class ModelDemandTest : public ::testing::Test {
 protected:
  void arrive(int times) {
    for (int i = 0; i < times; ++i) demand.urgent_arrived(1, now, options);
  }
  bool in_demand() { return demand.in_demand(now, options); }

  ResidencyOptions options;
  ModelDemand demand;
  TimePoint now{100s};
};

TEST_F(ModelDemandTest, CountsWhatWaits) {
  demand.entered(Lane::kHigh, 2, 10ms);
  demand.entered(Lane::kLow, 9, 30ms);
  EXPECT_EQ(demand.waiting(), 2u);
  EXPECT_EQ(demand.waiting(Lane::kHigh), 1u);
  EXPECT_EQ(demand.work(), 40ms);
  EXPECT_EQ(demand.priorities(), only(2) | only(9));
  EXPECT_EQ(first_of(demand.priorities()), 2);
  demand.left(Lane::kHigh, 2, 10ms);
  EXPECT_EQ(demand.waiting(Lane::kHigh), 0u);
  EXPECT_EQ(demand.work(), 30ms);
  EXPECT_EQ(demand.priorities(), only(9));
}

TEST_F(ModelDemandTest, OneUrgentRequestIsNoDemandTwoAre) {
  arrive(1);
  EXPECT_FALSE(in_demand());
  now += 1s;
  arrive(1);
  EXPECT_TRUE(in_demand());
}

// It begins at a higher rate than it ends at: no going to and fro.
TEST_F(ModelDemandTest, LastsWhileItFades) {
  arrive(2);
  now += 1min;
  EXPECT_TRUE(in_demand());
  now += 2min;
  EXPECT_FALSE(in_demand());
  arrive(1);
  EXPECT_FALSE(in_demand());
}

TEST_F(ModelDemandTest, HeavyDemandIsRememberedForLonger) {
  for (int i = 0; i < 60; ++i, now += 1s) arrive(100);
  now += 13min;
  EXPECT_TRUE(in_demand());
  now += 2min;
  EXPECT_FALSE(in_demand());
}

TEST(LoadTime, IsWhatWasAssumedUntilItIsMeasured) {
  LoadTime time(2s);
  EXPECT_EQ(time.expected(), 2s);
  EXPECT_FALSE(time.measured());
  time.learn(500ms);
  EXPECT_EQ(time.expected(), 500ms);
  EXPECT_TRUE(time.measured());
  time.learn(1500ms);
  EXPECT_EQ(time.expected(), 800ms);
}

}  // namespace
}  // namespace sluice::core
