#include "model_server/catalog.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model_server/oip_response.h"

namespace sluice::model_server {
namespace {

// What stands in a path without escapes.
bool usable_name(std::string_view name) {
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  return !name.empty() && name.find_first_not_of(kAllowed) == name.npos;
}

Model timed_model(const std::string& name, const TimedOptions& timed, std::uint64_t seed,
                  prometheus::Registry& registry) {
  return {.info = timed_model_info(name, timed),
          .work = TimedProfile(timed, seed),
          .metrics = ModelMetrics(registry, name)};
}

Model onnx_model(const std::string& name, const OnnxOptions& onnx, int threads,
                 prometheus::Registry& registry) {
  OnnxModel model(name, onnx.path, threads);
  ModelInfo info = model.info();
  return {
      .info = std::move(info), .work = std::move(model), .metrics = ModelMetrics(registry, name)};
}

}  // namespace

Catalog::Catalog(const Options& options, prometheus::Registry& registry) {
  if (options.models.empty()) throw std::runtime_error("models: at least one is needed");
  for (const ModelOptions& model : options.models) add(model, options, registry);
}

void Catalog::add(const ModelOptions& model, const Options& options,
                  prometheus::Registry& registry) {
  if (!usable_name(model.name)) {
    throw std::runtime_error(
        fmt::format("model \"{}\": a name is made of letters, digits, '.', '_', '-'", model.name));
  }
  if (models_.contains(model.name)) {
    throw std::runtime_error(fmt::format("model \"{}\" is there twice", model.name));
  }
  if (const auto* timed = std::get_if<TimedOptions>(&model.work)) {
    // Each model draws its own numbers, whatever the others are asked for.
    const std::uint64_t seed = options.seed + models_.size();
    models_.emplace(model.name, timed_model(model.name, *timed, seed, registry));
  } else {
    const auto& onnx = std::get<OnnxOptions>(model.work);
    models_.emplace(model.name, onnx_model(model.name, onnx, options.threads, registry));
  }
}

Model* Catalog::find(std::string_view name) {
  const auto found = models_.find(name);
  return found == models_.end() ? nullptr : &found->second;
}

bool Catalog::has_onnx_models() const {
  return std::ranges::any_of(models_, [](const auto& entry) {
    return std::holds_alternative<OnnxModel>(entry.second.work);
  });
}

std::string Catalog::index_json() const {
  auto index = nlohmann::ordered_json::array();
  for (const auto& [name, model] : models_) {
    index.push_back(
        {{"name", name}, {"version", kModelVersion}, {"state", "READY"}, {"reason", ""}});
  }
  return index.dump();
}

}  // namespace sluice::model_server
