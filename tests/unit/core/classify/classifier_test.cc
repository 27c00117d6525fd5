#include "core/classify/classifier.h"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

Options catalogue() {
  Options options;
  options.task_types = {"image", "text"};
  options.models = {{.name = "detect",
                     .task_type = TaskTypeId{0},
                     .weight = WeightClass::kLight,
                     .realtime = Realtime::kHigh,
                     .budget = 80ms},
                    {.name = "summarise",
                     .task_type = TaskTypeId{1},
                     .weight = WeightClass::kHeavy,
                     .realtime = Realtime::kLow,
                     .expected_service = 700ms}};
  options.tenants = {{.name = "default", .tier = Tier::kBasic},
                     {.name = "acme", .tier = Tier::kVip},
                     {.name = "guest", .tier = Tier::kBasic, .best_priority = 5}};
  return options;
}

Labels silent(std::uint32_t model, std::uint32_t tenant) {
  return {.model = ModelId{model}, .tenant = TenantId{tenant}};
}

// R2: what the caller leaves out comes from the catalogue and the tenant table.
TEST(Classifier, SilentLabelsComeFromCatalogueAndTenant) {
  const auto found = classify(silent(0, 1), catalogue());
  EXPECT_EQ(found.priority, 0);
  EXPECT_EQ(found.lane, Lane::kHigh);
  EXPECT_EQ(found.budget, 80ms);
  EXPECT_EQ(found.task_type, TaskTypeId{0});
  EXPECT_EQ(found.prior_service, catalogue().predictor.prior[0]);
}

TEST(Classifier, PriorityOfTheRequestWinsOverTheTable) {
  Labels labels = silent(0, 1);
  labels.priority = 8;
  EXPECT_EQ(classify(labels, catalogue()).priority, 8);
  EXPECT_EQ(classify(labels, catalogue()).lane, Lane::kLow);
}

TEST(Classifier, TenantClampsWhatARequestMayAskFor) {
  Labels labels = silent(0, 2);
  labels.priority = 0;
  EXPECT_EQ(classify(labels, catalogue()).priority, 5);
  EXPECT_EQ(classify(silent(0, 2), catalogue()).priority, 5);
}

// Budget: request > model > realtime level > lane.
TEST(Classifier, BudgetPrecedence) {
  Options options = catalogue();
  Labels labels = silent(0, 0);
  labels.budget = 33ms;
  EXPECT_EQ(classify(labels, options).budget, 33ms);
  EXPECT_EQ(classify(silent(0, 0), options).budget, 80ms);
  EXPECT_EQ(classify(silent(1, 0), options).budget, *options.realtime_budget[2]);
  options.realtime_budget[2].reset();
  EXPECT_EQ(classify(silent(1, 0), options).budget, options.lanes[2].budget);
}

TEST(Classifier, LevelNamedByTheRequestReplacesTheModelsBudget) {
  Labels labels = silent(0, 0);
  labels.realtime = Realtime::kLow;
  EXPECT_EQ(classify(labels, catalogue()).budget, 5s);
}

TEST(Classifier, PriorIsTheRequestsThenTheModelsThenTheClass) {
  Labels labels = silent(1, 0);
  EXPECT_EQ(classify(labels, catalogue()).prior_service, 700ms);
  labels.expected_service = 20ms;
  EXPECT_EQ(classify(labels, catalogue()).prior_service, 20ms);
}

TEST(Classifier, TaskTypeAndWeightLabelsAreUsed) {
  Labels labels = silent(0, 0);
  labels.task_type = TaskTypeId{1};
  labels.weight = WeightClass::kHeavy;
  const auto found = classify(labels, catalogue());
  EXPECT_EQ(found.task_type, TaskTypeId{1});
  EXPECT_EQ(found.prior_service, catalogue().predictor.prior[2]);
}

}  // namespace
}  // namespace sluice::core
