#include "telemetry/model_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::telemetry {
namespace {

using core::ResidencyCause;
using core::ResidencyState;

TEST(ModelMetrics, CountsChangesByModelStateAndCause) {
  core::Options options;
  options.models = {{.name = "detect"}, {.name = "speech"}};
  ModelMetrics metrics;
  const core::ResidencyChange load{.model = {1},
                                   .from = ResidencyState::kCold,
                                   .to = ResidencyState::kLoading,
                                   .cause = ResidencyCause::kColdStart};
  metrics.on_change(load);
  metrics.on_change(load);
  metrics.on_change({.model = {0},
                     .from = ResidencyState::kLoading,
                     .to = ResidencyState::kLoaded,
                     .cause = ResidencyCause::kDone});
  Families families;
  metrics.collect(options, families);
  ASSERT_EQ(families.size(), 1u);
  ASSERT_EQ(families[0].metric.size(), 2u);
  EXPECT_EQ(families[0].metric[0].label[0].value, "detect");
  EXPECT_EQ(families[0].metric[0].label[1].value, "loaded");
  EXPECT_EQ(families[0].metric[1].label[2].value, "cold_start");
  EXPECT_EQ(families[0].metric[1].counter.value, 2);
}

}  // namespace
}  // namespace sluice::telemetry
