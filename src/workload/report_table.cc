#include "workload/report_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <vector>

#include "workload/mix.h"

namespace sluice::workload {
namespace {

// Lanes of any run: the three in order of urgency, then whatever else there may be.
std::vector<std::string> lane_names(const Report& report) {
  std::set<std::string, std::less<>> seen;
  for (const Run& run : report.runs) {
    for (const auto& [name, group] : run.lanes) seen.insert(name);
  }
  std::vector<std::string> names;
  for (const auto lane : kLaneNames) {
    if (seen.erase(std::string(lane)) > 0) names.emplace_back(lane);
  }
  names.insert(names.end(), seen.begin(), seen.end());
  return names;
}

std::string percent(std::optional<double> share) {
  return share ? fmt::format("{:.1f}%", *share * 100) : "-";
}

std::string quantile_ms(const Histogram& h, double q) {
  return h.count() == 0 ? "-" : fmt::format("{:.1f}", to_ms(h.quantile(q)));
}

void append(std::string& text, std::string_view what, std::uint64_t count) {
  if (!text.empty()) text += ", ";
  text += fmt::format("{} {}", what, count);
}

// What became of those that were not answered: refusals and failures by reason.
std::string unanswered(const Group& group) {
  std::string text;
  for (const auto& [reason, count] : group.refused) append(text, "refused " + reason, count);
  for (const auto& [reason, count] : group.failed) append(text, "failed " + reason, count);
  for (const std::string_view outcome : {"expired", "cancelled"}) {
    const auto at = group.outcomes.find(outcome);
    if (at != group.outcomes.end()) append(text, outcome, at->second);
  }
  return text.empty() ? "-" : text;
}

void add_row(std::string& table, std::string_view lane, const Run& run, const Group& group) {
  fmt::format_to(
      std::back_inserter(table), "{:<8} {:<15} {:>8} {:>9} {:>10} {:>7} {:>8} {:>8} {:>8}  {}\n",
      lane, run.policy, group.offered, group.answered, group.in_budget,
      percent(group.share(group.in_budget)), quantile_ms(group.latency, 0.50),
      quantile_ms(group.latency, 0.95), quantile_ms(group.latency, 0.99), unanswered(group));
}

void add_block(std::string& table, const Report& report, const std::string& lane) {
  static const Group kNothing;
  std::string_view label = lane;
  for (const Run& run : report.runs) {
    const auto at = run.lanes.find(lane);
    add_row(table, label, run, at == run.lanes.end() ? kNothing : at->second);
    label = "";
  }
}

void add_totals(std::string& table, const Report& report) {
  std::string_view label = "all";
  for (const Run& run : report.runs) {
    add_row(table, label, run, run.total);
    label = "";
  }
  for (const Run& run : report.runs) {
    fmt::format_to(std::back_inserter(table),
                   "{}: offered {:.1f}/s, answered {:.1f}/s, in budget {:.1f}/s", run.policy,
                   run.per_second(run.total.offered), run.per_second(run.total.answered),
                   run.per_second(run.total.in_budget));
    if (run.generator_late) {
      fmt::format_to(std::back_inserter(table), "; generator late by {} ms (P99)",
                     quantile_ms(*run.generator_late, 0.99));
    }
    table += '\n';
  }
}

}  // namespace

std::string to_table(const Report& report) {
  std::string table = fmt::format("{:<8} {:<15} {:>8} {:>9} {:>10} {:>7} {:>8} {:>8} {:>8}  {}\n",
                                  "lane", "policy", "offered", "answered", "in budget", "hit",
                                  "P50 ms", "P95 ms", "P99 ms", "not answered");
  for (const std::string& lane : lane_names(report)) add_block(table, report, lane);
  add_totals(table, report);
  return table;
}

}  // namespace sluice::workload
