#include "telemetry/metrics_document.h"

#include <string_view>

#include "core/labels.h"
#include "core/outcome.h"
#include "core/placement/breaker.h"
#include "core/placement/path.h"
#include "telemetry/definitions.h"
#include "telemetry/duration_buckets.h"

namespace sluice::telemetry {

namespace {

constexpr std::string_view kHead =
    R"(<!-- Made from src/telemetry/definitions.h. After a change there:
     SLUICE_UPDATE_DOCS=1 build/release/tests/unit_telemetry -->
# Metrics

`GET /metrics` on the admin listener answers in the Prometheus text format. Times are in seconds,
sizes in bytes. Every series that can occur is there from the start, with the value 0; those of
`sluice_model_changes_total` come with their first change.

| metric | type | labels | meaning |
| --- | --- | --- | --- |
)";

std::string code(std::string_view text) {
  return "`" + std::string(text) + "`";
}

template <class Names>
std::string listed(const Names& names) {
  std::string out;
  for (const std::string_view name : names) {
    if (name.empty()) continue;
    if (!out.empty()) out += ", ";
    out += code(name);
  }
  return out;
}

std::string row(const MetricDefinition& m) {
  return "| " + code(m.name) + " | " + std::string(to_string(m.kind)) + " | " + listed(m.labels) +
         " | " + std::string(m.help) + " |\n";
}

std::string bounds_ms() {
  std::string out;
  for (const Duration bound : kBucketBounds) {
    auto number = std::to_string(to_ms(bound));
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
    out += (out.empty() ? "" : ", ") + number;
  }
  return out;
}

}  // namespace

std::string metrics_document() {
  std::string out(kHead);
  for (const MetricDefinition* m : kMetricDefinitions) out += row(*m);
  out += "\n## Values of labels\n\n";
  out += "- `lane`: " + listed(core::kLaneNames) + ".\n";
  out += "- `outcome`: " + listed(core::kOutcomeNames) + ".\n";
  out += "- `reason`: " + listed(core::kReasonNames) + ".\n";
  out += "- `node`: the replica's name in the configuration.\n";
  out += "- `model`, `path`: their names in the configuration.\n";
  out += "- `state`: " + listed(core::kBreakerStateNames) + ".\n";
  out += "- `cause`: " + listed(core::kPathCauseNames) + ".\n";
  out += "- `le` of histograms, in ms: " + bounds_ms() + ".\n";
  return out;
}

}  // namespace sluice::telemetry
