#include "workload/comparison.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace sluice::workload {
namespace {

using std::chrono::milliseconds;

// 100 requests of the high lane, of which so many come in budget and the rest twice as late as
// that allows.
Run run_of(const std::string& policy, std::uint64_t seed, int in_budget) {
  const RateCurve curve({{.name = "all",
                          .duration = std::chrono::seconds(10),
                          .rate_from_rps = 10,
                          .rate_to_rps = 10}});
  RunRecorder recorder(policy, seed, curve);
  for (int i = 0; i < 100; ++i) {
    recorder.record({.lane = "high",
                     .tenant = "acme",
                     .model = "detect",
                     .outcome = "completed",
                     .reason = "none",
                     .intended = milliseconds(90 * i),
                     .latency = milliseconds(i < in_budget ? 10 : 200),
                     .wait = milliseconds(5),
                     .budget = milliseconds(100),
                     .starved_after = milliseconds(1000)});
  }
  return recorder.run();
}

Report report_of(std::vector<Run> runs) {
  return {.kind = "sim", .version = "0", .scenario = "s", .runs = std::move(runs)};
}

// The words of the line that begins with the label, after it.
std::vector<std::string> row(const std::string& table, const std::string& label) {
  std::istringstream lines(table);
  std::vector<std::string> words;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(label + " ", 0) != 0) continue;
    std::istringstream rest(line.substr(label.size()));
    for (std::string word; rest >> word;) words.push_back(word);
    break;
  }
  return words;
}

using Words = std::vector<std::string>;

TEST(Comparison, PutsPoliciesSideBySideWithTheImprovementOfTheLast) {
  const std::string table = to_comparison(
      report_of({run_of("fifo", 1, 60), run_of("edf", 1, 50), run_of("sluice", 1, 90)}));
  EXPECT_EQ(row(table, "high SLA miss, %"), (Words{"40.0", "50.0", "10.0", "+75.0%"}));
  EXPECT_EQ(row(table, "in budget, %"), (Words{"60.0", "50.0", "90.0", "+50.0%"}));
  EXPECT_NE(table.find("improvement\n"), std::string::npos);
}

TEST(Comparison, AWorseFigureIsANegativeImprovement) {
  const std::string table = to_comparison(report_of({run_of("a", 1, 90), run_of("b", 1, 80)}));
  EXPECT_EQ(row(table, "high SLA miss, %"), (Words{"10.0", "20.0", "-100.0%"}));
  EXPECT_EQ(row(table, "high in budget, %"), (Words{"90.0", "80.0", "-11.1%"}));
}

TEST(Comparison, SeedsOfAPolicyBecomeMeanAndDeviation) {
  const std::string table = to_comparison(
      report_of({run_of("a", 1, 80), run_of("a", 2, 90), run_of("b", 1, 90), run_of("b", 2, 90)}));
  EXPECT_EQ(row(table, "high SLA miss, %"),
            (Words{"15.0", "±", "7.07", "10.0", "±", "0", "+33.3%"}));
}

TEST(Comparison, OnePolicyHasNoImprovement) {
  const std::string table = to_comparison(report_of({run_of("a", 1, 80)}));
  EXPECT_EQ(row(table, "high SLA miss, %"), (Words{"20.0"}));
  EXPECT_EQ(table.find("improvement"), std::string::npos);
}

TEST(Comparison, WhatOnlyOneOfThemHasIsADashAndWhatNoneHasIsNotThere) {
  auto measured = run_of("b", 1, 80);
  measured.measures["reaction_s"] = 2.5;
  const std::string table = to_comparison(report_of({run_of("a", 1, 80), measured}));
  EXPECT_EQ(row(table, "reaction_s"), (Words{"-", "2.50"}));
  EXPECT_EQ(row(table, "utilisation, %"), Words{});
  EXPECT_EQ(row(table, "low P95, ms"), Words{});
}

TEST(Comparison, TenantsAreShownWhereThereAreSeveral) {
  auto run = run_of("a", 1, 80);
  EXPECT_EQ(row(to_comparison(report_of({run})), "acme in budget, %"), Words{});
  run.tenants["basic"].offered = 4;
  run.tenants["basic"].answered = 1;
  const std::string table = to_comparison(report_of({run}));
  EXPECT_EQ(row(table, "acme in budget, %"), (Words{"80.0"}));
  EXPECT_EQ(row(table, "basic success, %"), (Words{"25.0"}));
}

TEST(Comparison, NothingIsAnEmptyTable) {
  EXPECT_EQ(row(to_comparison(report_of({})), "success, %"), Words{});
}

// Columns stay apart.
TEST(Comparison, LongNamesHaveRoom) {
  const std::string table = to_comparison(
      report_of({run_of("power-of-two", 1, 90), run_of("join-shortest-expected", 1, 90)}));
  std::istringstream heading(table);
  std::string first;
  std::string second;
  heading >> first >> second;
  EXPECT_EQ(first, "power-of-two");
  EXPECT_EQ(second, "join-shortest-expected");
}

}  // namespace
}  // namespace sluice::workload
