// Where a request goes, by its method and path: the Open Inference Protocol v2 over REST.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::gateway {

enum class RouteKind : std::uint8_t {
  kModel,        // inference or metadata of a model: scheduled, sent to a replica
  kModelReady,   // /v2/models/{m}/ready: answered here
  kServerLive,   // /v2/health/live
  kServerReady,  // /v2/health/ready
  kServerInfo,   // /v2
  kNotFound,
  kMethodNotAllowed,
};

struct Route {
  RouteKind kind = RouteKind::kNotFound;
  std::string_view model;  // a slice of the target, percent-encoding and all
};

// `target` as it stands in the request line. The query, if any, is not looked at. O(length).
Route route(std::string_view method, std::string_view target);

// The same question to another model, appended to `out`: `target`, of a kModel route, with `model`
// in place of its own. A version is cut out, for it is one of that model's. O(length).
void append_target_of(std::string& out, std::string_view model, std::string_view target);

}  // namespace sluice::gateway
