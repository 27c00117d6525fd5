// service_time: how long executions take.
#include <fmt/format.h>

#include "sim/file/kinds.h"
#include "sim/file/names.h"
#include "sim/file/sections.h"

namespace sluice::sim {
namespace {

using config::Fields;

constexpr double kDefaultCv = 0.3;
constexpr double kCvLimit = 10;

void read_cv(Fields& f, Scenario& out) {
  const auto models = names_of(out.models);
  for (const std::string& name : f.free_keys("<model>")) {
    double cv = kDefaultCv;
    f.optional(name, config::number(0, kCvLimit), cv, "Deviation over mean; for lognormal only");
    if (const auto m = index_named(f, name, models, name, "model")) out.service.cv[*m] = cv;
  }
}

void read_means_of(Fields& f, const Scenario& scenario, std::vector<std::optional<Duration>>& out) {
  const auto kinds = names_of(scenario.kinds);
  for (const std::string& name : f.free_keys("<kind>")) {
    Duration mean{0};
    f.required(name, milliseconds_number(std::chrono::microseconds(1), std::chrono::hours(1)), mean,
               "Mean time on one slot; kinds that are not named cannot run the model");
    if (const auto k = index_named(f, name, kinds, name, "kind of node")) out[*k] = mean;
  }
}

void read_means(Fields& f, Scenario& out) {
  const auto models = names_of(out.models);
  for (const std::string& name : f.free_keys("<model>")) {
    std::vector<std::optional<Duration>> means(out.kinds.size());
    f.map(name, "One model", [&](Fields& m) { read_means_of(m, out, means); });
    if (const auto m = index_named(f, name, models, name, "model")) {
      out.service.mean[*m] = std::move(means);
    }
  }
}

}  // namespace

void read_service_time(Fields& root, Scenario& out) {
  out.service.cv.assign(out.models.size(), kDefaultCv);
  out.service.mean.assign(out.models.size(),
                          std::vector<std::optional<Duration>>(out.kinds.size()));
  root.required_map(
      "service_time", "How long one execution takes on one slot; independent draws",
      [&](Fields& f) {
        f.optional("distribution", config::one_of<ServiceDistribution>(kServiceDistributionNames),
                   out.service.distribution, "Around the mean");
        f.map("cv", "Coefficients of variation, by model", [&](Fields& cv) { read_cv(cv, out); });
        f.required_map("mean_ms", "Means, by model and kind of node",
                       [&](Fields& means) { read_means(means, out); });
      });
}

}  // namespace sluice::sim
