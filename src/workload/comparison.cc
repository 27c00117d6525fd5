#include "workload/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "workload/mix.h"

namespace sluice::workload {
namespace {

using Figure = std::optional<double>;

// What improvement means.
enum class Better { kLower, kHigher, kNeither };

struct Row {
  std::string label;
  Better better = Better::kNeither;
  std::function<Figure(const Run&)> figure;
};

struct Column {
  std::string_view policy;
  std::vector<const Run*> runs;

  // In characters, a gap before it included.
  std::size_t width() const {
    constexpr std::size_t kLeast = 20;
    constexpr std::size_t kGap = 2;
    return std::max(kLeast, policy.size() + kGap);
  }
};

// Of the runs that have the figure.
struct Spread {
  double mean = 0;
  double deviation = 0;
  std::size_t runs = 0;
};

Figure percent(Figure share) {
  return share ? Figure(*share * 100) : std::nullopt;
}

Figure quantile_ms(const Histogram& h, double q) {
  return h.count() == 0 ? std::nullopt : Figure(to_ms(h.quantile(q)));
}

const Group* find(const Groups& groups, std::string_view name) {
  const auto at = groups.find(name);
  return at == groups.end() ? nullptr : &at->second;
}

Row quantile_row(const std::string& lane, double q) {
  return {fmt::format("{} P{:.0f}, ms", lane, q * 100), Better::kLower, [lane, q](const Run& run) {
            const Group* group = find(run.lanes, lane);
            return group == nullptr ? std::nullopt : quantile_ms(group->latency, q);
          }};
}

// Of a group that may not be there, the share of what `part` points to.
Row share_row(std::string label, Better better, Groups Run::*groups, const std::string& name,
              std::uint64_t Group::*part) {
  return {std::move(label), better, [groups, name, part](const Run& run) {
            const Group* group = find(run.*groups, name);
            return group == nullptr ? std::nullopt : percent(group->share(group->*part));
          }};
}

Row missed_row(const std::string& lane) {
  return {fmt::format("{} SLA miss, %", lane), Better::kLower, [lane](const Run& run) -> Figure {
            const Group* group = find(run.lanes, lane);
            if (group == nullptr) return std::nullopt;
            return percent(group->share(group->offered - group->in_budget));
          }};
}

Figure measure(const Run& run, std::string_view name) {
  const auto at = run.measures.find(name);
  return at == run.measures.end() ? std::nullopt : at->second;
}

// The six figures of R47's table; starvation both by waiting alone and with all who got nothing.
std::vector<Row> headline_rows() {
  return {quantile_row("high", 0.95),
          missed_row("high"),
          {"peak throughput in budget, /s", Better::kHigher,
           [](const Run& run) { return run.peak_per_second(run.peak_in_budget); }},
          {"low waited too long, %", Better::kLower,
           [](const Run& run) { return percent(measure(run, "starved_waited_share")); }},
          share_row("low starved or never served, %", Better::kLower, &Run::lanes, "low",
                    &Group::starved),
          {"utilisation, %", Better::kHigher,
           [](const Run& run) { return percent(run.utilization_share); }},
          {"success, %", Better::kHigher,
           [](const Run& run) { return percent(run.total.share(run.total.answered)); }}};
}

Figure spread_ms(const Histogram& h) {
  const Figure most = quantile_ms(h, 0.95);
  return most ? Figure(*most - *quantile_ms(h, 0.05)) : std::nullopt;
}

std::vector<Row> whole_rows() {
  return {
      quantile_row("high", 0.99),
      {"latency P95 - P5, ms", Better::kLower,
       [](const Run& run) { return spread_ms(run.total.latency); }},
      {"mean wait, ms", Better::kLower,
       [](const Run& run) -> Figure {
         const Histogram& wait = run.total.wait;
         return wait.count() == 0 ? std::nullopt : Figure(to_ms(wait.mean()));
       }},
      {"in budget, %", Better::kHigher,
       [](const Run& run) { return percent(run.total.share(run.total.in_budget)); }},
      {"offered, /s", Better::kNeither,
       [](const Run& run) { return run.per_second(run.total.offered); }},
      {"throughput, /s", Better::kHigher,
       [](const Run& run) { return run.per_second(run.total.answered); }},
      {"peak throughput, all answers, /s", Better::kHigher,
       [](const Run& run) { return run.peak_per_second(run.peak_answered); }},
      {"idle device time, %", Better::kLower,
       [](const Run& run) {
         return run.utilization_share ? Figure(100 * (1 - *run.utilization_share)) : std::nullopt;
       }},
      {"memory, %", Better::kNeither, [](const Run& run) { return percent(run.memory_share); }}};
}

std::vector<Row> lane_rows(const std::string& lane) {
  return {share_row(lane + " in budget, %", Better::kHigher, &Run::lanes, lane, &Group::in_budget),
          share_row(lane + " success, %", Better::kHigher, &Run::lanes, lane, &Group::answered),
          quantile_row(lane, 0.50), quantile_row(lane, 0.95), quantile_row(lane, 0.99)};
}

std::vector<Row> tenant_rows(const std::set<std::string>& tenants) {
  std::vector<Row> rows;
  if (tenants.size() < 2) return rows;
  for (const std::string& tenant : tenants) {
    rows.push_back(share_row(tenant + " in budget, %", Better::kHigher, &Run::tenants, tenant,
                             &Group::in_budget));
    rows.push_back(share_row(tenant + " success, %", Better::kHigher, &Run::tenants, tenant,
                             &Group::answered));
  }
  return rows;
}

std::vector<Row> measure_rows(const std::set<std::string>& names) {
  std::vector<Row> rows;
  rows.reserve(names.size());
  for (const std::string& name : names) {
    rows.push_back({name, Better::kNeither, [name](const Run& run) { return measure(run, name); }});
  }
  return rows;
}

template <class Map>
std::set<std::string> names_in(const Report& report, Map Run::*map) {
  std::set<std::string> names;
  for (const Run& run : report.runs) {
    for (const auto& [name, value] : run.*map) names.insert(name);
  }
  return names;
}

std::vector<Column> columns_of(const Report& report) {
  std::vector<Column> columns;
  for (const Run& run : report.runs) {
    const auto same = [&](const Column& column) { return column.policy == run.policy; };
    auto at = std::find_if(columns.begin(), columns.end(), same);
    if (at == columns.end()) at = columns.insert(at, {.policy = run.policy, .runs = {}});
    at->runs.push_back(&run);
  }
  return columns;
}

Spread spread_of(const Row& row, const Column& column) {
  std::vector<double> values;
  for (const Run* run : column.runs) {
    if (const Figure value = row.figure(*run)) values.push_back(*value);
  }
  Spread spread{.runs = values.size()};
  if (values.empty()) return spread;
  const auto n = static_cast<double>(values.size());
  spread.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  if (n > 1) spread.deviation = std::sqrt(squares / (n - 1));
  return spread;
}

// As many digits as mean something.
std::string shown(double value) {
  const double size = std::abs(value);
  if (size < 1) return fmt::format("{:.3g}", value);
  return fmt::format("{:.{}f}", value, size >= 1000 ? 0 : size >= 10 ? 1 : 2);
}

std::string cell(const Spread& spread) {
  if (spread.runs == 0) return "-";
  if (spread.runs == 1) return shown(spread.mean);
  return fmt::format("{} ± {}", shown(spread.mean), shown(spread.deviation));
}

std::string improvement(Better better, const Spread& first, const Spread& last) {
  if (better == Better::kNeither) return "";
  if (first.runs == 0 || last.runs == 0 || first.mean == 0) return "-";
  const double change = (last.mean - first.mean) / first.mean;
  return fmt::format("{:+.1f}%", 100 * (better == Better::kHigher ? change : -change));
}

constexpr int kLabelWidth = 34;
constexpr int kImprovementWidth = 20;

void add_row(std::string& table, const Row& row, const std::vector<Column>& columns) {
  std::vector<Spread> spreads;
  spreads.reserve(columns.size());
  for (const Column& column : columns) spreads.push_back(spread_of(row, column));
  const auto there = [](const Spread& spread) { return spread.runs > 0; };
  if (std::none_of(spreads.begin(), spreads.end(), there)) return;
  fmt::format_to(std::back_inserter(table), "{:<{}}", row.label, kLabelWidth);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    fmt::format_to(std::back_inserter(table), "{:>{}}", cell(spreads[i]), columns[i].width());
  }
  if (columns.size() > 1) {
    fmt::format_to(std::back_inserter(table), "{:>{}}",
                   improvement(row.better, spreads.front(), spreads.back()), kImprovementWidth);
  }
  table.erase(table.find_last_not_of(' ') + 1);
  table += '\n';
}

void add_block(std::string& table, const std::vector<Row>& rows,
               const std::vector<Column>& columns) {
  const std::size_t before = table.size();
  table += '\n';
  const std::size_t begin = table.size();
  for (const Row& row : rows) add_row(table, row, columns);
  if (table.size() == begin) table.resize(before);
}

std::string heading(const std::vector<Column>& columns) {
  std::string line(kLabelWidth, ' ');
  for (const Column& column : columns) line += fmt::format("{:>{}}", column.policy, column.width());
  if (columns.size() > 1) line += fmt::format("{:>{}}", "improvement", kImprovementWidth);
  return line + '\n';
}

}  // namespace

std::string to_comparison(const Report& report) {
  const std::vector<Column> columns = columns_of(report);
  std::string table = heading(columns);
  for (const Row& row : headline_rows()) add_row(table, row, columns);
  add_block(table, whole_rows(), columns);
  for (const std::string_view lane : kLaneNames) {
    add_block(table, lane_rows(std::string(lane)), columns);
  }
  add_block(table, tenant_rows(names_in(report, &Run::tenants)), columns);
  add_block(table, measure_rows(names_in(report, &Run::measures)), columns);
  return table;
}

}  // namespace sluice::workload
