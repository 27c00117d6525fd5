#include "sim/file/base_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "config/error.h"
#include "sim/scenario_file.h"

namespace sluice::sim {
namespace {

using testing::HasSubstr;

constexpr const char* kBase = R"(name: base
models: {a: {}, b: {}}
node_kinds: {k: {slots: 4}}
service_time: {mean_ms: {a: {k: 5}, b: {k: 6}}}
traffic:
  mix: {a: 3, b: 1}
  phases: [{duration_s: 5, rate: 10}]
)";

// A folder of its own for each test.
class BaseChain : public testing::Test {
 protected:
  BaseChain() { std::filesystem::create_directories(folder_ / "below"); }
  ~BaseChain() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  Scenario load(const std::string& name) const { return load_scenario((folder_ / name).string()); }
  // Without the folder in it.
  std::string error_of(const std::string& name) const {
    try {
      load(name);
    } catch (const config::ConfigError& e) {
      std::string text = e.what();
      const std::string prefix = folder_.string() + "/";
      for (std::size_t at; (at = text.find(prefix)) != std::string::npos;)
        text.erase(at, prefix.size());
      return text;
    }
    return "no error";
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::weakly_canonical(testing::TempDir()) /
      ("sluice_base_chain_" +
       std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(BaseChain, HoldsWhereTheFileIsSilent) {
  write("base.yaml", kBase);
  write("below/top.yaml",
        "base: ../base.yaml\nnode_kinds: {k: {slots: 9}}\nservice_time: {mean_ms: {b: {k: 7}}}\n");
  const Scenario s = load("below/top.yaml");
  EXPECT_EQ(s.name, "top");
  EXPECT_EQ(s.kinds[0].slots, 9U);
  EXPECT_EQ(s.service.mean[0][0], std::chrono::milliseconds(5));
  EXPECT_EQ(s.service.mean[1][0], std::chrono::milliseconds(7));
  EXPECT_EQ(s.streams[0].mix[0], 3);
}

TEST_F(BaseChain, StreamsReplacePhasesAndPhasesStreams) {
  write("base.yaml", kBase);
  write("streams.yaml",
        "base: base.yaml\ntraffic: {streams: [{name: s, phases: [{duration_s: 7, rate: 9}]}]}\n");
  write("phases.yaml", "base: streams.yaml\ntraffic: {phases: [{duration_s: 8, rate: 9}]}\n");
  EXPECT_EQ(load("streams.yaml").streams[0].name, "s");
  EXPECT_EQ(load("streams.yaml").streams[0].mix[0], 3);
  EXPECT_EQ(load("phases.yaml").streams[0].name, "all");
  EXPECT_EQ(load("phases.yaml").streams[0].phases[0].duration, std::chrono::seconds(8));
}

TEST_F(BaseChain, ErrorsOfABaseNameIt) {
  write("base.yaml", std::string(kBase) + "drain: 5\n");
  write("top.yaml", "base: base.yaml\nseeds: [2]\n");
  EXPECT_THAT(error_of("top.yaml"), HasSubstr("base.yaml:8: drain: unknown key"));
  write("base.yaml", "a: [\n");
  EXPECT_THAT(error_of("top.yaml"), HasSubstr("base.yaml:2: not YAML"));
}

// Each file is sound; together they are not.
TEST_F(BaseChain, WhatNoLongerFitsIsSaidWhereItStands) {
  write("base.yaml", std::string(kBase) + "nodes: {n: {kind: k}}\n");
  write("top.yaml", "base: base.yaml\nnode_kinds:\n  k: {count: 3}\n");
  EXPECT_THAT(error_of("top.yaml"), HasSubstr("base.yaml:8: nodes: lists 1 of kind k"));
}

TEST_F(BaseChain, RefusesABaseThatIsNoFile) {
  write("top.yaml", "seeds: [1]\nbase: nowhere.yaml\n");
  EXPECT_THAT(error_of("top.yaml"), HasSubstr("top.yaml:2: base: nowhere.yaml is not a file"));
  write("top.yaml", "base: below\n");
  EXPECT_THAT(error_of("top.yaml"), HasSubstr("top.yaml:1: base: below is not a file"));
  write("top.yaml", "base: [a]\n");
  EXPECT_EQ(error_of("top.yaml"), "top.yaml:1: base: is not the path of a file");
  write("top.yaml", "base:\n");
  EXPECT_EQ(error_of("top.yaml"), "top.yaml:1: base: is not the path of a file");
}

TEST_F(BaseChain, RefusesCircles) {
  write("a.yaml", "base: b.yaml\n");
  write("b.yaml", "base: below/../a.yaml\n");
  EXPECT_EQ(error_of("a.yaml"),
            "b.yaml:1: base: goes round in a circle: a.yaml stands on b.yaml stands on a.yaml");
  write("self.yaml", "base: self.yaml\n");
  EXPECT_THAT(error_of("self.yaml"), HasSubstr("self.yaml stands on self.yaml"));
}

TEST_F(BaseChain, RefusesTowers) {
  write("0.yaml", kBase);
  for (int i = 1; i <= kBaseLimit + 1; ++i) {
    write(std::to_string(i) + ".yaml", "base: " + std::to_string(i - 1) + ".yaml\n");
  }
  EXPECT_EQ(load(std::to_string(kBaseLimit) + ".yaml").models.size(), 2U);
  EXPECT_THAT(error_of(std::to_string(kBaseLimit + 1) + ".yaml"),
              HasSubstr("more than 8 files on top of each other"));
}

}  // namespace
}  // namespace sluice::sim
