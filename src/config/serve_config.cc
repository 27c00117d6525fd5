#include "config/serve_config.h"

#include <utility>

#include "config/serve/sections.h"

namespace sluice::config {
namespace {

// In the order of the documentation; replicas after the models and paths that they refer to.
void read_root(Fields& f, ServeConfig& out) {
  read_listen(f, out);
  read_models(f, out.core);
  read_paths(f, out.core);
  read_replicas(f, out);
  read_slow_start(f, out.core.slow_start);
  read_residency(f, out.core.residency);
  read_tenants(f, out.core);
  read_priorities(f, out.core.priorities);
  read_rules(f, out.core);
  read_policy(f, out.core.policy);
  read_lanes(f, out.core);
  read_budgets(f, out.core);
  read_limits(f, out.limits);
  read_health(f, out.health);
  read_retry(f, out.core.retry);
  read_breaker(f, out.core.breaker);
  read_score(f, out.core.score);
  read_predictor(f, out.core.predictor);
  read_placement(f, out.core.placement);
  read_control(f, out.core);
  read_overload_status(f, out.overload_status);
  f.optional("seed", count(0, UINT64_MAX), out.core.seed,
             "Of random choices: the same events and seed, the same decisions");
}

ServeConfig read(const Document& document) {
  ServeConfig config;
  read_document(document, [&](Fields& f) { read_root(f, config); });
  return config;
}

}  // namespace

ServeConfig load_serve_config(const std::string& path) {
  return read(load_document(path));
}

ServeConfig parse_serve_config(const std::string& text, std::string file) {
  return read(parse_document(text, std::move(file)));
}

Docs describe_serve_config() {
  ServeConfig defaults;
  return describe_document("", [&](Fields& f) { read_root(f, defaults); });
}

}  // namespace sluice::config
