#include <algorithm>
#include <array>
#include <chrono>

#include "config/priorities.h"
#include "config/serve/sections.h"
#include "core/placement/node.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::string_view, 2> kReplicaKindNames{"plain", "triton"};
constexpr std::uint64_t kMostSlots = 65535;
// Of all replicas together; the core counts attempts in 31 bits.
constexpr std::uint64_t kMostAttempts = 0x7ffffffe;

// One entry of the file: what the core sees of it, and what the gateway does.
struct Replica {
  core::NodeOptions node;
  ReplicaAddress reached;
};

// What the file has given a name to before, by its position.
template <class Id>
Kind<Id> reference(const std::string& what, const std::vector<std::string_view>& names) {
  const Kind<std::uint32_t> position = one_of<std::uint32_t>(names);
  return {.name = "the name of a " + what,
          .example = names.empty() ? "none: the file names no " + what : position.name,
          .bounds = "",
          .parse = [position](std::string_view text) -> std::optional<Id> {
            const auto found = position.parse(text);
            return found ? std::optional(Id{*found}) : std::nullopt;
          },
          .within = [](const Id&) { return true; },
          .format = [position](const Id& id) { return position.format(id.value); }};
}

Kind<core::ModelId> model_reference(const std::vector<core::ModelOptions>& models) {
  std::vector<std::string_view> names;
  names.reserve(models.size());
  for (const core::ModelOptions& model : models) names.emplace_back(model.name);
  return reference<core::ModelId>("model", names);
}

Kind<core::PathId> path_reference(const std::vector<std::string>& paths) {
  return reference<core::PathId>("path", {paths.begin(), paths.end()});
}

void read_url(Fields& f, Replica& out) {
  HttpUrl url;
  f.required("url", http_url(), url, "http://HOST:PORT, and a prefix of its paths if it has one");
  out.node.name = format_address(url.address) + url.path_prefix;
  out.reached.address = url.address;
  out.reached.path_prefix = url.path_prefix;
}

void read_name(Fields& f, std::string& out) {
  std::optional<std::string> given;
  f.optional("name", name(), given, "In metrics, logs and answers", "from the URL");
  if (given) out = *given;
}

void read_device(Fields& f, std::string& out) {
  std::optional<std::string> given;
  f.optional("device", name(), given,
             "What it runs on: replicas of one device are expected to be about equally fast, and "
             "learn from each other",
             "like no other");
  if (given) out = *given;
}

// Whom it is for (R26), and where it stands (R28).
void read_purpose(Fields& f, core::NodeOptions& out, const core::Options& core) {
  std::optional<core::PathId> path;
  f.optional("path", path_reference(core.paths), path, "The path that it is on: one of paths",
             "the first of them");
  if (path) out.path = *path;
  f.optional("class", one_of<core::Realtime>(core::kRealtimeNames), out.service_class,
             "Its service class: high takes priorities 0..2, medium 3..6, low 7..9",
             "takes all priorities");
  f.optional("accepts", priorities(), out.accepts, "The priorities that it takes",
             "those of its class");
  f.optional("standby", flag(), out.standby,
             "Hot standby: gets nothing while another replica for the same requests is ready");
}

void refuse_model_twice(const Fields& f, const core::NodeOptions& node) {
  std::vector<core::ModelId> sorted = node.models;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    f.fail("models", "a model is named twice");
  }
}

void read_replica(Fields& f, Replica& out, const core::Options& core) {
  read_url(f, out);
  read_name(f, out.node.name);
  read_device(f, out.node.kind);
  f.optional("kind", one_of<ReplicaKind>(kReplicaKindNames), out.reached.kind,
             "How it is told budget and priority");
  f.scalars("models", model_reference(core.models), out.node.models, true, "The models it serves");
  refuse_model_twice(f, out.node);
  f.optional("slots", count(1, kMostSlots), out.node.slots, "Requests it works on at once");
  f.optional("credits", count(1, kMostSlots * core::Node::kCreditCap), out.node.credits,
             "Requests sent to it and not answered yet, so that it never runs dry",
             "learnt: slots × (1 + round trip ÷ service time), at most 4 × slots");
  f.optional("cancel", one_of<core::CancelMode>(core::kCancelModeNames), out.node.cancel,
             "What it does when the connection of a running request closes");
  f.optional("round_trip", duration(0s, 10s), out.node.round_trip, "Time to it and back",
             "learnt from health checks");
  read_purpose(f, out.node, core);
  read_managed(f, model_reference(core.models), core, out.node);
}

// Both would load and unload there, and neither would know of the other.
void refuse_managed_twice(const Fields& f, const Replica& replica, const Replica& other) {
  if (!replica.node.managed && !other.node.managed) return;
  const bool same_place = replica.reached.address == other.reached.address &&
                          replica.reached.path_prefix == other.reached.path_prefix;
  if (!same_place) return;
  f.fail("url", "is that of " + other.node.name +
                    ", too; one of them has managed models, and "
                    "then a place is one replica");
}

void refuse_unserved_models(const Fields& root, const core::Options& options) {
  std::vector<bool> served(options.models.size());
  for (const core::NodeOptions& node : options.nodes) {
    for (const core::ModelId model : node.models) served[model.value] = true;
  }
  const auto missing = std::find(served.begin(), served.end(), false) - served.begin();
  if (missing == std::ssize(served)) return;
  root.fail("models", "no replica serves " +
                          options.models[static_cast<std::size_t>(missing)].name +
                          "; add one, or remove the model");
}

void refuse_too_many_attempts(const Fields& root, const std::vector<core::NodeOptions>& nodes) {
  std::uint64_t sum = 0;
  for (const core::NodeOptions& node : nodes) {
    sum += std::max(node.credits.value_or(0), node.slots * core::Node::kCreditCap);
  }
  if (sum > kMostAttempts) root.fail("replicas", "their credits add up to more than 2^31");
}

}  // namespace

void read_replicas(Fields& root, ServeConfig& out) {
  std::vector<Replica> replicas;
  root.list("replicas", replicas, true, "Where models run", [&](Fields& f, Replica& replica) {
    read_replica(f, replica, out.core);
    const auto same = [&](const Replica& other) { return other.node.name == replica.node.name; };
    if (std::any_of(replicas.begin(), replicas.end(), same)) {
      f.fail(f.has("name") ? "name" : "url",
             "another replica is called " + replica.node.name + "; give each its own name");
    }
    refuse_managed_standby(f, replica.node, replica.node, out.core);
    for (const Replica& other : replicas) {
      refuse_managed_twice(f, replica, other);
      refuse_managed_standby(f, replica.node, other.node, out.core);
    }
  });
  for (Replica& replica : replicas) {
    out.core.nodes.push_back(std::move(replica.node));
    out.replicas.push_back(std::move(replica.reached));
  }
  refuse_unserved_models(root, out.core);
  refuse_too_many_attempts(root, out.core.nodes);
  refuse_idle_wishes(root, out.core);
}

}  // namespace sluice::config
