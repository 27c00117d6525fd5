#include "workload/report_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::workload {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ContainsRegex;
using testing::HasSubstr;

Run run_of(const std::string& policy, std::string_view outcome, std::string_view reason) {
  const RateCurve curve(
      {{.name = "all", .duration = seconds(1), .rate_from_rps = 1, .rate_to_rps = 1}});
  RunRecorder recorder(policy, 1, curve);
  recorder.record({.lane = "low",
                   .tenant = "t",
                   .model = "m",
                   .outcome = outcome,
                   .reason = reason,
                   .replica = "",
                   .latency = milliseconds(8),
                   .budget = milliseconds(10),
                   .starved_after = seconds(2)});
  return recorder.run();
}

TEST(ReportTable, PutsTheRunsOfALaneSideBySide) {
  const Report report{
      .kind = "demo",
      .version = "",
      .scenario = "",
      .runs = {run_of("fifo", "refused", "queue_full"), run_of("sluice", "completed", "none")}};
  const std::string table = to_table(report);
  EXPECT_THAT(table, ContainsRegex("low +fifo +1 +0 +0 +0.0% +- +- +-  refused queue_full 1\n"
                                   " +sluice +1 +1 +1 +100.0% +8.0 +8.0 +8.0  -\n"));
}

TEST(ReportTable, OrdersLanesByUrgency) {
  Report report{
      .kind = "load", .version = "", .scenario = "", .runs = {run_of("p", "completed", "none")}};
  report.runs[0].lanes["latency"];
  report.runs[0].lanes["high"];
  const std::string table = to_table(report);
  EXPECT_LT(table.find("high"), table.find("latency"));
  EXPECT_LT(table.find("latency"), table.find("low "));
}

TEST(ReportTable, SaysHowLateTheGeneratorWas) {
  Report report{
      .kind = "load", .version = "", .scenario = "", .runs = {run_of("p", "completed", "none")}};
  report.runs[0].generator_late.emplace().record(milliseconds(1));
  EXPECT_THAT(to_table(report), HasSubstr("generator late by 1.0 ms (P99)"));
}

}  // namespace
}  // namespace sluice::workload
