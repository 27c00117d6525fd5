#include "sim/policy_spec.h"

#include <gtest/gtest.h>

#include <string>

#include "config/error.h"
#include "unit/sim/small_world.h"

namespace sluice::sim {
namespace {

std::string error_of(std::string_view text) {
  try {
    policy_spec(text, small_world());
  } catch (const config::ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(PolicySpec, IsTheNameOfARow) {
  const auto spec = policy_spec("edf", small_world());
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->name, "edf");
  EXPECT_EQ(spec->policy.ordering, core::Ordering::kDeadline);
  EXPECT_FALSE(policy_spec("no such policy", small_world()));
  EXPECT_FALSE(policy_spec("", small_world()));
}

TEST(PolicySpec, OrAMixture) {
  const auto spec = policy_spec(
      "edf,ordering=slack,placement=score,placement.top_k=3,placement.task_weights.latency=0.9",
      small_world());
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->policy.name, "edf");
  EXPECT_EQ(spec->policy.ordering, core::Ordering::kSlack);
  EXPECT_EQ(spec->policy.placement, core::PlacementKind::kScore);
  EXPECT_EQ(spec->policy.fairness, core::Fairness::kNone);
  EXPECT_EQ(spec->placement.top_k, 3u);
  EXPECT_EQ(spec->placement.task.latency, 0.9);
}

TEST(PolicySpec, SaysWhatIsWrong) {
  EXPECT_EQ(error_of("sluice,binding=never"),
            "policy sluice,binding=never: policy.binding: \"never\" is not one of late, "
            "early-round-robin");
  EXPECT_EQ(error_of("sluice,sauce.hot=1"),
            "policy sluice,sauce.hot=1: sauce: unknown key; allowed: policy, placement");
  for (const char* text :
       {"sluice,", "sluice,ordering", "sluice,=", "sluice,ordering=", "sluice,placement.top_k=9",
        "sluice,ordering.x=1", "sluice,.=1", "sluice,placement.top_k=1,placement.top_k.x=1"}) {
    EXPECT_NE(error_of(text), "") << text;
  }
}

}  // namespace
}  // namespace sluice::sim
