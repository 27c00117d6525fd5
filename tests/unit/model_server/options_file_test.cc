#include "model_server/options_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/error.h"

namespace sluice::model_server {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

std::string complaint(const std::string& yaml) {
  try {
    parse_options(yaml, "r.yaml");
  } catch (const config::ConfigError& error) {
    return error.what();
  }
  return {};
}

TEST(OptionsFile, ReadsEverything) {
  const Options options = parse_options(R"(
listen: "[::1]:0"
slots: 3
queue: 0
threads: 2
seed: 9
models:
  - {name: real, onnx: a.onnx}
  - {name: played, timed: {mean: 5ms, cv: 0.3, memory: 500MB, failure_rate: 1%}}
)",
                                        "r.yaml");
  EXPECT_EQ(options.listen.address, "::1");
  EXPECT_EQ(options.listen.port, 0);
  EXPECT_EQ(options.slots, 3);
  EXPECT_EQ(options.queue, 0);
  EXPECT_EQ(options.threads, 2);
  EXPECT_EQ(options.seed, 9);
  ASSERT_EQ(options.models.size(), 2);
  EXPECT_EQ(std::get<OnnxOptions>(options.models[0].work).path, "a.onnx");
  const auto& timed = std::get<TimedOptions>(options.models[1].work);
  EXPECT_EQ(timed.mean, 5ms);
  EXPECT_DOUBLE_EQ(timed.cv, 0.3);
  EXPECT_EQ(timed.memory_bytes, 500'000'000);
  EXPECT_DOUBLE_EQ(timed.failure_rate, 0.01);
}

TEST(OptionsFile, NeedsOneKindOfWorkAModel) {
  EXPECT_THAT(complaint("models: [{name: m}]"), HasSubstr("r.yaml:1: models[0].timed"));
  EXPECT_THAT(complaint("models: [{name: m, onnx: a, timed: {}}]"), HasSubstr("one of the keys"));
  EXPECT_EQ(complaint("models: [{name: m, timed: {}}]"), "");
}

TEST(OptionsFile, RefusesWhatCannotBe) {
  EXPECT_THAT(complaint("slots: 0\nmodels: [{name: m, timed: {}}]"), HasSubstr("r.yaml:1: slots"));
  EXPECT_THAT(complaint("slots: 1"), HasSubstr("models"));
  EXPECT_THAT(complaint("models: [{name: m, timed: {mean: 0ms}}]"), HasSubstr("mean"));
}

TEST(OptionsFile, DescribesItsKeys) {
  const config::Docs docs = describe_options();
  ASSERT_EQ(docs.size(), 3);
  EXPECT_EQ(docs[2].path, "models[].timed");
}

TEST(Endpoint, IsAnAddressAndAPort) {
  EXPECT_EQ(to_string(parse_endpoint("127.0.0.1:80").value()), "127.0.0.1:80");
  EXPECT_EQ(to_string(parse_endpoint("[::1]:0").value()), "[::1]:0");
  for (const char* text :
       {"", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "a:-1", "::1:80", "a:8 "}) {
    EXPECT_FALSE(parse_endpoint(text)) << text;
  }
}

}  // namespace
}  // namespace sluice::model_server
