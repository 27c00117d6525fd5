// Definitions and figures → the metric families that prometheus-cpp's serialiser takes.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include <prometheus/metric_family.h>

#include "telemetry/definitions.h"

namespace sluice::telemetry {

using Families = std::vector<prometheus::MetricFamily>;
using LabelValues = std::initializer_list<std::string_view>;

// An empty family: name, type and help.
prometheus::MetricFamily family_of(const MetricDefinition& definition);

// Adds one series. `values` goes with the definition's labels, one each, in their order; any
// other number aborts.
void add_value(prometheus::MetricFamily& family, const MetricDefinition& definition,
               LabelValues values, double value);
void add_histogram(prometheus::MetricFamily& family, const MetricDefinition& definition,
                   LabelValues values, prometheus::ClientMetric::Histogram histogram);

}  // namespace sluice::telemetry
