#include "gateway/route.h"

namespace sluice::gateway {
namespace {

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Up to the next slash; what is left of `text` begins with it or is empty.
std::string_view take_segment(std::string_view& text) {
  const std::string_view segment = text.substr(0, text.find('/'));
  text.remove_prefix(segment.size());
  return segment;
}

Route get_only(std::string_view method, RouteKind kind, std::string_view model = {}) {
  const bool get = method == "GET" || method == "HEAD";
  return {get ? kind : RouteKind::kMethodNotAllowed, model};
}

// After /v2/models/: {m}[/versions/{v}][/infer|/ready].
Route route_model(std::string_view method, std::string_view rest) {
  const std::string_view model = take_segment(rest);
  if (model.empty()) return {};
  if (take(rest, "/versions/") && take_segment(rest).empty()) return {};
  if (rest == "/infer") {
    return {method == "POST" ? RouteKind::kModel : RouteKind::kMethodNotAllowed, model};
  }
  if (rest == "/ready") return get_only(method, RouteKind::kModelReady, model);
  if (rest.empty() || rest == "/config" || rest == "/stats") {
    return get_only(method, RouteKind::kModel, model);
  }
  return {};
}

constexpr std::string_view kModels = "/v2/models/";

}  // namespace

Route route(std::string_view method, std::string_view target) {
  std::string_view path = target.substr(0, target.find('?'));
  if (!take(path, "/v2")) return {};
  if (path.empty() || path == "/") return get_only(method, RouteKind::kServerInfo);
  if (take(path, "/models/")) return route_model(method, path);
  if (path == "/health/live") return get_only(method, RouteKind::kServerLive);
  if (path == "/health/ready") return get_only(method, RouteKind::kServerReady);
  return {};
}

void append_target_of(std::string& out, std::string_view model, std::string_view target) {
  std::string_view path = target.substr(0, target.find('?'));
  const std::string_view query = target.substr(path.size());
  take(path, kModels);
  take_segment(path);
  if (take(path, "/versions/")) take_segment(path);
  out.append(kModels).append(model).append(path).append(query);
}

}  // namespace sluice::gateway
