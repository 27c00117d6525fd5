#include "telemetry/family.h"

#include <string>
#include <utility>

#include "base/check.h"

namespace sluice::telemetry {

namespace {

prometheus::MetricType type_of(MetricKind kind) {
  switch (kind) {
    case MetricKind::kCounter:
      return prometheus::MetricType::Counter;
    case MetricKind::kGauge:
      return prometheus::MetricType::Gauge;
    case MetricKind::kHistogram:
      return prometheus::MetricType::Histogram;
  }
  return prometheus::MetricType::Untyped;
}

prometheus::ClientMetric labelled(const MetricDefinition& definition, LabelValues values) {
  prometheus::ClientMetric metric;
  std::size_t i = 0;
  for (const std::string_view value : values) {
    SLUICE_CHECK(i < kMaxLabels && !definition.labels[i].empty(), "a label value without a label");
    metric.label.push_back({std::string(definition.labels[i]), std::string(value)});
    ++i;
  }
  SLUICE_CHECK(i == kMaxLabels || definition.labels[i].empty(), "a label without a value");
  return metric;
}

}  // namespace

prometheus::MetricFamily family_of(const MetricDefinition& definition) {
  return {std::string(definition.name), std::string(definition.help), type_of(definition.kind), {}};
}

void add_value(prometheus::MetricFamily& family, const MetricDefinition& definition,
               LabelValues values, double value) {
  auto metric = labelled(definition, values);
  if (definition.kind == MetricKind::kCounter) {
    metric.counter.value = value;
  } else {
    metric.gauge.value = value;
  }
  family.metric.push_back(std::move(metric));
}

void add_histogram(prometheus::MetricFamily& family, const MetricDefinition& definition,
                   LabelValues values, prometheus::ClientMetric::Histogram histogram) {
  auto metric = labelled(definition, values);
  metric.histogram = std::move(histogram);
  family.metric.push_back(std::move(metric));
}

}  // namespace sluice::telemetry
