#include "model_server/loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::model_server {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class LoaderTest : public ::testing::Test {
 protected:
  void start(std::vector<ModelOptions> models, std::optional<std::uint64_t> memory = {}) {
    options_.models = std::move(models);
    options_.memory_bytes = memory;
    catalog_.emplace(options_, registry_);
    loader_.emplace(loop_, *catalog_, options_);
  }
  Model& model(std::string_view name) { return *catalog_->find(name); }
  void load(std::string_view name) {
    loader_->load(model(name), [this](const Answer& answer) {
      statuses_.push_back(answer.status);
      said_ = answer.body;
    });
  }
  // Until nothing is under way.
  void settle() {
    loop_.restart();
    loop_.run();
  }
  static ModelOptions cold(const std::string& name, std::uint64_t bytes, LoadOptions loads = {}) {
    loads.at_start = false;
    return {.name = name, .work = TimedOptions{.memory_bytes = bytes}, .loads = loads};
  }

  boost::asio::io_context loop_;
  prometheus::Registry registry_;
  Options options_;
  std::optional<Catalog> catalog_;
  std::optional<Loader> loader_;
  std::vector<int> statuses_;
  std::string said_;
};

TEST_F(LoaderTest, LoadsAndUnloads) {
  start({cold("a", 5)});
  EXPECT_THAT(catalog_->index_json(), HasSubstr("UNAVAILABLE"));
  load("a");
  EXPECT_THAT(catalog_->index_json(), HasSubstr("LOADING"));
  EXPECT_TRUE(statuses_.empty());
  settle();
  EXPECT_THAT(statuses_, ElementsAre(200));
  EXPECT_EQ(model("a").state, LoadState::kReady);
  EXPECT_EQ(catalog_->memory_in_use(), 5u);
  EXPECT_EQ(loader_->unload(model("a")).status, 200);
  EXPECT_EQ(model("a").state, LoadState::kUnavailable);
  EXPECT_EQ(catalog_->memory_in_use(), 0u);
}

TEST_F(LoaderTest, WhoeverAsksMeanwhileSharesTheLoad) {
  start({cold("a", 5, {.time = 5ms})});
  load("a");
  load("a");
  settle();
  load("a");  // it is there
  settle();
  EXPECT_THAT(statuses_, ElementsAre(200, 200, 200));
  EXPECT_THAT(
      metrics_text(registry_),
      HasSubstr(R"(sluice_repository_requests_total{model="a",verb="load",version="1"} 3)"));
}

TEST_F(LoaderTest, WhatDoesNotFitIsRefusedAndTakesNothing) {
  start({cold("a", 6), cold("b", 6)}, 10);
  load("a");
  load("b");  // room is taken from the start of a load
  settle();
  EXPECT_THAT(statuses_, ElementsAre(400, 200));
  EXPECT_EQ(catalog_->memory_in_use(), 6u);
  loader_->unload(model("a"));
  load("b");
  settle();
  EXPECT_EQ(model("b").state, LoadState::kReady);
}

TEST_F(LoaderTest, AFailedLoadSaysWhyAndTakesNothing) {
  start({cold("a", 5, {.failure_rate = 1})});
  load("a");
  settle();
  EXPECT_THAT(statuses_, ElementsAre(400));
  EXPECT_THAT(said_, HasSubstr("failed to load \\\"a\\\": a drawn failure"));
  EXPECT_EQ(catalog_->memory_in_use(), 0u);
}

TEST_F(LoaderTest, AnUnloadEndsALoad) {
  start({cold("a", 5, {.time = 1h})});
  load("a");
  EXPECT_EQ(loader_->unload(model("a")).status, 200);
  settle();
  EXPECT_THAT(statuses_, ElementsAre(400));
  EXPECT_EQ(model("a").state, LoadState::kUnavailable);
}

TEST_F(LoaderTest, ModelsInFilesAreReadAgain) {
  start({{.name = "o", .work = OnnxOptions{".deps/models/orientation.onnx"}}});
  loader_->unload(model("o"));
  EXPECT_EQ(std::get<1>(model("o").work), nullptr);
  load("o");
  settle();
  EXPECT_THAT(statuses_, ElementsAre(200));
  EXPECT_NE(std::get<1>(model("o").work), nullptr);
}

}  // namespace
}  // namespace sluice::model_server
