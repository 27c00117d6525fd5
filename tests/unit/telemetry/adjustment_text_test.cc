#include "telemetry/adjustment_text.h"

#include <gtest/gtest.h>

namespace sluice::telemetry {
namespace {

using core::ResidencyCause;
using core::ResidencyState;

core::Options options() {
  core::Options options;
  options.models = {{.name = "detect"}, {.name = "speech"}};
  options.nodes = {{.name = "gpu-1"}};
  return options;
}

std::string line(core::ResidencyChange change) {
  change.node = {0};
  change.model = {0};
  return describe({change}, options());
}

TEST(AdjustmentText, ModelsThatComeAndGoSayWhy) {
  EXPECT_EQ(
      line({.to = ResidencyState::kLoading, .cause = ResidencyCause::kColdStart, .waiting = 3}),
      "detect on gpu-1: cold to loading, cold_start (3 waiting)");
  EXPECT_EQ(
      line(
          {.to = ResidencyState::kPlanned, .cause = ResidencyCause::kPrewarm, .urgent_per_s = 1.5}),
      "detect on gpu-1: cold to planned, prewarm (1.5 urgent/s)");
  EXPECT_EQ(line({.from = ResidencyState::kLoaded,
                  .to = ResidencyState::kUnloading,
                  .cause = ResidencyCause::kMakeRoom,
                  .other = {1}}),
            "detect on gpu-1: loaded to unloading, make_room (for speech)");
  EXPECT_EQ(line({.from = ResidencyState::kLoading,
                  .to = ResidencyState::kLoaded,
                  .cause = ResidencyCause::kDone,
                  .lasted = std::chrono::milliseconds(420)}),
            "detect on gpu-1: loading to loaded, done (after 420 ms)");
}

}  // namespace
}  // namespace sluice::telemetry
