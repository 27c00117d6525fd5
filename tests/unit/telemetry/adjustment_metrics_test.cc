#include "telemetry/adjustment_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/adjustment_text.h"
#include "telemetry/metrics.h"

namespace sluice::telemetry {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

core::Options two_paths() {
  core::Options options;
  options.task_types = {"image"};
  options.models = {{.name = "detect", .task_type = core::TaskTypeId{0}}};
  options.paths = {"hot", "cold"};
  options.nodes = {{.name = "edge", .models = {core::ModelId{0}}, .path = core::PathId{0}},
                   {.name = "core", .models = {core::ModelId{0}}, .path = core::PathId{1}}};
  return options;
}

core::Adjusted switched(core::PathCause cause) {
  return {core::PathChange{
      .model = core::ModelId{0},
      .change = {
          .from = 0,
          .to = 1,
          .cause = cause,
          .left = {.utilisation = 0.97, .queue = 0.5, .slowness = 1.4, .failures_in_a_row = 3},
          .hold = 10s}}};
}

TEST(AdjustmentMetrics, CountsPathSwitchesByCauseAndBreakersByState) {
  core::Scheduler scheduler(two_paths());
  Metrics metrics(scheduler);
  metrics.on_adjusted(switched(core::PathCause::kFailures));
  metrics.on_adjusted({core::BreakerChange{.node = core::NodeId{1},
                                           .model = core::ModelId{0},
                                           .transition = {.to = core::BreakerState::kOpen}}});
  const std::string text = metrics.expose();
  EXPECT_THAT(text, HasSubstr("sluice_path_switches_total{model=\"detect\",cause=\"failures\"} 1"));
  EXPECT_THAT(text, HasSubstr("sluice_path_switches_total{model=\"detect\",cause=\"probed\"} 0"));
  EXPECT_THAT(text, HasSubstr("sluice_breaker_changes_total{node=\"core\",state=\"open\"} 1"));
  EXPECT_THAT(text, HasSubstr("sluice_breaker_changes_total{node=\"edge\",state=\"open\"} 0"));
}

TEST(AdjustmentMetrics, TellThePathThatAModelTakes) {
  core::Scheduler scheduler(two_paths());
  const Metrics metrics(scheduler);
  core::ActionBuffer actions;
  const auto report = [&](std::uint32_t node, bool ready) {
    scheduler.handle(core::NodeReport{.node = core::NodeId{node}, .ready = ready}, TimePoint{},
                     actions);
  };
  report(0, true);
  report(1, true);
  EXPECT_THAT(metrics.expose(), HasSubstr("sluice_model_path{model=\"detect\",path=\"hot\"} 1"));
  report(0, false);
  const std::string text = metrics.expose();
  EXPECT_THAT(text, HasSubstr("sluice_model_path{model=\"detect\",path=\"hot\"} 0"));
  EXPECT_THAT(text, HasSubstr("sluice_model_path{model=\"detect\",path=\"cold\"} 1"));
}

TEST(AdjustmentMetrics, NothingIsSaidOfPathsWhereThereAreNone) {
  core::Options options = two_paths();
  options.paths.clear();
  options.nodes[1].path = core::PathId{};
  options.nodes[0].path = core::PathId{};
  const core::Scheduler scheduler(options);
  const Metrics metrics(scheduler);
  EXPECT_THAT(metrics.expose(), Not(HasSubstr("sluice_model_path{")));
  EXPECT_THAT(metrics.expose(), Not(HasSubstr("sluice_path_switches_total{")));
}

TEST(AdjustmentText, PathSwitchesSayWhyAndByWhichFigures) {
  const core::Options options = two_paths();
  EXPECT_EQ(describe(switched(core::PathCause::kFailures), options),
            "path of detect: hot to cold, failures (3 in a row), held for 10000 ms");
  EXPECT_EQ(describe(switched(core::PathCause::kLatency), options),
            "path of detect: hot to cold, latency (P95 is 1.4 of the budget), held for 10000 ms");
  EXPECT_EQ(describe(switched(core::PathCause::kLoad), options),
            "path of detect: hot to cold, load (utilisation 0.97, queue 0.5), held for 10000 ms");
  EXPECT_EQ(describe(switched(core::PathCause::kNotReady), options),
            "path of detect: hot to cold, not_ready, held for 10000 ms");
}

}  // namespace
}  // namespace sluice::telemetry
