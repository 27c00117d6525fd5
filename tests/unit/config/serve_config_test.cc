#include "config/serve_config.h"

#include <gtest/gtest.h>

#include "unit/config/serve/reading.h"

namespace sluice::config {
namespace {

TEST(ServeConfig, TheShortestUsefulFileIsOneModelAndOneReplica) {
  const ServeConfig config = read_with("");
  EXPECT_EQ(format_address(config.http), "0.0.0.0:8080");
  EXPECT_EQ(config.core.models.size(), 1U);
  EXPECT_EQ(config.core.nodes.size(), 1U);
  EXPECT_EQ(config.core.task_types.size(), 1U);
  EXPECT_EQ(config.core.seed, 1U);
}

TEST(ServeConfig, NeedsModelsAndReplicas) {
  EXPECT_EQ(error_of("seed: 1\n"), "sluice.yaml:1: models: is required, but not there");
  EXPECT_EQ(error_of("models: [{name: a}]\n"),
            "sluice.yaml:1: replicas: is required, but not there");
  EXPECT_EQ(error_of("modles: [{name: a}]\n")
                .rfind("sluice.yaml:1: modles: unknown key (did you mean models?)", 0),
            0U);
}

TEST(ServeConfig, SeedsAreExact) {
  EXPECT_EQ(read_with("seed: 18446744073709551615\n").core.seed, UINT64_MAX);
}

TEST(ServeConfig, NoTextMakesItCrash) {
  // Every prefix of a file that uses every shape: most are errors, none is anything else.
  const std::string whole = std::string(kShortest) +
                            "policy: {name: edf}\nlanes: {high: {weight: 2}}\n"
                            "tenants: [{name: x, tier: vip}]\npriorities: [{priority: 3}]\n";
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    const std::string error = error_of(whole.substr(0, length));
    EXPECT_TRUE(error.empty() || error.starts_with("sluice.yaml:")) << error;
  }
}

}  // namespace
}  // namespace sluice::config
