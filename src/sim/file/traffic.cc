// traffic: who sends what, and how much of it when.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "sim/file/kinds.h"
#include "sim/file/names.h"
#include "sim/file/sections.h"

namespace sluice::sim {
namespace {

using config::Fields;
using std::chrono::hours;
using std::chrono::milliseconds;
using workload::Phase;

constexpr double kRateLimit = 1e7;
constexpr double kWeightLimit = 1e9;
// Days of a processor; nobody means it.
constexpr double kArrivalsLimit = 1e11;
constexpr Duration kLengthLimit = hours(24) * 366;
constexpr std::size_t kStreamsLimit = 1024;

void read_phase(Fields& f, Phase& phase) {
  f.optional("name", config::name(), phase.name, "What the report calls it");
  f.required("duration_s", seconds_number(milliseconds(1), hours(24) * 31), phase.duration,
             "How long it lasts");
  f.optional("rate", config::number(0, kRateLimit), phase.rate_from_rps,
             "Requests a second, all the time; instead of the two below");
  phase.rate_to_rps = phase.rate_from_rps;
  f.optional("rate_from", config::number(0, kRateLimit), phase.rate_from_rps,
             "Requests a second at its start; linear in between");
  f.optional("rate_to", config::number(0, kRateLimit), phase.rate_to_rps, "At its end");
  const bool has_ends = f.has("rate_from") && f.has("rate_to");
  const bool has_end = f.has("rate_from") || f.has("rate_to");
  if (f.has("rate") && has_end) f.fail("rate", "stands beside rate_from or rate_to; keep one");
  if (!f.has("rate") && !has_ends) {
    f.fail("duration_s", "stands without a rate; write rate, or rate_from and rate_to");
  }
}

void name_phases(const Fields& f, std::vector<Phase>& phases) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    if (phases[i].name.empty()) phases[i].name = fmt::format("phase-{}", i + 1);
    if (!names.insert(phases[i].name).second) {
      f.fail("phases", fmt::format("two are called \"{}\"; give each a name", phases[i].name));
    }
  }
}

void check_phases(const Fields& f, const std::vector<Phase>& phases) {
  double arrivals = 0;
  Duration length{0};
  for (const Phase& phase : phases) {
    arrivals += phase.expected_arrivals();
    length += phase.duration;
    if (length > kLengthLimit) f.fail("phases", "last more than 366 days");
  }
  if (arrivals < 1) f.fail("phases", "send less than one request; raise a rate or a duration");
  if (arrivals > kArrivalsLimit) {
    f.fail("phases", fmt::format("send {:.1e} requests; at most {:.0e}", arrivals, kArrivalsLimit));
  }
}

void read_phases(Fields& f, bool is_required, std::vector<Phase>& out) {
  f.list("phases", out, is_required, "One after another", read_phase);
  if (out.empty()) return;
  name_phases(f, out);
  check_phases(f, out);
}

// Relative weights by name; what is not named has none.
void read_weights(Fields& f, std::string_view placeholder, const std::vector<std::string>& names,
                  std::string_view what, std::vector<double>& out) {
  out.assign(names.size(), 0);
  for (const std::string& name : f.free_keys(placeholder)) {
    double weight = 0;
    f.required(name, config::number(0, kWeightLimit), weight, "Relative to the others");
    if (const auto i = index_named(f, name, names, name, what)) out[*i] = weight;
  }
}

void check_sum(const Fields& f, std::string_view key, const std::vector<double>& weights) {
  if (std::accumulate(weights.begin(), weights.end(), 0.0) > 0) return;
  f.fail(key, "adds up to nothing; give something a weight above 0");
}

void read_priority_row(Fields& f, const std::string& model,
                       std::array<double, core::kPriorities>& out) {
  std::vector<double> row;
  f.scalars(model, config::number(0, kWeightLimit), row, true,
            "Relative weights of levels 0 to 9, ten numbers");
  if (row.empty()) return;
  if (row.size() != out.size()) {
    f.fail(model, fmt::format("has {} weights; write ten, for levels 0 to 9", row.size()));
  } else {
    std::copy(row.begin(), row.end(), out.begin());
  }
}

void read_priority_weights(Fields& f, const Scenario& scenario, Stream& out) {
  const auto models = names_of(scenario.models);
  for (const std::string& name : f.free_keys("<model>")) {
    const auto m = index_named(f, name, models, name, "model");
    std::array<double, core::kPriorities> row{};
    read_priority_row(f, name, row);
    if (m) out.priority_weights[*m] = row;
  }
}

// Levels that are not listed get weight 0.
void read_levels(Fields& f, Stream& out) {
  std::vector<std::uint64_t> levels;
  f.scalars("levels", config::count(0, core::kPriorities - 1), levels, false,
            "Only these priority levels; the others get weight 0");
  if (levels.empty()) return;
  for (auto& row : out.priority_weights) {
    for (std::size_t level = 0; level < row.size(); ++level) {
      if (std::find(levels.begin(), levels.end(), level) == levels.end()) row[level] = 0;
    }
  }
}

