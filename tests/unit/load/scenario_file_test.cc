#include "load/scenario_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <variant>

#include "config/error.h"

namespace sluice::load {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

constexpr const char* kWhole = R"(
name: clinic
seed: 7
arrivals: constant
phases:
  - { name: calm, duration: 10s, rate: 50/s }
  - { name: rush, duration: 5s, rate: 50/s, to: 800/s }
classes:
  - name: x-ray
    share: 9
    model: orientation
    tenant: ward-1
    realtime: high
    priority: 1
    budget: 100ms
    starved_after: 3s
    input: { images: [a.png, b.png], tensor: x, width: 192, height: 48, normalise: imagenet }
  - model: detection
    budget: 2s
    realtime: low
    lane: latency
    input: { bytes: 4KiB }
callers: { timeout: 4s, connections: 32, when_busy: drop, leave: 5% }
)";

TEST(ScenarioFile, ReadsTheWholeOfIt) {
  const Scenario s = parse_scenario(kWhole, "s.yaml");
  EXPECT_EQ(s.name, "clinic");
  EXPECT_EQ(s.seed, 7u);
  EXPECT_EQ(s.process, workload::Process::kConstant);
  ASSERT_EQ(s.curve.phases().size(), 2u);
  EXPECT_EQ(s.curve.phases()[0].rate_to_rps, 50);
  EXPECT_EQ(s.curve.phases()[1].rate_to_rps, 800);
  EXPECT_EQ(s.callers.timeout, seconds(4));
  EXPECT_EQ(s.callers.connections, 32u);
  EXPECT_EQ(s.callers.when_busy, WhenBusy::kDrop);
  EXPECT_DOUBLE_EQ(s.callers.leave_share, 0.05);
}

TEST(ScenarioFile, ReadsClasses) {
  const Scenario s = parse_scenario(kWhole, "s.yaml");
  ASSERT_EQ(s.classes.size(), 2u);
  const auto& x_ray = s.classes[0];
  EXPECT_EQ(x_ray.name, "x-ray");
  EXPECT_EQ(x_ray.share, 9);
  EXPECT_EQ(x_ray.tenant, "ward-1");
  EXPECT_EQ(x_ray.realtime, "high");
  EXPECT_EQ(x_ray.priority, 1);
  EXPECT_EQ(x_ray.budget, milliseconds(100));
  EXPECT_EQ(x_ray.lane, "high");
  EXPECT_EQ(x_ray.starved_after, seconds(3));
  const auto& image = std::get<workload::ImageInput>(x_ray.input);
  EXPECT_EQ(image.files.size(), 2u);
  EXPECT_EQ(image.width, 192);
  EXPECT_EQ(image.normalisation, workload::Normalisation::kImagenet);
  EXPECT_EQ(s.classes[1].name, "detection");
  EXPECT_EQ(s.classes[1].lane, "latency");
  EXPECT_EQ(std::get<workload::BytesInput>(s.classes[1].input).size_bytes, 4096u);
}

TEST(ScenarioFile, TheShortestIsAPhaseAndAClass) {
  const Scenario s = parse_scenario(
      "phases: [{duration: 1s, rate: 10/s}]\nclasses: [{model: m, budget: 1s}]\n", "s.yaml");
  EXPECT_EQ(s.classes[0].lane, "latency");
  EXPECT_EQ(s.classes[0].tenant, "default");
  EXPECT_FALSE(s.classes[0].realtime);
  EXPECT_EQ(std::get<workload::BytesInput>(s.classes[0].input).size_bytes, 1024u);
}

struct Wrong {
  const char* yaml;
  const char* said;
};

class ScenarioFileErrors : public testing::TestWithParam<Wrong> {};

TEST_P(ScenarioFileErrors, SayWhereAndWhat) {
  try {
    parse_scenario(GetParam().yaml, "s.yaml");
    FAIL() << "read " << GetParam().yaml;
  } catch (const config::ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("s.yaml:"));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().said));
  }
}

INSTANTIATE_TEST_SUITE_P(
    ScenarioFile, ScenarioFileErrors,
    testing::Values(
        Wrong{"classes: [{model: m, budget: 1s}]", "phases"},
        Wrong{"phases: [{duration: 1s, rate: 10/s}]", "classes"},
        Wrong{"phases: [{duration: 1s, rate: 0/s}]\nclasses: [{model: m, budget: 1s}]",
              "less than one request"},
        Wrong{"phases: [{duration: 1s, rate: 9/s}, {duration: 1s, rate: 9/s}]\n"
              "classes: [{model: m, budget: 1s}]",
              "two phases are called \"steady\""},
        Wrong{"phases: [{duration: 1s, rate: 9/s}]\nclasses: [{model: 'a/b c', budget: 1s}]",
              "classes[0].model"},
        Wrong{"phases: [{duration: 1s, rate: 9/s}]\n"
              "classes: [{model: m, budget: 1s, input: {bytes: 1, images: [a.png]}}]",
              "keep one"},
        Wrong{"phases: [{duration: 1s, rate: 9/s}]\n"
              "classes: [{model: m, budget: 1s, realtime: urgent}]",
              "high, medium, low"},
        Wrong{"phases: [{duration: 1s, rate: 9/s}]\n"
              "classes: [{model: m, budget: 1s, priority: 10}]",
              "0 to 9"},
        Wrong{"phases: [{duration: 1s, rate: 9/s}]\nclasses: [{model: m, budget: 1s}]\n"
              "callers: {patience: 1s}",
              "patience"}));

TEST(ScenarioFile, HasAReference) {
  EXPECT_THAT(scenario_reference(), HasSubstr("starved_after"));
}

}  // namespace
}  // namespace sluice::load
