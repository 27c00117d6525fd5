// policies: what a scenario says of the static peer that others are compared with. The peer is
// code; the words here are checked against it, so that a file cannot claim what is not done.
#include <array>
#include <string>

#include "sim/file/kinds.h"
#include "sim/file/names.h"
#include "sim/file/sections.h"

namespace sluice::sim {
namespace {

using config::Fields;

constexpr std::uint32_t kDefaultBound = 100;
constexpr std::uint32_t kBoundLimit = 1'000'000;

enum class Only : std::uint8_t { kOnly };

void read_only(Fields& f, std::string_view key, std::string_view value, std::string_view text) {
  const std::array<std::string_view, 1> values{value};
  Only only = Only::kOnly;
  f.optional(key, config::one_of<Only>(values), only, text);
}

void read_words(Fields& f, std::string_view key) {
  std::optional<std::string> words;
  f.optional(key, config::text(), words, "For people", "not told");
}

void read_bounds(Fields& f, const Scenario& scenario, NodeQueues& out) {
  const auto models = names_of(scenario.models);
  for (const std::string& name : f.free_keys("<model>")) {
    std::uint32_t bound = kDefaultBound;
    f.optional(name, config::count(0, kBoundLimit), bound, "Requests waiting at one replica");
    if (const auto m = index_named(f, name, models, name, "model")) out.bound[*m] = bound;
  }
}

void read_fixed_priority(Fields& f, Scenario& out) {
  read_only(f, "routing", "round_robin_on_arrival", "Over the nodes that host the model");
  f.map("replica_queue_bound",
        "By model; holds for every policy: what comes beyond a node's slots waits there",
        [&](Fields& bounds) { read_bounds(bounds, out, out.queues); });
  read_words(f, "node_order");
  read_only(f, "when_full", "evict",
            "The newest waiting of the least urgent level goes, if less urgent than the newcomer");
  read_only(f, "admission", "none", "Whatever comes is sent on");
  read_only(f, "tenant_limits", "none", "It has none");
  read_words(f, "client_timeout");
  read_only(f, "failover", "none", "Nothing is sent a second time");
  f.optional("health_check_s", seconds_number(Duration::zero(), std::chrono::hours(1)),
             out.health_check, "From the death of a node until it gets nothing more");
  read_only(f, "retries", "none", "A failure is a failure");
}

}  // namespace

void read_policies(Fields& root, Scenario& out) {
  out.queues.bound.assign(out.models.size(), kDefaultBound);
  root.map("policies", "What the stage says of policies", [&](Fields& f) {
    f.map("fixed-priority", "The static peer",
          [&](Fields& policy) { read_fixed_priority(policy, out); });
  });
}

}  // namespace sluice::sim
