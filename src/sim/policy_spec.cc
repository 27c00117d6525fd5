#include "sim/policy_spec.h"

#include <algorithm>
#include <vector>

#include "config/reader.h"
#include "config/serve/sections.h"

namespace sluice::sim {
namespace {

using config::Value;

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = std::min(text.find(at), text.size());
    parts.emplace_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

Value& child(Value& map, const std::string& key) {
  for (Value& known : map.items) {
    if (known.key == key) return known;
  }
  map.kind = Value::Kind::kMap;
  Value& added = map.items.emplace_back();
  added.key = key;
  return added;
}

// "section.key=value"; without a section it is a key of `policy`.
void set(Value& root, const std::string& setting) {
  const std::size_t equals = std::min(setting.find('='), setting.size());
  std::vector<std::string> path = split(std::string_view(setting).substr(0, equals), '.');
  if (path.size() == 1) path.insert(path.begin(), "policy");
  Value* at = &root;
  for (const std::string& key : path) at = &child(*at, key);
  if (equals == setting.size()) return;
  at->kind = Value::Kind::kScalar;
  at->text = setting.substr(equals + 1);
}

}  // namespace

std::optional<PolicySpec> policy_spec(std::string_view text, const Scenario&) {
  const std::vector<std::string> parts = split(text, ',');
  const auto policy = core::policy_named(parts.front());
  if (!policy) return std::nullopt;
  PolicySpec spec{.name = std::string(text), .policy = *policy};
  // The stage's static peer: a balancer before replicas that keep priority queues of their own.
  spec.waits_at_replica = policy->name == "fixed-priority";
  config::Document settings{.file = "policy " + spec.name, .root = {.kind = Value::Kind::kMap}};
  for (std::size_t i = 1; i < parts.size(); ++i) set(settings.root, parts[i]);
  config::read_document(settings, [&](config::Fields& f) {
    config::read_policy(f, spec.policy);
    config::read_placement(f, spec.placement);
  });
  return spec;
}

}  // namespace sluice::sim
