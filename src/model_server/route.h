// Which of the protocol's resources a request target names.
#pragma once

#include <string_view>

namespace sluice::model_server {

struct Route {
  enum class Resource {
    kUnknown,
    kServer,      // /v2
    kLive,        // /v2/health/live
    kReady,       // /v2/health/ready
    kIndex,       // /v2/repository/index
    kMetrics,     // /metrics
    kModel,       // /v2/models/MODEL[/versions/VERSION]
    kModelReady,  // .../ready
    kInfer,       // .../infer
    kLoad,        // /v2/repository/models/MODEL/load
    kUnload,      // .../unload
  };

  Resource resource = Resource::kUnknown;
  std::string_view model;    // set for the last five, not empty
  std::string_view version;  // empty: none named
};

// The views point into `target`. A query (after '?') is ignored.
Route route_of(std::string_view target);

}  // namespace sluice::model_server
