#include "model_server/route.h"

#include <gtest/gtest.h>

namespace sluice::model_server {
namespace {

using Resource = Route::Resource;

TEST(Route, KnowsTheFixedResources) {
  EXPECT_EQ(route_of("/v2").resource, Resource::kServer);
  EXPECT_EQ(route_of("/v2/health/live").resource, Resource::kLive);
  EXPECT_EQ(route_of("/v2/health/ready?verbose").resource, Resource::kReady);
  EXPECT_EQ(route_of("/v2/repository/index").resource, Resource::kIndex);
  EXPECT_EQ(route_of("/metrics").resource, Resource::kMetrics);
}

TEST(Route, FindsModelVersionAndVerb) {
  const Route infer = route_of("/v2/models/m.1/infer");
  EXPECT_EQ(infer.resource, Resource::kInfer);
  EXPECT_EQ(infer.model, "m.1");
  EXPECT_EQ(infer.version, "");
  const Route ready = route_of("/v2/models/m/versions/3/ready");
  EXPECT_EQ(ready.resource, Resource::kModelReady);
  EXPECT_EQ(ready.version, "3");
  EXPECT_EQ(route_of("/v2/models/m").resource, Resource::kModel);
  EXPECT_EQ(route_of("/v2/models/m/versions/1").resource, Resource::kModel);
}

TEST(Route, FindsWhatIsToBeLoaded) {
  EXPECT_EQ(route_of("/v2/repository/models/m.1/load").resource, Resource::kLoad);
  EXPECT_EQ(route_of("/v2/repository/models/m.1/load").model, "m.1");
  EXPECT_EQ(route_of("/v2/repository/models/m/unload?x").resource, Resource::kUnload);
}

TEST(Route, KnowsNothingElse) {
  for (const char* target :
       {"", "/", "v2", "/v2/", "/v2/models", "/v2/models/", "/v2/models//infer",
        "/v2/models/m/versions//infer", "/v2/models/m/versions/", "/v2/models/m/run",
        "/v2/models/m/infer/x", "/v2/health", "/v2/repository/models/m",
        "/v2/repository/models//load", "/v2/repository/models/m/load/x"}) {
    EXPECT_EQ(route_of(target).resource, Resource::kUnknown) << target;
  }
}

}  // namespace
}  // namespace sluice::model_server
