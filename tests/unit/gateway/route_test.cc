#include "gateway/route.h"

#include <string>

#include <gtest/gtest.h>

namespace sluice::gateway {
namespace {

void expect_route(std::string_view method, std::string_view target, RouteKind kind,
                  std::string_view model = "") {
  const Route found = route(method, target);
  EXPECT_EQ(found.kind, kind) << method << ' ' << target;
  EXPECT_EQ(found.model, model) << method << ' ' << target;
}

TEST(Route, InferenceIsPosted) {
  for (const std::string_view target :
       {"/v2/models/detect/infer", "/v2/models/detect/versions/3/infer",
        "/v2/models/detect/infer?trace=1", "/v2/models/detect/infer?a=/ready"}) {
    expect_route("POST", target, RouteKind::kModel, "detect");
    expect_route("GET", target, RouteKind::kMethodNotAllowed, "detect");
    expect_route("DELETE", target, RouteKind::kMethodNotAllowed, "detect");
  }
}

TEST(Route, MetadataIsGotFromAReplica) {
  for (const std::string_view target :
       {"/v2/models/detect", "/v2/models/detect/versions/3", "/v2/models/detect/config",
        "/v2/models/detect/stats", "/v2/models/detect/versions/3/stats", "/v2/models/detect?x"}) {
    expect_route("GET", target, RouteKind::kModel, "detect");
    expect_route("HEAD", target, RouteKind::kModel, "detect");
    expect_route("POST", target, RouteKind::kMethodNotAllowed, "detect");
  }
}

TEST(Route, ReadinessIsAnsweredHere) {
  expect_route("GET", "/v2/models/detect/ready", RouteKind::kModelReady, "detect");
  expect_route("GET", "/v2/models/detect/versions/3/ready", RouteKind::kModelReady, "detect");
  expect_route("GET", "/v2/health/live", RouteKind::kServerLive);
  expect_route("GET", "/v2/health/ready", RouteKind::kServerReady);
  expect_route("HEAD", "/v2/health/ready", RouteKind::kServerReady);
  expect_route("GET", "/v2", RouteKind::kServerInfo);
  expect_route("GET", "/v2/", RouteKind::kServerInfo);
  expect_route("POST", "/v2/health/live", RouteKind::kMethodNotAllowed);
  expect_route("PUT", "/v2/models/detect/ready", RouteKind::kMethodNotAllowed, "detect");
}

// Methods are case-sensitive (RFC 9110, 9.1).
TEST(Route, MethodsInAnotherCaseAreOthers) {
  expect_route("post", "/v2/models/detect/infer", RouteKind::kMethodNotAllowed, "detect");
  expect_route("Get", "/v2", RouteKind::kMethodNotAllowed);
}

TEST(Route, ModelIsASliceOfTheTargetAsItStands) {
  const std::string target = "/v2/models/a%2Fb.c-d/infer";
  const Route found = route("POST", target);
  EXPECT_EQ(found.model, "a%2Fb.c-d");
  EXPECT_EQ(found.model.data(), target.data() + 11);
}

TEST(Route, EverythingElseIsNotFound) {
  for (const std::string_view target : {"",
                                        "/",
                                        "*",
                                        "?",
                                        "/v1",
                                        "/v2x",
                                        "/v22",
                                        "v2",
                                        "/V2",
                                        "/v2/health",
                                        "/v2/health/",
                                        "/v2/health/live/",
                                        "/v2/models",
                                        "/v2/models/",
                                        "/v2/models//infer",
                                        "/v2/models/?x",
                                        "/v2/models/a/",
                                        "/v2/models/a/infer/",
                                        "/v2/models/a/infers",
                                        "/v2/models/a//infer",
                                        "/v2/models/a/versions",
                                        "/v2/models/a/versions/",
                                        "/v2/models/a/versions//infer",
                                        "/v2/models/a/versions/1/versions/2",
                                        "/v2/models/a/b/infer",
                                        "/v2/../v2",
                                        "/v2/repository/index"}) {
    expect_route("GET", target, RouteKind::kNotFound);
    expect_route("POST", target, RouteKind::kNotFound);
  }
}

TEST(Target, OfAnotherModelIsTheSameQuestionWithoutTheVersion) {
  const auto target = [](std::string_view asked) {
    std::string out = "POST ";
    append_target_of(out, "small", asked);
    return out;
  };
  EXPECT_EQ(target("/v2/models/large/infer"), "POST /v2/models/small/infer");
  EXPECT_EQ(target("/v2/models/large/versions/3/infer"), "POST /v2/models/small/infer");
  EXPECT_EQ(target("/v2/models/large/infer?a=/versions/3/"),
            "POST /v2/models/small/infer?a=/versions/3/");
  EXPECT_EQ(target("/v2/models/large?x=/y"), "POST /v2/models/small?x=/y");
  EXPECT_EQ(target("/v2/models/large/versions/3"), "POST /v2/models/small");
  EXPECT_EQ(target("/v2/models/versions/versions/3/config"), "POST /v2/models/small/config");
}

}  // namespace
}  // namespace sluice::gateway
