#include "model_server/service.h"

#include <fmt/format.h>

#include "model_server/oip_response.h"

namespace sluice::model_server {
namespace {

constexpr std::string_view kServerJson =
    R"({"name":"sluice-model-server","version":"1","extensions":["binary_tensor_data","model_repository"]})";

Answer ok() {
  return {.body = ""};
}

}  // namespace

Service::Service(boost::asio::io_context& loop, const Options& options)
    : catalog_(options, registry_),
      loader_(loop, catalog_, options),
      node_(loop, options, catalog_.has_onnx_models()) {}

Answer Service::describe(const Route& route) {
  using Resource = Route::Resource;
  switch (route.resource) {
    case Resource::kServer:
      return {.body = std::string(kServerJson)};
    case Resource::kLive:
      return ok();
    case Resource::kReady:
      return draining_ ? error_answer(503, "shutting down") : ok();
    case Resource::kIndex:
      return {.body = catalog_.index_json()};
    case Resource::kMetrics:
      return {.body = metrics_text(registry_), .content_type = "text/plain; version=0.0.4"};
    case Resource::kModel:
    case Resource::kModelReady:
      break;
    case Resource::kInfer:
      return error_answer(405, "an inference is asked for with POST");
    case Resource::kLoad:
    case Resource::kUnload:
      return error_answer(405, "loads and unloads are asked for with POST");
    case Resource::kUnknown:
      return error_answer(404, "no such resource");
  }
  const Model* model = model_of(route);
  if (model == nullptr) return unknown_model(route);
  if (route.resource == Resource::kModelReady) {
    return model->state == LoadState::kReady ? ok() : not_loaded(*model);
  }
  return {.body = metadata_json(model->info)};
}

Model* Service::model_of(const Route& route) {
  if (!route.version.empty() && route.version != kModelVersion) return nullptr;
  return catalog_.find(route.model);
}

// As when it is busy: another server may have it, or this one soon.
Answer not_loaded(const Model& model) {
  return error_answer(503, fmt::format("model \"{}\" is not loaded", model.info.name));
}

Answer unknown_model(const Route& route) {
  if (route.version.empty()) {
    return error_answer(404, fmt::format("unknown model \"{}\"", route.model));
  }
  return error_answer(
      404, fmt::format("unknown model \"{}\" version \"{}\"", route.model, route.version));
}

}  // namespace sluice::model_server
