#include "model_server/route.h"

#include <array>

namespace sluice::model_server {
namespace {

using Resource = Route::Resource;

struct FixedRoute {
  std::string_view path;
  Resource resource;
};

constexpr std::array<FixedRoute, 5> kFixed{{{"/v2", Resource::kServer},
                                            {"/v2/health/live", Resource::kLive},
                                            {"/v2/health/ready", Resource::kReady},
                                            {"/v2/repository/index", Resource::kIndex},
                                            {"/metrics", Resource::kMetrics}}};

constexpr std::string_view kModels = "/v2/models/";
constexpr std::string_view kRepository = "/v2/repository/models/";
constexpr std::string_view kVersions = "versions/";

// Cuts up to the next '/' off the front of `path`, and that '/' too.
std::string_view take_segment(std::string_view& path) {
  const std::string_view segment = path.substr(0, path.find('/'));
  path.remove_prefix(segment.size());
  if (!path.empty()) path.remove_prefix(1);
  return segment;
}

Resource verb_of(std::string_view rest) {
  if (rest.empty()) return Resource::kModel;
  if (rest == "ready") return Resource::kModelReady;
  if (rest == "infer") return Resource::kInfer;
  return Resource::kUnknown;
}

Route model_route(std::string_view path) {
  Route route;
  route.model = take_segment(path);
  if (path.starts_with(kVersions)) {
    path.remove_prefix(kVersions.size());
    route.version = take_segment(path);
    if (route.version.empty()) return {};
  }
  route.resource = verb_of(path);
  return route.model.empty() || route.resource == Resource::kUnknown ? Route{} : route;
}

Route repository_route(std::string_view path) {
  Route route;
  route.model = take_segment(path);
  if (path == "load") route.resource = Resource::kLoad;
  if (path == "unload") route.resource = Resource::kUnload;
  return route.model.empty() || route.resource == Resource::kUnknown ? Route{} : route;
}

}  // namespace

Route route_of(std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  if (path.starts_with(kModels)) return model_route(path.substr(kModels.size()));
  if (path.starts_with(kRepository)) return repository_route(path.substr(kRepository.size()));
  for (const FixedRoute& fixed : kFixed) {
    if (fixed.path == path) return {.resource = fixed.resource};
  }
  return {};
}

}  // namespace sluice::model_server
