#include "config/serve_docs.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "config/serve_config.h"

namespace sluice::config {
namespace {

// Tests run in the root of the repository.
constexpr const char* kPath = "docs/configuration.md";

std::string committed() {
  std::ostringstream out;
  out << std::ifstream(kPath).rdbuf();
  return out.str();
}

TEST(ServeDocs, CommittedOneIsUpToDate) {
  if (std::getenv("SLUICE_UPDATE_DOCS") != nullptr)
    std::ofstream(kPath) << configuration_markdown();
  EXPECT_EQ(committed(), configuration_markdown())
      << kPath << " differs from src/config/serve; its first lines say how to make it";
}

TEST(ServeDocs, ExamplesAreSound) {
  const std::string text = configuration_markdown();
  const std::string fence = "```yaml\n";
  int examples = 0;
  for (std::size_t at = text.find(fence); at != text.npos; at = text.find(fence, at)) {
    at += fence.size();
    EXPECT_NO_THROW(parse_serve_config(text.substr(at, text.find("```", at) - at), "example.yaml"));
    ++examples;
  }
  EXPECT_EQ(examples, 2);
}

}  // namespace
}  // namespace sluice::config
