#include "telemetry/metrics_document.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace sluice::telemetry {
namespace {

// Tests run in the root of the repository.
constexpr const char* kPath = "docs/metrics.md";

std::string committed() {
  std::ostringstream out;
  out << std::ifstream(kPath).rdbuf();
  return out.str();
}

TEST(MetricsDocument, CommittedOneIsUpToDate) {
  if (std::getenv("SLUICE_UPDATE_DOCS") != nullptr) std::ofstream(kPath) << metrics_document();
  EXPECT_EQ(committed(), metrics_document())
      << kPath << " differs from src/telemetry/definitions.h; its first lines say how to make it";
}

}  // namespace
}  // namespace sluice::telemetry
