// The sections of a serve configuration, one file each. Each reads its keys of the document's root
// into what it is given, and leaves defaults where nothing is said.
#pragma once

#include "config/reader.h"
#include "config/serve_config.h"

namespace sluice::config {

// listen, limits, health, overload_status.
void read_listen(Fields& root, ServeConfig& out);
void read_limits(Fields& root, Limits& out);
void read_health(Fields& root, HealthCheckOptions& out);
void read_overload_status(Fields& root, int& out);

// models: fills in the task types, too.
void read_models(Fields& root, core::Options& out);
// paths and path_switch.
void read_paths(Fields& root, core::Options& out);
// replicas: after the models and paths, which they refer to. A model without a replica is an error.
void read_replicas(Fields& root, ServeConfig& out);
// What is said of memory in models and replicas, of which the latter know their models already;
// and residency. Where all of that is sound, core::Residency can be made.
void read_model_memory(Fields& f, core::ModelOptions& out);
void read_managed(Fields& f, const Kind<core::ModelId>& model, const core::Options& core,
                  core::NodeOptions& out);
void read_residency(Fields& root, core::ResidencyOptions& out);
// A standby has no model that comes and goes: `node` is being read, `other` has been, or is the
// same.
void refuse_managed_standby(const Fields& f, const core::NodeOptions& node,
                            const core::NodeOptions& other, const core::Options& core);
// What models ask for that no replica can give.
void refuse_idle_wishes(const Fields& root, const core::Options& core);
// slow_start.
void read_slow_start(Fields& root, core::SlowStartOptions& out);
// tenants: the default tenant stays the first.
void read_tenants(Fields& root, core::Options& out);
// priorities: changes of the built-in table, which must stay monotone (R3).
void read_priorities(Fields& root, core::PriorityTable& out);

// rules and large_task: after models and tenants, which they name.
void read_rules(Fields& root, core::Options& out);
// control: the control loop, preemption and promotion.
void read_control(Fields& root, core::Options& out);

// realtime_budgets and lanes.
void read_budgets(Fields& root, core::Options& out);
void read_lanes(Fields& root, core::Options& out);
// policy, score and predictor.
void read_policy(Fields& root, core::Policy& out);
void read_score(Fields& root, core::ScoreWeights& out);
void read_predictor(Fields& root, core::PredictorOptions& out);
// retry and breaker.
void read_retry(Fields& root, core::RetryOptions& out);
void read_breaker(Fields& root, core::BreakerOptions& out);
// placement.
void read_placement(Fields& root, core::PlacementOptions& out);

}  // namespace sluice::config
