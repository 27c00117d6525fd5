#include <chrono>

#include <gtest/gtest.h>

#include "unit/config/serve/reading.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

TEST(PathsSection, SlowStartIsOnUnlessTurnedOff) {
  EXPECT_TRUE(read_with("").core.slow_start.enabled);
  const core::SlowStartOptions read =
      read_with("slow_start: {enabled: false, attempts: 3, joins_after: 1min}\n").core.slow_start;
  EXPECT_FALSE(read.enabled);
  EXPECT_EQ(read.attempts, 3U);
  EXPECT_EQ(read.joins_after, Duration(1min));
}

TEST(PathsSection, SlowStartNeedsAnAttempt) {
  EXPECT_EQ(error_with("slow_start: {attempts: 0}\n"),
            "sluice.yaml:4: slow_start.attempts: \"0\" is out of bounds; write 1 to 65535");
}

std::string with_paths(const std::string& paths, const std::string& replica) {
  return "models: [{name: a}]\n" + paths + "\nreplicas:\n- {url: 'http://x:1', models: [a]" +
         replica + "}\n";
}

TEST(PathsSection, PathsAreInOrderAndReplicasAreOnThem) {
  const auto core = [](const std::string& replica) {
    return parse_serve_config(with_paths("paths: [hot, cold]", replica), "f.yaml").core;
  };
  EXPECT_EQ(core("").paths, (std::vector<std::string>{"hot", "cold"}));
  EXPECT_FALSE(core("").nodes[0].path.valid()) << "the first";
  EXPECT_EQ(core(", path: cold").nodes[0].path, core::PathId{1});
}

TEST(PathsSection, SaysWhichPathsThereAre) {
  EXPECT_EQ(
      error_of(with_paths("paths: [hot, cold]", ", path: warm")),
      "sluice.yaml:4: replicas[0].path: \"warm\" is not the name of a path; write one of hot, "
      "cold");
  EXPECT_EQ(error_of(with_paths("", ", path: warm")),
            "sluice.yaml:4: replicas[0].path: \"warm\" is not the name of a path; write none: the "
            "file names no path");
  EXPECT_EQ(error_of(with_paths("paths: [hot, hot]", "")),
            "sluice.yaml:2: paths: hot is there twice");
  EXPECT_EQ(error_of(with_paths("paths: [a, b, c, d, e, f, g, h, i]", "")),
            "sluice.yaml:2: paths: more than 8");
}

TEST(PathsSection, SwitchingIsConfigured) {
  const core::PathOptions path =
      read_with(
          "path_switch: {leave: {utilisation: 80%}, enter: {queue: 0.2}, probes: 5,\n"
          "  failures_in_a_row: 2, hold: 5s, leave_slowness: 2}\n")
          .core.path;
  EXPECT_EQ(path.leave.utilisation, 0.8);
  EXPECT_EQ(path.leave.queue, 0.9);
  EXPECT_EQ(path.enter.queue, 0.2);
  EXPECT_EQ(path.probes, 5U);
  EXPECT_EQ(path.failures_in_a_row, 2U);
  EXPECT_EQ(path.hold, Duration(5s));
  EXPECT_EQ(path.leave_slowness, 2);
}

TEST(PathsSection, WhatWouldGoToAndFroIsAnError) {
  EXPECT_EQ(error_with("path_switch: {leave: {utilisation: 50%}}\n"),
            "sluice.yaml:4: path_switch.enter: is above leave: the model would go to and fro");
  EXPECT_EQ(error_with("path_switch: {hold: 500ms}\n"),
            "sluice.yaml:4: path_switch.hold: is shorter than least_stay");
}

}  // namespace
}  // namespace sluice::config
