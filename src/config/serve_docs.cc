#include "config/serve_docs.h"

#include "config/docs.h"
#include "config/serve_config.h"

namespace sluice::config {
namespace {

constexpr const char* kPreface = R"(<!-- Made from src/config/serve. After a change there:
     SLUICE_UPDATE_DOCS=1 build/release/tests/unit_config -->
# Configuration of `sluice serve`

One YAML file. The shortest useful one is a model and a replica:

```yaml
models:
  - { name: detect }
replicas:
  - { url: "http://10.0.0.11:8000", models: [detect] }
```

A longer one:

```yaml
listen: { http: 0.0.0.0:8080, admin: 127.0.0.1:9090 }
models:
  - { name: detect, task_type: realtime-image, parameters: 3.4M, realtime: high, budget: 100ms }
  - { name: summarise, task_type: summarisation, weight: heavy, realtime: low, budget: 5s }
replicas:
  - { url: "http://10.0.0.11:8000", kind: triton, models: [detect], slots: 8, cancel: stops }
  - { url: "http://10.0.0.12:8000", models: [detect, summarise], slots: 2 }
tenants:
  - { name: acme, tier: vip }
priorities:
  - { realtime: low, weight: heavy, tier: "*", priority: 9 }
lanes:
  low: { capacity: 1000, max_age: 5min }
policy: sluice
```

`sluice check -c FILE` says whether a file is sound and prints how it was understood. Unknown keys,
keys given twice and values out of bounds are errors, which name file, line, key and what is
allowed. Bounds are inclusive. A file is at most 1 MiB; anchors, aliases and tags are not taken.

Values with units: durations `100ms` (ns, us, ms, s, min, h), sizes `8GiB` (KiB, MiB, GiB, kB, MB,
GB), counts `3.4M` (k, M, G), shares `40%` or `0.4`. A `*` must be quoted: `"*"`.
)";

}  // namespace

std::string configuration_markdown() {
  return kPreface + to_markdown(describe_serve_config());
}

}  // namespace sluice::config
