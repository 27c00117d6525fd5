// faults: what breaks, where, and when.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/file/kinds.h"
#include "sim/file/names.h"
#include "sim/file/sections.h"

namespace sluice::sim {
namespace {

using config::Fields;
using std::chrono::hours;
using std::chrono::milliseconds;

constexpr std::size_t kFaultsLimit = 10'000;

// Keys that only one kind of fault has.
struct OwnKey {
  std::string_view key;
  FaultKind kind;
};
constexpr std::array kOwnKeys{
    OwnKey{"factor", FaultKind::kSlow}, OwnKey{"share", FaultKind::kLostCompletion},
    OwnKey{"period_s", FaultKind::kFlap}, OwnKey{"step_s", FaultKind::kClockStep}};

bool strikes_nodes(FaultKind kind) {
  return kind != FaultKind::kClockStep && kind != FaultKind::kQuotaServiceAway;
}

std::string_view name_of(FaultKind kind) {
  return kFaultKindNames[static_cast<std::size_t>(kind)];
}

void check_own_keys(const Fields& f, FaultKind kind) {
  for (const OwnKey& own : kOwnKeys) {
    if (f.has(own.key) && kind != own.kind) {
      f.fail(own.key, fmt::format("is for kind: {} only", name_of(own.kind)));
    }
  }
  if (kind == FaultKind::kClockStep && f.has("until")) {
    f.fail("until", "is not for kind: clock_step, which is over at once");
  }
}

void read_own_keys(Fields& f, Fault& out) {
  f.optional("factor", config::number(0.001, 1000), out.factor, "Times the service time; for slow");
  f.optional("share", config::share(), out.share, "Of the answers; for lost_completion");
  f.optional("period_s", seconds_number(milliseconds(10), hours(1)), out.period,
             "Away for so long, back for so long, and so on; for flap");
  f.optional("step_s", seconds_number(-hours(24), hours(24)), out.step,
             "How far the clock jumps; may be negative; for clock_step");
  check_own_keys(f, out.kind);
}

void add_node(const Fields& f, std::string_view key, std::size_t node, Fault& out) {
  if (std::find(out.nodes.begin(), out.nodes.end(), node) != out.nodes.end()) {
    f.fail(key, "names a node twice");
  }
  out.nodes.push_back(node);
}

void read_path(const Fields& f, const Scenario& scenario, const std::string& path, Fault& out) {
  const auto p = index_named(f, "path", names_of(scenario.paths), path, "path of network");
  if (!p) return;
  for (std::size_t n = 0; n < scenario.nodes.size(); ++n) {
    if (scenario.kinds[scenario.nodes[n].kind].path == *p) out.nodes.push_back(n);
  }
  if (out.nodes.empty()) f.fail("path", "leads to no node");
}

void check_where(const Fields& f, const Fault& fault) {
  const std::string_view kind = name_of(fault.kind);
  if (strikes_nodes(fault.kind) && fault.nodes.empty()) {
    f.fail("kind", fmt::format("{} needs nodes, or a path to them", kind));
  }
  if (!strikes_nodes(fault.kind) && !fault.nodes.empty()) {
    f.fail(f.has("path") ? "path" : "nodes", fmt::format("{} strikes no node", kind));
  }
}

void read_where(Fields& f, const Scenario& scenario, Fault& out) {
  std::vector<std::string> nodes;
  std::optional<std::string> path;
  f.scalars("nodes", config::name(), nodes, false, "Which it strikes");
  f.optional("path", config::name(), path, "Instead of nodes: all at the end of this way");
  if (f.has("nodes") && f.has("path")) f.fail("path", "stands beside nodes; keep one");
  const auto names = names_of(scenario.nodes);
  for (const std::string& name : nodes) {
    if (const auto n = index_named(f, "nodes", names, name, "node")) add_node(f, "nodes", *n, out);
  }
  if (path) read_path(f, scenario, *path, out);
  check_where(f, out);
}

void read_when(Fields& f, Fault& out) {
  const Duration most = hours(24) * 366;
  f.required("at_s", seconds_number(Duration::zero(), most), out.at, "Since the start of the run");
  f.optional("until", config::or_word(seconds_number(Duration::zero(), most), "end"), out.until,
             "Since the start of the run");
  if (out.until && *out.until <= out.at) f.fail("until", "is not after at_s");
}

void read_fault(Fields& f, const Scenario& scenario, Fault& out) {
  if (scenario.faults.size() >= kFaultsLimit) {
    f.fail("kind", fmt::format("is one too many; at most {} faults", kFaultsLimit));
  }
  read_when(f, out);
  f.required("kind", config::one_of<FaultKind>(kFaultKindNames), out.kind, "What happens");
  read_where(f, scenario, out);
  read_own_keys(f, out);
}

}  // namespace

void read_faults(Fields& root, Scenario& out) {
  root.list("faults", out.faults, false, "What breaks, where, and when",
            [&](Fields& f, Fault& fault) { read_fault(f, out, fault); });
}

}  // namespace sluice::sim
