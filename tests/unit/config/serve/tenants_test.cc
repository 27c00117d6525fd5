#include <gtest/gtest.h>

#include "unit/config/serve/reading.h"

namespace sluice::config {
namespace {

TEST(TenantsSection, TheDefaultTenantIsAlwaysTheFirst) {
  const auto none = read_with("").core.tenants;
  ASSERT_EQ(none.size(), 1U);
  EXPECT_EQ(none[0].name, "default");
  EXPECT_EQ(none[0].tier, core::Tier::kBasic);

  const auto some = read_with(
                        "tenants: [{name: acme, tier: vip, best_priority: 3}, {name: default, "
                        "tier: premium}]\n")
                        .core.tenants;
  ASSERT_EQ(some.size(), 2U);
  EXPECT_EQ(some[0].name, "default");
  EXPECT_EQ(some[0].tier, core::Tier::kPremium);
  EXPECT_EQ(some[1].name, "acme");
  EXPECT_EQ(some[1].tier, core::Tier::kVip);
  EXPECT_EQ(some[1].best_priority, 3);
}

TEST(TenantsSection, RefusesATenantTwice) {
  EXPECT_EQ(error_with("tenants:\n- name: acme\n- name: acme\n"),
            "sluice.yaml:6: tenants[1].name: another tenant is called acme");
  EXPECT_EQ(error_with("tenants: [{name: a, best_priority: 10}]\n"),
            "sluice.yaml:4: tenants[0].best_priority: \"10\" is out of bounds; write 0 to 9");
}

TEST(TenantsSection, ReadsLimits) {
  const auto tenants = read_with(
                           "tenants: [{name: acme, weight: 3, reserved_share: 25%, limits: {rate: "
                           "500/s, burst: 100, over_rate: delay, concurrency: 64, device_share: "
                           "40%, waiting: {low: 7}, waiting_bytes: {high: 1MiB}}}]\n")
                           .core.tenants;
  const core::TenantOptions& acme = tenants.at(1);
  EXPECT_EQ(acme.weight, 3);
  EXPECT_EQ(acme.reserved_share, 0.25);
  EXPECT_EQ(acme.limits.rate_rps, 500);
  EXPECT_EQ(acme.limits.burst, 100);
  EXPECT_EQ(acme.limits.over_rate, core::OverRate::kDelay);
  EXPECT_EQ(acme.limits.concurrency, 64u);
  EXPECT_EQ(acme.limits.device_share, 0.4);
  EXPECT_EQ(acme.limits.waiting[2], 7u);
  EXPECT_FALSE(acme.limits.waiting[0]);
  EXPECT_EQ(acme.limits.waiting_bytes[0], 1u << 20);
}

TEST(TenantsSection, RefusesLimitsThatMakeNoSense) {
  EXPECT_EQ(error_with("tenants: [{name: a, limits: {device_share: 0%}}]\n"),
            "sluice.yaml:4: tenants[0].limits.device_share: must be more than 0%");
  EXPECT_EQ(
      error_with("tenants: [{name: a, reserved_share: 60%}, {name: b, reserved_share: 50%}]\n"),
      "sluice.yaml:4: tenants: reserve more than 100% of the device time together");
  EXPECT_EQ(error_with("tenants: [{name: a, limits: {rate: 0/s}}]\n"),
            "sluice.yaml:4: tenants[0].limits.rate: \"0/s\" is out of bounds; write 0.001/s to "
            "1e+09/s");
}

TEST(PrioritiesSection, ChangesTheBuiltInTable) {
  using core::Realtime;
  using core::Tier;
  using core::WeightClass;
  const core::PriorityTable before = core::PriorityTable::defaults();
  const core::PriorityTable after =
      read_with("priorities: [{realtime: low, weight: heavy, tier: '*', priority: 9}]\n")
          .core.priorities;
  EXPECT_EQ(after.at(Realtime::kLow, WeightClass::kHeavy, Tier::kVip), 9);
  EXPECT_EQ(after.at(Realtime::kLow, WeightClass::kHeavy, Tier::kBasic), 9);
  EXPECT_EQ(after.at(Realtime::kLow, WeightClass::kMedium, Tier::kVip),
            before.at(Realtime::kLow, WeightClass::kMedium, Tier::kVip));
}

TEST(PrioritiesSection, LaterRulesWin) {
  const auto table =
      read_with("priorities: [{priority: 5}, {realtime: high, priority: 1}]\n").core.priorities;
  EXPECT_EQ(table.at(core::Realtime::kHigh, core::WeightClass::kLight, core::Tier::kBasic), 1);
  EXPECT_EQ(table.at(core::Realtime::kLow, core::WeightClass::kLight, core::Tier::kVip), 5);
}

TEST(PrioritiesSection, MustStayMonotone) {
  EXPECT_EQ(error_with("priorities: [{realtime: high, tier: vip, weight: light, priority: 9}]\n"),
            "sluice.yaml:4: priorities: (high, light, vip) = 9 is less urgent than (medium, light, "
            "vip) = 2");
  EXPECT_EQ(error_with("priorities: [{realtime: high}]\n"),
            "sluice.yaml:4: priorities[0].priority: is required, but not there");
}

}  // namespace
}  // namespace sluice::config
