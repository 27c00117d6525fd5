#include "telemetry/family.h"

#include <gtest/gtest.h>

namespace sluice::telemetry {
namespace {

TEST(Family, CarriesWhatIsDeclared) {
  const auto family = family_of(kTasks);
  EXPECT_EQ(family.name, kTasks.name);
  EXPECT_EQ(family.help, kTasks.help);
  EXPECT_EQ(family.type, prometheus::MetricType::Counter);
}

TEST(Family, LabelsComeInTheDeclaredOrder) {
  auto family = family_of(kTasks);
  add_value(family, kTasks, {"high", "refused", "queue_full"}, 3);
  ASSERT_EQ(family.metric.size(), 1U);
  const auto& labels = family.metric[0].label;
  ASSERT_EQ(labels.size(), 3U);
  EXPECT_EQ(labels[0].name, "lane");
  EXPECT_EQ(labels[0].value, "high");
  EXPECT_EQ(labels[2].name, "reason");
  EXPECT_EQ(labels[2].value, "queue_full");
  EXPECT_EQ(family.metric[0].counter.value, 3);
}

TEST(Family, ValueGoesWhereTheKindSays) {
  auto family = family_of(kLaneWaiting);
  add_value(family, kLaneWaiting, {"low"}, 7);
  EXPECT_EQ(family.metric[0].gauge.value, 7);
  EXPECT_EQ(family.metric[0].counter.value, 0);
}

TEST(FamilyDeathTest, NumberOfLabelValuesMustFit) {
  auto family = family_of(kLaneWaiting);
  EXPECT_DEATH(add_value(family, kLaneWaiting, {}, 1), "a label without a value");
  EXPECT_DEATH(add_value(family, kLaneWaiting, {"high", "low"}, 1), "value without a label");
  EXPECT_DEATH(add_value(family, kTasks, {"a", "b", "c", "d"}, 1), "value without a label");
}

}  // namespace
}  // namespace sluice::telemetry
