// Nodes that join or come back while others run: they are warmed up, not flooded (peers.md 19).
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/virtual_cluster.h"

namespace sluice::test {
namespace {

using namespace core;
using namespace std::chrono_literals;

constexpr std::uint32_t kSlots = 8;
constexpr NodeId kCold{1};
constexpr Duration kJoins = 2s;

// Two nodes; the second comes 2 s after the first, and what it is given in its first half second
// takes forty times as long as usual.
struct Joining {
  explicit Joining(bool slow_start) {
    Options options = simple_options(1, 2, kSlots);
    options.slow_start.enabled = slow_start;
    ClusterBehaviour behaviour{.seed = 5, .service = {10ms}};
    behaviour.slowness = [](NodeId node, TimePoint now) {
      return node == kCold && now < TimePoint(kJoins + 500ms) ? 40.0 : 1.0;
    };
    VirtualCluster cluster(options, behaviour);
    cluster.report_at(TimePoint{}, {.node = NodeId{0}, .ready = true});
    cluster.report_at(TimePoint{}, {.node = kCold, .ready = false});
    cluster.report_at(TimePoint(kJoins), {.node = kCold, .ready = true});
    for (int i = 0; i < 2'800; ++i) {  // 70 % of what the first can do alone
      cluster.submit_at(
          TimePoint(i * 1'785us),
          {.model = ModelId{0}, .tenant = TenantId{0}, .priority = Priority{1}, .budget = 100ms});
    }
    cluster.on_dispatch = [&](const Dispatch& dispatch) {
      if (dispatch.node != kCold) return;
      const auto after = cluster.now() - TimePoint(kJoins);
      if (after <= 100ms) ++first_100ms;
      if (after > 2s) ++warm;
    };
    cluster.run();
    for (const auto& [id, ended] : cluster.ended()) late += ended.in_budget() ? 0 : 1;
    all = cluster.submitted();
  }

  int first_100ms = 0;
  int warm = 0;  // what it carried once it had been there for two seconds
  int late = 0;
  std::uint32_t all = 0;
};

TEST(JoiningSimulation, ColdNodeIsNotFloodedTheMomentItIsReady) {
  const Joining slowly(true);
  EXPECT_EQ(slowly.first_100ms, 1) << "until the first has come back";
  EXPECT_LE(slowly.late, 2);
  const Joining at_once(false);
  EXPECT_GE(at_once.first_100ms, static_cast<int>(kSlots));
  EXPECT_GE(at_once.late, static_cast<int>(kSlots));
}

// R49: it takes its share by itself.
TEST(JoiningSimulation, ItTakesItsShareOnceItIsWarm) {
  const Joining slowly(true);
  const Joining at_once(false);
  EXPECT_GT(slowly.warm, 0.8 * at_once.warm);
  EXPECT_GT(slowly.warm, 100);
}

}  // namespace
}  // namespace sluice::test
