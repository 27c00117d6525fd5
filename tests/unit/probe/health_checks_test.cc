#include "probe/health_checks.h"

#include <gtest/gtest.h>

#include "unit/probe/scripted_replica.h"

namespace sluice::probe {
namespace {

namespace asio = boost::asio;

class HealthChecksTest : public ::testing::Test {
 protected:
  ScriptedReplica::Answer answer() {
    return {up_ ? ScriptedReplica::ok() : "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"};
  }

  HealthTarget target(std::uint32_t node) {
    return {core::NodeId{node}, "node", {"127.0.0.1", replica_.port()}, "/ready"};
  }

  void start(std::vector<HealthTarget> targets) {
    checks_.emplace(io_, targets, options_,
                    [this](const core::NodeReport& r, const auto*) { reports_.push_back(r); });
  }

  void run_until(std::size_t reports) {
    while (reports_.size() < reports && io_.run_one() > 0) {
    }
  }

  bool up_ = true;
  asio::io_context io_{1};
  ScriptedReplica replica_{io_, [this] { return answer(); }};
  config::HealthCheckOptions options_{.interval = std::chrono::milliseconds(2)};
  std::vector<core::NodeReport> reports_;
  std::optional<HealthChecks> checks_;
};

TEST_F(HealthChecksTest, FirstCheckIsAtOnce) {
  options_.interval = std::chrono::hours(1);
  start({target(0), target(1)});
  run_until(2);
  ASSERT_EQ(reports_.size(), 2U);
  EXPECT_NE(reports_[0].node, reports_[1].node);
  for (const auto& report : reports_) {
    EXPECT_TRUE(report.ready);
    EXPECT_TRUE(report.round_trip);
  }
}

TEST_F(HealthChecksTest, ThresholdsHold) {
  start({target(0)});
  run_until(1);
  up_ = false;
  run_until(4);
  EXPECT_TRUE(reports_[1].ready);
  EXPECT_FALSE(reports_[1].round_trip);
  EXPECT_TRUE(reports_[2].ready);
  EXPECT_FALSE(reports_[3].ready);
  up_ = true;
  run_until(6);
  EXPECT_FALSE(reports_[4].ready);
  EXPECT_TRUE(reports_[5].ready);
}

TEST_F(HealthChecksTest, ReplicaThatIsDownIsReportedAndOthersGoOn) {
  auto dead = target(1);
  dead.address.port = 1;  // nobody listens on tcpmux
  start({dead, target(0)});
  run_until(10);
  std::size_t ready = 0;
  for (const auto& report : reports_) {
    EXPECT_EQ(report.ready, report.node == core::NodeId{0});
    ready += report.ready ? 1 : 0;
  }
  EXPECT_GT(ready, 0U);
  EXPECT_LT(ready, reports_.size());
}

TEST_F(HealthChecksTest, NothingIsReportedAfterStop) {
  start({target(0)});
  run_until(1);
  checks_->stop();
  replica_.close();
  io_.run();  // returns: nothing is left that waits
  EXPECT_EQ(reports_.size(), 1U);
}

TEST_F(HealthChecksTest, MayBeStoppedFromItsOwnReport) {
  checks_.emplace(io_, std::vector{target(0)}, options_,
                  [this](const core::NodeReport& report, const auto*) {
                    reports_.push_back(report);
                    checks_.reset();
                  });
  run_until(1);
  replica_.close();
  io_.run();
  EXPECT_EQ(reports_.size(), 1U);
}

TEST_F(HealthChecksTest, MayBeDestroyedWithoutEverRunning) {
  start({target(0)});
  checks_.reset();
  // What was begun is told that it is over, and reports nothing.
  for (int i = 0; i < 100; ++i) io_.poll();
  EXPECT_TRUE(reports_.empty());
}

}  // namespace
}  // namespace sluice::probe
