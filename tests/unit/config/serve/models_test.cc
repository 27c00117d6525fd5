#include <chrono>

#include <gtest/gtest.h>

#include "unit/config/serve/reading.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

// Line 1 is the models' header, the models begin on line 2.
std::string with_models(const std::string& models, const std::string& served) {
  return "models:\n" + models + "replicas:\n- {url: 'http://a:1', models: [" + served + "]}\n";
}

TEST(ModelsSection, FillsTheCatalogue) {
  const ServeConfig config = parse_serve_config(
      with_models("- {name: a, task_type: image, weight: heavy, realtime: high, budget: 100ms,\n"
                  "   expected: 900us, idempotent: no}\n"
                  "- {name: b, task_type: speech}\n"
                  "- {name: c, task_type: image}\n",
                  "a, b, c"),
      "f.yaml");
  const auto& models = config.core.models;
  ASSERT_EQ(models.size(), 3U);
  EXPECT_EQ(models[0].name, "a");
  EXPECT_EQ(models[0].weight, core::WeightClass::kHeavy);
  EXPECT_EQ(models[0].realtime, core::Realtime::kHigh);
  EXPECT_EQ(models[0].budget, Duration(100ms));
  EXPECT_EQ(models[0].expected_service, Duration(900us));
  EXPECT_FALSE(models[0].idempotent);
  EXPECT_EQ(models[1].budget, std::nullopt);
  EXPECT_TRUE(models[1].idempotent);
  EXPECT_EQ(config.core.task_types, (std::vector<std::string>{"image", "speech"}));
  EXPECT_EQ(models[2].task_type, models[0].task_type);
  EXPECT_NE(models[1].task_type, models[0].task_type);
}

TEST(ModelsSection, WeighsByParameters) {
  const ServeConfig config = parse_serve_config(
      with_models("- {name: a, parameters: 12M}\n- {name: b, parameters: 12000001}\n"
                  "- {name: c, parameters: 200M}\n- {name: d, parameters: 7B}\n",
                  "a, b, c, d"),
      "f.yaml");
  EXPECT_EQ(config.core.models[0].weight, core::WeightClass::kLight);
  EXPECT_EQ(config.core.models[1].weight, core::WeightClass::kMedium);
  EXPECT_EQ(config.core.models[2].weight, core::WeightClass::kMedium);
  EXPECT_EQ(config.core.models[3].weight, core::WeightClass::kHeavy);
}

TEST(ModelsSection, RefusesContradictions) {
  EXPECT_EQ(error_of(with_models("- name: a\n  weight: light\n  parameters: 3M\n", "a")),
            "sluice.yaml:4: models[0].parameters: stands beside weight; write one of the two");
  EXPECT_EQ(error_of(with_models("- name: a\n- name: a\n", "a")),
            "sluice.yaml:3: models[1].name: another model is called a");
  EXPECT_EQ(error_of(with_models("- {name: a, weight: huge}\n", "a")),
            "sluice.yaml:2: models[0].weight: \"huge\" is not one of light, medium, heavy");
  EXPECT_EQ(error_of(with_models("- {name: a/b}\n", "a")).rfind("sluice.yaml:2: models[0].name", 0),
            0U);
}

}  // namespace
}  // namespace sluice::config