void check_priorities(const Fields& f, const Scenario& scenario, const Stream& stream) {
  for (std::size_t m = 0; m < stream.mix.size(); ++m) {
    const auto& row = stream.priority_weights[m];
    if (stream.mix[m] == 0 || std::accumulate(row.begin(), row.end(), 0.0) > 0) continue;
    f.fail(f.has("levels") ? "levels" : "priority_weights",
           fmt::format("leave {} without a priority level", scenario.models[m].name));
  }
}

// The keys that traffic and each of its streams have in common: what a stream does not say, it
// takes from traffic.
void read_common(Fields& f, const Scenario& scenario, Stream& out) {
  f.map("mix", "Models, by relative share", [&](Fields& mix) {
    read_weights(mix, "<model>", names_of(scenario.models), "model", out.mix);
  });
  check_sum(f, "mix", out.mix);
  f.map("priority_weights", "Priority levels, by model",
        [&](Fields& weights) { read_priority_weights(weights, scenario, out); });
  f.map("arrivals", "How gaps are drawn, at the rate of the phase",
        [&](Fields& arrivals) { read_arrivals(arrivals, out.arrivals); });
}

void read_tenant_of(Fields& f, const Scenario& scenario, Stream& out) {
  const auto names = names_of(scenario.tenants);
  std::optional<std::string> tenant;
  f.optional("tenant", config::name(), tenant, "All is this tenant's", "by tenants");
  f.map("tenants", "Tenants, by relative share",
        [&](Fields& weights) { read_weights(weights, "<tenant>", names, "tenant", out.tenants); });
  if (f.has("tenant") && f.has("tenants")) f.fail("tenant", "stands beside tenants; keep one");
  check_sum(f, "tenants", out.tenants);
  if (!tenant) return;
  if (const auto t = index_named(f, "tenant", names, *tenant, "tenant")) {
    out.tenants.assign(names.size(), 0);
    out.tenants[*t] = 1;
  }
}

void read_stream(Fields& f, const Scenario& scenario, const Stream& defaults, Stream& out) {
  if (scenario.streams.size() >= kStreamsLimit) {
    f.fail("name", fmt::format("is one too many; at most {} streams", kStreamsLimit));
  }
  out = defaults;
  f.required("name", config::name(), out.name, "What people call it");
  read_common(f, scenario, out);
  read_levels(f, out);
  check_priorities(f, scenario, out);
  read_tenant_of(f, scenario, out);
  read_phases(f, true, out.phases);
}

void check_streams(const Fields& f, const std::vector<Stream>& streams) {
  std::set<std::string> names;
  for (const Stream& stream : streams) {
    if (names.insert(stream.name).second) continue;
    f.fail("streams", fmt::format("two are called \"{}\"", stream.name));
  }
}

// Every model alike, every level alike.
Stream even_stream(const Scenario& scenario) {
  Stream stream{.name = "all"};
  std::array<double, core::kPriorities> even{};
  even.fill(1);
  stream.mix.assign(scenario.models.size(), 1);
  stream.priority_weights.assign(scenario.models.size(), even);
  return stream;
}

void read_tenant_shares(Fields& f, Scenario& scenario, Stream& out) {
  f.map("tenants",
        "Tenants, by relative share; declares them. Those of `tenants` alike where absent",
        [&](Fields& weights) {
          declare_tenants(weights, scenario);
          read_weights(weights, "<tenant>", names_of(scenario.tenants), "tenant", out.tenants);
        });
  if (scenario.tenants.empty()) scenario.tenants.push_back({.name = "default"});
  if (!f.has("tenants")) out.tenants.assign(scenario.tenants.size(), 1);
  check_sum(f, "tenants", out.tenants);
}

void read_all(Fields& f, Scenario& out) {
  Stream common = even_stream(out);
  read_common(f, out, common);
  read_tenant_shares(f, out, common);
  std::vector<Phase> phases;
  read_phases(f, !f.has("streams"), phases);
  f.list("streams", out.streams, !f.has("phases"), "Kinds of callers, at the same time; or phases",
         [&](Fields& s, Stream& stream) { read_stream(s, out, common, stream); });
  if (f.has("phases") && f.has("streams")) f.fail("phases", "stand beside streams; keep one");
  if (!phases.empty()) {
    check_priorities(f, out, common);
    common.phases = std::move(phases);
    out.streams.push_back(std::move(common));
  }
  check_streams(f, out.streams);
  f.optional("drain_s", seconds_number(Duration::zero(), hours(24)), out.drain,
             "Time without arrivals at the end; what is unanswered then has failed");
}

}  // namespace

void read_traffic(Fields& root, Scenario& out) {
  out.drain = std::chrono::seconds(30);
  root.required_map("traffic", "Who sends what, and how much of it when",
                    [&](Fields& f) { read_all(f, out); });
}

}  // namespace sluice::sim
