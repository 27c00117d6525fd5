#include <chrono>

#include <gtest/gtest.h>

#include "unit/config/serve/reading.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

std::string with_replicas(const std::string& replicas) {
  return "models: [{name: a}, {name: b}]\nreplicas:\n" + replicas;
}

TEST(ReplicasSection, GoToTheCoreAndToTheGateway) {
  const ServeConfig config = parse_serve_config(
      with_replicas("- {name: gpu0, url: 'http://10.0.0.1:8000/x', kind: triton, models: [b, a],\n"
                    "   slots: 8, credits: 12, cancel: stops, round_trip: 40ms}\n"
                    "- {url: 'http://[::1]:8001', models: [a]}\n"),
      "f.yaml");
  ASSERT_EQ(config.core.nodes.size(), 2U);
  ASSERT_EQ(config.replicas.size(), 2U);
  const core::NodeOptions& node = config.core.nodes[0];
  EXPECT_EQ(node.name, "gpu0");
  EXPECT_EQ(node.models, (std::vector{core::ModelId{1}, core::ModelId{0}}));
  EXPECT_EQ(node.slots, 8U);
  EXPECT_EQ(node.credits, 12U);
  EXPECT_EQ(node.cancel, core::CancelMode::kStops);
  EXPECT_EQ(node.round_trip, Duration(40ms));
  EXPECT_EQ(config.replicas[0].address.host, "10.0.0.1");
  EXPECT_EQ(config.replicas[0].path_prefix, "/x");
  EXPECT_EQ(config.replicas[0].kind, ReplicaKind::kTriton);
  EXPECT_EQ(config.core.nodes[1].name, "[::1]:8001");
  EXPECT_EQ(config.core.nodes[1].credits, std::nullopt);
  EXPECT_EQ(config.core.nodes[1].cancel, core::CancelMode::kIgnored);
}

TEST(ReplicasSection, ReferencesAreChecked) {
  EXPECT_EQ(error_of(with_replicas("- {url: 'http://x:1', models: [a, c]}\n")),
            "sluice.yaml:3: replicas[0].models[1]: \"c\" is not the name of a model; write one of "
            "a, b");
  EXPECT_EQ(error_of(with_replicas("- {url: 'http://x:1', models: [a]}\n")),
            "sluice.yaml:1: models: no replica serves b; add one, or remove the model");
  EXPECT_EQ(error_of(with_replicas("- {url: 'http://x:1', models: [a, b, a]}\n")),
            "sluice.yaml:3: replicas[0].models: a model is named twice");
  EXPECT_EQ(error_of(with_replicas("- {url: 'http://x:1', models: []}\n")),
            "sluice.yaml:3: replicas[0].models: is empty; it needs at least one item");
}

TEST(ReplicasSection, NamesAreUnique) {
  EXPECT_EQ(error_of(with_replicas("- {url: 'http://x:1', models: [a, b]}\n"
                                   "- {url: 'http://x:1/', models: [a]}\n")),
            "sluice.yaml:4: replicas[1].url: another replica is called x:1; give each its own "
            "name");
  EXPECT_EQ(error_of(with_replicas("- {url: 'http://x:1', models: [a, b]}\n"
                                   "- {name: y, url: 'http://x:1', models: [a]}\n")),
            "");
}

TEST(ReplicasSection, SaysWhichUrlsThereAre) {
  EXPECT_EQ(error_of(with_replicas("- {url: 'https://x:1', models: [a, b]}\n")),
            "sluice.yaml:3: replicas[0].url: \"https://x:1\" is not a URL; write http://HOST:PORT "
            "or http://HOST:PORT/PREFIX; https is not supported");
}

// R26
TEST(ReplicasSection, ClassesAndRangesSayWhatTheyTake) {
  const auto nodes =
      parse_serve_config(with_replicas("- {url: 'http://x:1', models: [a, b]}\n"
                                       "- {url: 'http://x:2', models: [a], class: high}\n"
                                       "- {url: 'http://x:3', models: [a], class: high,"
                                       " accepts: 0..4, standby: true}\n"),
                         "f.yaml")
          .core.nodes;
  EXPECT_EQ(nodes[0].accepted(), (core::PriorityRange{0, 9}));
  EXPECT_FALSE(nodes[0].standby);
  EXPECT_EQ(nodes[1].accepted(), (core::PriorityRange{0, 2}));
  EXPECT_EQ(nodes[2].accepted(), (core::PriorityRange{0, 4}));
  EXPECT_TRUE(nodes[2].standby);
}

TEST(ReplicasSection, SaysWhichClassesAndRangesThereAre) {
  EXPECT_EQ(error_of(with_replicas("- {url: 'http://x:1', models: [a, b], class: urgent}\n")),
            "sluice.yaml:3: replicas[0].class: \"urgent\" is not one of high, medium, low");
  EXPECT_EQ(error_of(with_replicas("- {url: 'http://x:1', models: [a, b], accepts: 4..0}\n")),
            "sluice.yaml:3: replicas[0].accepts: \"4..0\" is not a range of priorities; write "
            "FROM..TO, from 0 (most urgent) to 9, like 0..4");
}

TEST(ReplicasSection, AttemptsStayCountable) {
  std::string replicas;
  for (int i = 0; i < 8193; ++i) {
    replicas +=
        "- {url: 'http://x:1', models: [a, b], slots: 65535, name: n" + std::to_string(i) + "}\n";
  }
  EXPECT_EQ(error_of(with_replicas(replicas)),
            "sluice.yaml:2: replicas: their credits add up to more than 2^31");
}

}  // namespace
}  // namespace sluice::config
