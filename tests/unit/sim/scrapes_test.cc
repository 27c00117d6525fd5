#include "sim/scrapes.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "unit/sim/small_world.h"

namespace sluice::sim {
namespace {

using Report = core::NodeFiguresReport;

// One node of two slots, scraped at 3 s, 6 s and so on.
class ScrapesTest : public ::testing::Test {
 protected:
  ScrapesTest() : scenario_(small_world(1)), draws_(scenario_, 1), strikes_(1) {
    cluster_ = std::make_unique<Cluster>(scenario_, draws_, events_, strikes_, 100);
  }

  void scrape(bool are_used = true) {
    scrapes_ = std::make_unique<Scrapes>(scenario_, *cluster_, strikes_, events_, are_used);
  }
  // A request of 100 ms for the node.
  void send(Duration at) {
    const JobId id = cluster_->jobs().acquire();
    Job& job = cluster_->jobs()[id.slot];
    job.model = 1;
    job.attempt = core::AttemptId{id.slot, 1};
    cluster_->send(id, TimePoint(at));
  }
  // What the core would be told until this time.
  std::vector<Report> until(Duration time) {
    std::vector<Report> told;
    while (events_.next_at() <= TimePoint(time)) {
      const Event event = events_.pop();
      now_ = event.at;
      const bool is_scrape =
          event.kind == EventKind::kScraped || event.kind == EventKind::kFiguresArrive;
      if (!is_scrape) {
        if (event.kind != EventKind::kReachGateway) cluster_->on(event);
      } else if (const auto report = scrapes_->on(event)) {
        told.push_back(*report);
        told_at_ = event.at;
      }
    }
    return told;
  }
  void set(const Condition& condition, FaultKind kind) {
    strikes_.arm(0, kind);
    cluster_->set_condition(0, condition, now_);
  }

  Scenario scenario_;
  Draws draws_;
  EventQueue events_;
  Strikes strikes_;
  std::unique_ptr<Cluster> cluster_;
  std::unique_ptr<Scrapes> scrapes_;
  TimePoint now_;
  TimePoint told_at_;
};

TEST_F(ScrapesTest, TellTheShareOfSlotTimeAndOfMemoryWithTheirAge) {
  scrape();
  for (int i = 0; i < 6; ++i) send(milliseconds(200 * i));
  const auto told = until(milliseconds(4500));
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told_at_, TimePoint(seconds(4)));
  EXPECT_EQ(told[0].node, core::NodeId{0});
  EXPECT_EQ(told[0].age, seconds(1));
  EXPECT_DOUBLE_EQ(*told[0].utilisation, 6 * 0.1 / (2 * 3));
  EXPECT_EQ(told[0].memory, 0.5);
  // Of the time since the last one.
  EXPECT_EQ(until(milliseconds(7500)).at(0).utilisation, 0);
}

TEST_F(ScrapesTest, SayNothingOfMemoryThatIsNotTold) {
  scenario_.kinds[0].memory_bytes = 0;
  scrape();
  EXPECT_EQ(until(milliseconds(4500)).at(0).memory, std::nullopt);
}

TEST_F(ScrapesTest, AreNotMadeWhereNobodyAsks) {
  scrape(false);
  EXPECT_TRUE(events_.empty());
}

TEST_F(ScrapesTest, ANodeThatIsDownSaysNothing) {
  scrape();
  set({.crashed = true}, FaultKind::kCrash);
  EXPECT_EQ(until(seconds(10)).size(), 0u);
  set({}, FaultKind::kCrash);
  send(milliseconds(10'000));
  // Its last period began when it was last read.
  EXPECT_DOUBLE_EQ(*until(milliseconds(13'500)).at(0).utilisation, 0.1 / (2 * 12));
}

TEST_F(ScrapesTest, StaleOnesAreThoseOfBefore) {
  scrape();
  for (int i = 0; i < 6; ++i) send(milliseconds(200 * i));
  const Report before = until(milliseconds(4500)).at(0);
  set({.stale_metrics = true}, FaultKind::kStaleMetrics);
  const Report after = until(milliseconds(7500)).at(0);
  EXPECT_EQ(after.utilisation, before.utilisation);
  EXPECT_EQ(after.age, before.age);
  EXPECT_EQ(strikes_.count(FaultKind::kStaleMetrics), 1u);
  set({}, FaultKind::kStaleMetrics);
  EXPECT_EQ(until(milliseconds(10'500)).at(0).utilisation, 0);
}

TEST_F(ScrapesTest, LyingOnesSayIdle) {
  scrape();
  for (int i = 0; i < 6; ++i) send(milliseconds(200 * i));
  set({.lying_metrics = true}, FaultKind::kLyingMetrics);
  const Report told = until(milliseconds(4500)).at(0);
  EXPECT_EQ(told.utilisation, 0);
  EXPECT_EQ(told.memory, 0);
  EXPECT_EQ(strikes_.count(FaultKind::kLyingMetrics), 1u);
}

}  // namespace
}  // namespace sluice::sim
