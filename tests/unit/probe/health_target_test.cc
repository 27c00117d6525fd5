#include "probe/health_target.h"

#include <gtest/gtest.h>

namespace sluice::probe {
namespace {

TEST(HealthTarget, OneForEveryReplicaInTheCoresOrder) {
  config::ServeConfig config;
  config.core.nodes.resize(2);
  config.core.nodes[0].name = "edge";
  config.core.nodes[1].name = "core";
  config.replicas.resize(2);
  config.replicas[0].address = {"10.0.0.1", 8000};
  config.replicas[1].address = {"10.0.0.2", 8001};
  config.replicas[1].path_prefix = "/triton";

  const auto targets = health_targets(config);
  ASSERT_EQ(targets.size(), 2U);
  EXPECT_EQ(targets[0].node, core::NodeId{0});
  EXPECT_EQ(targets[0].name, "edge");
  EXPECT_EQ(targets[0].path, "/v2/health/ready");
  EXPECT_EQ(targets[1].node, core::NodeId{1});
  EXPECT_EQ(targets[1].address.host, "10.0.0.2");
  EXPECT_EQ(targets[1].address.port, 8001);
  EXPECT_EQ(targets[1].path, "/triton/v2/health/ready");
}

TEST(HealthTargetDeathTest, NodesAndReplicasGoTogether) {
  config::ServeConfig config;
  config.core.nodes.resize(1);
  EXPECT_DEATH(health_targets(config), "go together");
}

}  // namespace
}  // namespace sluice::probe
