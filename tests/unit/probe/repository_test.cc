#include "probe/repository.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::probe {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

TEST(Repository, QuestionsNameTheModelAfterThePrefix) {
  EXPECT_EQ(load_question("/triton", "detect").path, "/triton/v2/repository/models/detect/load");
  EXPECT_EQ(unload_question("", "m.1").path, "/v2/repository/models/m.1/unload");
  EXPECT_EQ(index_question("").path, "/v2/repository/index");
  EXPECT_EQ(load_question("", "m").method, HttpQuestion::Method::kPost);
}

TEST(Repository, ReadyModelsAreThoseWithAReadyVersion) {
  EXPECT_THAT(ready_models(R"([{"name":"b","version":"1","state":"READY","reason":""},
                               {"name":"c","version":"1","state":"UNAVAILABLE","reason":"x"},
                               {"name":"a","version":"1","state":"UNAVAILABLE"},
                               {"name":"a","version":"2","state":"READY"},
                               {"name":"d"},
                               {"name":"b","version":"2","state":"READY"}])"),
              Optional(ElementsAre("a", "b")));
  EXPECT_THAT(ready_models("[]"), Optional(ElementsAre()));
}

TEST(Repository, WhatIsNoIndexSaysNothing) {
  for (const char* text :
       {"", "{}", "null", "[1]", "[{}]", R"([{"name":1}])", "[", "\xff", R"({"models":[]})"}) {
    EXPECT_EQ(ready_models(text), std::nullopt) << text;
  }
  EXPECT_THAT(ready_models(R"([{"name":"a","state":7}])"), Optional(ElementsAre()));
}

TEST(Repository, FailuresAreToldInTheReplicasWords) {
  EXPECT_EQ(failure_of({.failure = "cannot connect: refused"}), "cannot connect: refused");
  EXPECT_EQ(failure_of({.status = 400, .body = R"({"error":"no room"})"}), "answered 400: no room");
  EXPECT_EQ(failure_of({.status = 500, .body = "oops"}), "answered 500: oops");
  EXPECT_EQ(failure_of({.status = 500, .body = R"({"error":7})"}), R"(answered 500: {"error":7})");
  EXPECT_LT(failure_of({.status = 500, .body = std::string(5000, 'x')}).size(), 300u);
}

}  // namespace
}  // namespace sluice::probe
