#include "model_server/catalog.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model_server/oip_response.h"

namespace sluice::model_server {
namespace {

// As Triton names them.
constexpr std::array<std::string_view, 3> kStateNames{"UNAVAILABLE", "LOADING", "READY"};

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
  auto model = std::make_shared<const OnnxModel>(name, onnx.path, threads);
  ModelInfo info = model->info();
  return {.info = std::move(info),
          .work = std::move(model),
          .file = onnx.path,
          .metrics = ModelMetrics(registry, name)};
}

}  // namespace

Catalog::Catalog(const Options& options, prometheus::Registry& registry) {
  if (options.models.empty()) throw std::runtime_error("models: at least one is needed");
  for (const ModelOptions& model : options.models) add(model, options, registry);
  if (options.memory_bytes && memory_in_use() > *options.memory_bytes) {
    throw std::runtime_error(
        "models: together they take more than memory; let some not be loaded at first "
        "(loaded: no)");
  }
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
  Model& added = models_.at(model.name);
  added.loads = model.loads;
  if (!model.loads.at_start) added.let_go();
}

Model* Catalog::find(std::string_view name) {
  const auto found = models_.find(name);
  return found == models_.end() ? nullptr : &found->second;
}

bool Catalog::has_onnx_models() const {
  return std::ranges::any_of(models_, [](const auto& entry) { return !entry.second.file.empty(); });
}

std::uint64_t Catalog::memory_in_use() const {
  std::uint64_t sum = 0;
  for (const auto& [name, model] : models_) {
    if (model.state != LoadState::kUnavailable) sum += model.info.memory_bytes;
  }
  return sum;
}

std::string Catalog::index_json() const {
  auto index = nlohmann::ordered_json::array();
  for (const auto& [name, model] : models_) {
    index.push_back({{"name", name},
                     {"version", kModelVersion},
                     {"state", kStateNames[static_cast<std::size_t>(model.state)]},
                     {"reason", ""}});
  }
  return index.dump();
}

}  // namespace sluice::model_server
