#include "sim/scenario_docs.h"

#include "config/docs.h"
#include "sim/scenario_file.h"

namespace sluice::sim {
namespace {

constexpr const char* kPreface = R"(<!-- Made from src/sim/file. After a change there:
     SLUICE_UPDATE_DOCS=1 build/release/tests/unit_sim -->
# Scenarios of `sluice sim`

One YAML file says what a world is made of, who sends what when, and what breaks. The shortest
useful one:

```yaml
models:
  detect: {class: light}
node_kinds:
  gpu: {count: 2, slots: 4}
service_time:
  mean_ms:
    detect: {gpu: 10}
traffic:
  phases:
    - {name: calm, duration_s: 20, rate: 400}
    - {name: rush, duration_s: 20, rate: 1000}
```

One with more in it:

```yaml
seeds: [1, 2, 3]
models:
  detect: {class: light, memory_gb: 0.5}
  summary: {class: heavy, memory_gb: 14}
network:
  near: {min_ms: 0.2, max_ms: 0.5}
  far: {min_ms: 5, max_ms: 8}
node_kinds:
  gpu: {slots: 8, memory_gb: 24, path: far}
  edge: {count: 2, slots: 4, memory_gb: 8, path: near}
nodes:
  gpu-1: {kind: gpu}                      # hosts what its kind has a service time for
  edge-1: {kind: edge}
  edge-2: {kind: edge, models: [detect]}
service_time:
  distribution: lognormal
  cv: {detect: 0.25, summary: 0.5}
  mean_ms:
    detect: {gpu: 8, edge: 12}
    summary: {gpu: 250}
lanes:
  high: {budget_ms: 80, client_timeout_ms: 400}
tenants:
  clinic: {tier: vip}
  archive: {tier: basic}
traffic:
  streams:
    - name: live
      tenant: clinic
      mix: {detect: 1}
      levels: [0, 1, 2]
      arrivals: {process: gamma, cv: 2, on_off: {on_s: 2, off_s: 8, on: 4, off: 1}}
      phases: [{duration_s: 60, rate: 300}]
    - name: batch
      tenant: archive
      levels: [7, 8, 9]
      phases: [{duration_s: 60, rate_from: 0, rate_to: 60}]
tenant_limits:
  archive: {rate: 50, burst_s: 2}
faults:
  - {at_s: 20, until: 40, kind: slow, nodes: [gpu-1], factor: 3}
  - {at_s: 45, until: 50, kind: partition, path: near}
```

**Standing on another file.** `base: reference.yaml` takes from that file, relative to this one,
whatever is not said here: maps merge key by key, lists and single values replace. `phases` under
`traffic` replace the `streams` of the base, and the other way round. `scenarios/` has worlds to
stand on.

**Arrivals.** Within a phase the rate is linear, so ramps are phases. Gaps are constant, exponential
(Poisson) or Gamma distributed around it. `modulation` multiplies the rate by a factor drawn anew in
every interval, `on_off` switches between two factors: on and off, or bursts. Streams arrive at the
same time, each drawn by itself.

**Faults.** `crash`: connections break. `crash_silent`: what is sent there is never heard of again.
`freeze`: nothing moves until it ends. `slow`: service takes `factor` times as long. `flap`: away
and back every `period_s`. `lost_completion`: a `share` of the answers is lost. `stale_metrics` and
`lying_metrics`: what nodes report of themselves (every 3 s, to policies that look at it) does not
change, or says idle. `clock_step`: the gateway's clock jumps by `step_s`. `quota_away`: nobody
answers about shared quotas. `partition`: nothing passes between gateway and nodes.

Units are part of the keys: `_ms`, `_s`, `_gb`; rates are requests a second. Unknown keys, keys given
twice, names that nothing has and values out of bounds are errors, which name file, line, key and
what is allowed. Bounds are inclusive.
)";

}  // namespace

std::string scenario_markdown() {
  return kPreface + config::to_markdown(describe_scenario());
}

}  // namespace sluice::sim
