#include "sim/scenario_docs.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "sim/scenario_file.h"

namespace sluice::sim {
namespace {

// Tests run in the root of the repository.
constexpr const char* kPath = "docs/scenarios.md";

std::string committed() {
  std::ostringstream out;
  out << std::ifstream(kPath).rdbuf();
  return out.str();
}

TEST(ScenarioDocs, CommittedOneIsUpToDate) {
  if (std::getenv("SLUICE_UPDATE_DOCS") != nullptr) std::ofstream(kPath) << scenario_markdown();
  EXPECT_EQ(committed(), scenario_markdown())
      << kPath << " differs from src/sim/file; its first lines say how to make it";
}

TEST(ScenarioDocs, ExamplesAreSound) {
  const std::string text = scenario_markdown();
  const std::string fence = "```yaml\n";
  int examples = 0;
  for (std::size_t at = text.find(fence); at != text.npos; at = text.find(fence, at)) {
    at += fence.size();
    EXPECT_NO_THROW(parse_scenario(text.substr(at, text.find("```", at) - at), "example.yaml"));
    ++examples;
  }
  EXPECT_EQ(examples, 2);
}

TEST(ScenarioDocs, NamesEveryFault) {
  for (const auto name : kFaultKindNames) {
    EXPECT_NE(scenario_markdown().find("`" + std::string(name) + "`"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace sluice::sim
