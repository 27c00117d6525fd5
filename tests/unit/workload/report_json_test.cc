#include "workload/report_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace sluice::workload {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;

Report one_run() {
  const RateCurve curve(
      {{.name = "all", .duration = seconds(2), .rate_from_rps = 1, .rate_to_rps = 1}});
  RunRecorder recorder("sluice", 3, curve);
  Sample sample{.lane = "low",
                .tenant = "acme",
                .model = "detect",
                .outcome = "completed",
                .reason = "none",
                .replica = "r1",
                .phase = 0,
                .intended = seconds(1),
                .latency = milliseconds(8),
                .wait = milliseconds(2),
                .budget = milliseconds(100),
                .starved_after = seconds(2)};
  recorder.record(sample);
  sample.outcome = "refused";
  sample.reason = "would_miss_deadline";
  sample.replica = "";
  sample.wait.reset();
  recorder.record(sample);
  return {.kind = "load", .version = "1.2.3", .scenario = "s", .runs = {recorder.run()}};
}

// Compared as unordered JSON: the names and values are the format, their order is not.
TEST(ReportJson, KnownSamplesGiveKnownGroup) {
  const json statistics_8 = {{"mean", 8.0}, {"p50", 8.0}, {"p95", 8.0}, {"p99", 8.0}, {"max", 8.0}};
  const json statistics_2 = {{"mean", 2.0}, {"p50", 2.0}, {"p95", 2.0}, {"p99", 2.0}, {"max", 2.0}};
  const json wanted = {{"offered", 2},
                       {"answered", 1},
                       {"in_budget", 1},
                       {"hit_share", 0.5},
                       {"miss_share", 0.5},
                       {"success_share", 0.5},
                       {"starved_share", 0.5},
                       {"latency_ms", statistics_8},
                       {"wait_ms", statistics_2},
                       {"refused", {{"would_miss_deadline", 1}}},
                       {"failed", json::object()},
                       {"outcomes", {{"completed", 1}, {"refused", 1}}}};
  EXPECT_EQ(json(to_json(one_run().runs[0].lanes.at("low"))), wanted);
}

TEST(ReportJson, RunHasTheNamesOfTheFormat) {
  const json report = to_json(one_run());
  EXPECT_EQ(report["kind"], "load");
  EXPECT_EQ(report["version"], "1.2.3");
  EXPECT_EQ(report["scenario"], "s");
  const json& run = report["runs"][0];
  EXPECT_EQ(run["policy"], "sluice");
  EXPECT_EQ(run["seed"], 3);
  EXPECT_EQ(run["duration_s"], 2.0);
  EXPECT_EQ(run["offered_rps"], 1.0);
  EXPECT_EQ(run["throughput_rps"], 0.5);
  EXPECT_EQ(run["peak_throughput_rps"], 0.5);
  EXPECT_EQ(run["peak_raw_rps"], 0.5);
  EXPECT_EQ(run["goodput_rps"], 0.5);
  EXPECT_EQ(run["success_share"], 0.5);
  EXPECT_EQ(run["starved_share"], 0.5);
  EXPECT_EQ(run["tenants"]["acme"]["offered"], 2);
  EXPECT_EQ(run["models"]["detect"]["offered"], 2);
  EXPECT_EQ(run["phases"]["all"]["lanes"]["low"]["offered"], 2);
  EXPECT_EQ(run["replicas"]["r1"]["attempts"], 1);
  EXPECT_EQ(run["faults"], json::object());
  EXPECT_EQ(run["violations"], 0);
}

TEST(ReportJson, WhatWasNotMeasuredIsNull) {
  const json run = to_json(one_run().runs[0]);
  EXPECT_TRUE(run["utilization_share"].is_null());
  EXPECT_TRUE(run["memory_share"].is_null());
  EXPECT_FALSE(run.contains("generator_late_ms"));
  const json nothing = to_json(Group{});
  EXPECT_TRUE(nothing["hit_share"].is_null());
  EXPECT_TRUE(nothing["latency_ms"]["p99"].is_null());
}

}  // namespace
}  // namespace sluice::workload
