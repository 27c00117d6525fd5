#include "model_server/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::model_server {
namespace {

using ::testing::HasSubstr;

std::string complaint(std::vector<ModelOptions> models,
                      std::optional<std::uint64_t> memory_bytes = std::nullopt) {
  prometheus::Registry registry;
  try {
    Catalog(Options{.memory_bytes = memory_bytes, .models = std::move(models)}, registry);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

TEST(Catalog, FindsAndListsItsModels) {
  prometheus::Registry registry;
  Catalog catalog({.models = {{"b", TimedOptions{}}, {"a", TimedOptions{}}}}, registry);
  ASSERT_NE(catalog.find("a"), nullptr);
  EXPECT_EQ(catalog.find("a")->info.name, "a");
  EXPECT_EQ(catalog.find("c"), nullptr);
  EXPECT_FALSE(catalog.has_onnx_models());
  EXPECT_EQ(catalog.index_json(), R"([{"name":"a","version":"1","state":"READY","reason":""},)"
                                  R"({"name":"b","version":"1","state":"READY","reason":""}])");
}

TEST(Catalog, RefusesModelsThatItCannotServe) {
  EXPECT_THAT(complaint({}), HasSubstr("at least one"));
  EXPECT_THAT(complaint({{"a/b", TimedOptions{}}}), HasSubstr("\"a/b\""));
  EXPECT_THAT(complaint({{"a", TimedOptions{}}, {"a", TimedOptions{}}}), HasSubstr("twice"));
  EXPECT_THAT(
      complaint({{"a", TimedOptions{.memory_bytes = 6}}, {"b", TimedOptions{.memory_bytes = 6}}},
                10),
      HasSubstr("more than memory"));
  EXPECT_THAT(complaint({{"a", OnnxOptions{"missing.onnx"}}}), HasSubstr("missing.onnx"));
  EXPECT_THAT(complaint({{"a", OnnxOptions{"CMakeLists.txt"}}}), HasSubstr("CMakeLists.txt: "));
}

}  // namespace
}  // namespace sluice::model_server
