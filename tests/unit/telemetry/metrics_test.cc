#include "telemetry/metrics.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/definitions.h"

namespace sluice::telemetry {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::Not;

core::NodeOptions node(std::string name, std::uint32_t slots) {
  core::NodeOptions options;
  options.name = std::move(name);
  options.models = {core::ModelId{0}};
  options.slots = slots;
  return options;
}

core::Options two_nodes() {
  core::Options options;
  options.task_types = {"image"};
  core::ModelOptions detect;
  detect.name = "detect";
  detect.task_type = core::TaskTypeId{0};
  options.models = {detect};
  options.nodes = {node("edge \"1\"", 2), node("core", 8)};
  return options;
}

std::vector<std::string> type_lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("# TYPE ", 0) == 0) out.push_back(line);
  }
  return out;
}

class MetricsTest : public ::testing::Test {
 protected:
  core::Scheduler scheduler_{two_nodes()};
  Metrics metrics_{scheduler_};
};

TEST_F(MetricsTest, ExposesWhatIsDeclaredAndNothingElse) {
  std::vector<std::string> declared;
  for (const MetricDefinition* m : kMetricDefinitions) {
    declared.push_back("# TYPE " + std::string(m->name) + " " + std::string(to_string(m->kind)));
  }
  auto exposed = type_lines(metrics_.expose());
  // The one metric that not every kernel offers.
  const auto fds = "# TYPE " + std::string(kProcessOpenFds.name) + " gauge";
  if (std::find(exposed.begin(), exposed.end(), fds) == exposed.end()) declared.pop_back();
  EXPECT_THAT(exposed, ElementsAreArray(declared));
}

TEST_F(MetricsTest, NodesAreReadAtTheScrape) {
  EXPECT_THAT(metrics_.expose(), HasSubstr("sluice_node_ready{node=\"core\"} 0"));
  core::ActionBuffer actions;
  scheduler_.handle(core::NodeReport{.node = core::NodeId{1}, .ready = true, .round_trip = {}},
                    TimePoint{}, actions);
  const auto text = metrics_.expose();
  EXPECT_THAT(text, HasSubstr("sluice_node_ready{node=\"core\"} 1"));
  EXPECT_THAT(text, HasSubstr("sluice_node_slots{node=\"core\"} 8"));
}

// What nobody knows is not shown as anything.
TEST_F(MetricsTest, ReportedFiguresAreShownWhileTheyAreKnown) {
  const std::string series = "sluice_node_utilization_share{node=\"core\"} ";
  EXPECT_THAT(metrics_.expose(), Not(HasSubstr(series)));
  core::ActionBuffer actions;
  const core::NodeFiguresReport report{
      .node = core::NodeId{1}, .utilisation = 0.25, .memory = 2, .age = {}};
  scheduler_.handle(report, TimePoint{}, actions);
  EXPECT_THAT(metrics_.expose(), HasSubstr(series + "0.25"));
  EXPECT_THAT(metrics_.expose(), Not(HasSubstr("sluice_node_memory_share{")));
  EXPECT_THAT(metrics_.expose(), HasSubstr("sluice_figures_rejected_total 1"));
  scheduler_.handle(core::Tick{}, TimePoint(std::chrono::hours(1)), actions);
  EXPECT_THAT(metrics_.expose(), Not(HasSubstr(series)));
}

TEST_F(MetricsTest, NamesAreEscaped) {
  EXPECT_THAT(metrics_.expose(), HasSubstr("sluice_node_slots{node=\"edge \\\"1\\\"\"} 2"));
}

TEST_F(MetricsTest, WaitingTasksAreSeen) {
  core::ActionBuffer actions;
  scheduler_.handle(core::NodeReport{.node = core::NodeId{1}, .ready = true, .round_trip = {}},
                    TimePoint{}, actions);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    core::Submitted submitted{.request = core::RequestId{i}, .labels = {}, .arrival = TimePoint{}};
    submitted.labels.model = core::ModelId{0};
    submitted.labels.tenant = core::TenantId{0};
    submitted.labels.realtime = core::Realtime::kLow;
    submitted.labels.size_bytes = 10;
    scheduler_.handle(submitted, TimePoint{}, actions);
  }
  const auto waiting = scheduler_.counters().waiting;
  ASSERT_GT(waiting, 0U);
  const auto text = metrics_.expose();
  std::uint32_t sum = 0;
  for (const auto lane : core::kLaneNames) {
    const auto key = "sluice_lane_waiting{lane=\"" + std::string(lane) + "\"} ";
    const auto at = text.find("\n" + key);
    ASSERT_NE(at, std::string::npos);
    sum += static_cast<std::uint32_t>(std::stoul(text.substr(at + 1 + key.size())));
  }
  EXPECT_EQ(sum, waiting);
}

TEST_F(MetricsTest, HistogramEndsWithInfinity) {
  core::Finish finish{};
  finish.waited = std::chrono::minutes(2);
  finish.deadline = kNever;
  metrics_.on_finish(finish, TimePoint{std::chrono::minutes(2)});
  const auto text = metrics_.expose();
  EXPECT_THAT(text, HasSubstr("sluice_task_queue_seconds_bucket{lane=\"high\",le=\"60\"} 0"));
  EXPECT_THAT(text, HasSubstr("sluice_task_queue_seconds_bucket{lane=\"high\",le=\"+Inf\"} 1"));
  EXPECT_THAT(text, HasSubstr("sluice_task_queue_seconds_sum{lane=\"high\"} 120"));
}

TEST_F(MetricsTest, BuildAndProcessAreThere) {
  const auto text = metrics_.expose();
  EXPECT_THAT(text, HasSubstr("sluice_build_info{version=\""));
  EXPECT_THAT(text, HasSubstr("\nprocess_resident_memory_bytes "));
}

}  // namespace
}  // namespace sluice::telemetry
