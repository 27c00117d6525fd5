#include <algorithm>
#include <chrono>

#include "config/serve/sections.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

// R1: light is up to 12 M parameters, so that ResNet-18 is light.
constexpr std::uint64_t kLightParameters = 12'000'000;
constexpr std::uint64_t kMediumParameters = 200'000'000;

core::WeightClass weight_of(std::uint64_t parameters) {
  if (parameters <= kLightParameters) return core::WeightClass::kLight;
  return parameters <= kMediumParameters ? core::WeightClass::kMedium : core::WeightClass::kHeavy;
}

core::TaskTypeId task_type_named(const std::string& name, std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  const auto position = static_cast<std::uint32_t>(found - names.begin());
  if (found == names.end()) names.push_back(name);
  return {position};
}

void read_weight(Fields& f, core::WeightClass& out) {
  std::optional<std::uint64_t> parameters;
  f.optional("weight", one_of<core::WeightClass>(core::kWeightClassNames), out,
             "How much work a request is");
  f.optional("parameters", count(1, 1'000'000'000'000'000), parameters,
             "Instead of weight: light up to 12M, medium up to 200M, else heavy");
  if (f.has("weight") && f.has("parameters")) {
    f.fail("parameters", "stands beside weight; write one of the two");
  }
  if (parameters) out = weight_of(*parameters);
}

void read_model(Fields& f, core::ModelOptions& out, std::vector<std::string>& task_types) {
  std::string task_type = "general";
  f.required("name", name(), out.name, "As in the paths of requests");
  f.optional("task_type", name(), task_type,
             "What its requests are for; drops are counted, and helped, by task type");
  read_weight(f, out.weight);
  f.optional("realtime", one_of<core::Realtime>(core::kRealtimeNames), out.realtime,
             "How soon its answers are wanted, where a request does not say");
  f.optional("budget", duration(1ms, 24h), out.budget,
             "Longest response time that is of use, where a request does not say",
             "of its realtime level");
  f.optional("expected", duration(1us, 24h), out.expected_service,
             "Service time to assume before any was measured", "of its weight class");
  f.optional("idempotent", flag(), out.idempotent,
             "Running a request twice does no harm: one that failed may be tried again");
  read_model_memory(f, out);
  out.task_type = task_type_named(task_type, task_types);
}

void set_degrade_to(Fields& root, const std::optional<std::string>& wanted, std::size_t model,
                    std::vector<core::ModelOptions>& models) {
  if (!wanted) return;
  const auto found = std::find_if(models.begin(), models.end(),
                                  [&](const auto& other) { return other.name == *wanted; });
  const auto position = static_cast<std::uint32_t>(found - models.begin());
  if (found == models.end() || position == model) {
    root.fail("models", models[model].name + ": degrade_to names no other model: " + *wanted);
  }
  models[model].degrade_to = core::ModelId{position};
}

}  // namespace

void read_models(Fields& root, core::Options& out) {
  // Of a model that may be listed further down.
  std::vector<std::optional<std::string>> degrade_to;
  root.list("models", out.models, true, "The models that requests can name",
            [&](Fields& f, core::ModelOptions& model) {
              read_model(f, model, out.task_types);
              f.optional("hedge", flag(), model.hedge,
                         "A second attempt elsewhere, on a free slot, when the first takes longer "
                         "than 95% of them; for requests that may run twice");
              f.optional("degrade_to", name(), degrade_to.emplace_back(),
                         "A smaller model that answers where this one would be late");
              const auto same = [&](const auto& other) { return other.name == model.name; };
              if (std::any_of(out.models.begin(), out.models.end(), same)) {
                f.fail("name", "another model is called " + model.name);
              }
            });
  for (std::size_t i = 0; i < out.models.size(); ++i) {
    set_degrade_to(root, degrade_to[degrade_to.size() - out.models.size() + i], i, out.models);
  }
}

}  // namespace sluice::config
