#include "sim/cluster.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "unit/sim/small_world.h"

namespace sluice::sim {
namespace {

using core::AttemptResult;
using Said = std::vector<std::string>;

// Sends attempts and writes down what comes back: "0 answered at 12 ms".
class ClusterTest : public ::testing::Test {
 protected:
  explicit ClusterTest(const Scenario& world = small_world())
      : scenario_(world), draws_(scenario_, 1), strikes_(scenario_.nodes.size()) {
    cluster_ = std::make_unique<Cluster>(scenario_, draws_, events_, strikes_, 1000);
    strikes_.arm(0, FaultKind::kSlow);
    strikes_.arm(0, FaultKind::kLostCompletion);
    strikes_.arm(0, FaultKind::kPartition);
  }

  // The jobs are numbered in the order of sending.
  JobId send(int level, std::uint32_t model = 0) {
    const JobId id = cluster_->jobs().acquire();
    Job& job = cluster_->jobs()[id.slot];
    const auto number = static_cast<std::uint32_t>(sent_++);
    job.attempt = core::AttemptId{number, 1};
    job.number = number;
    job.arrival = now_;
    job.model = model;
    job.level = static_cast<std::uint8_t>(level);
    cluster_->send(id, now_);
    return id;
  }
  void set(const Condition& condition) { cluster_->set_condition(0, condition, now_); }

  // What the gateway hears until this time.
  Said until(Duration time) {
    Said said;
    while (events_.next_at() <= TimePoint(time)) {
      const Event event = events_.pop();
      if (event.kind != EventKind::kReachGateway) {
        cluster_->on(event);
        continue;
      }
      const JobId id{event.subject, event.generation};
      const Job* const job = cluster_->jobs().find(id);
      if (job == nullptr) continue;
      said.push_back(std::to_string(job->number) + " " + name(job->result) + " at " +
                     std::to_string(event.at.time_since_epoch() / milliseconds(1)) + " ms");
      cluster_->forget(id);
    }
    now_ = TimePoint(time);
    return said;
  }
  Said the_rest() { return until(seconds(100)); }

  static std::string name(AttemptResult result) {
    if (result == AttemptResult::kAnswered) return "answered";
    if (result == AttemptResult::kBusy) return "busy";
    if (result == AttemptResult::kStopped) return "stopped";
    return "unreachable";
  }

  Scenario scenario_;
  Draws draws_;
  EventQueue events_;
  Strikes strikes_;
  std::unique_ptr<Cluster> cluster_;
  TimePoint now_;
  int sent_ = 0;
};

TEST_F(ClusterTest, AnAnswerTakesTheWayThereTheServiceAndTheWayBack) {
  send(5);
  EXPECT_EQ(the_rest(), Said{"0 answered at 12 ms"});
}

TEST_F(ClusterTest, RunsAsManyAsItHasSlotsAndTheMostUrgentNext) {
  send(5);
  send(5, 1);
  send(7);
  send(3);
  until(milliseconds(5));
  EXPECT_EQ(cluster_->view(0, now_).busy, 2u);
  EXPECT_EQ(cluster_->view(0, now_).waiting, 2u);
  EXPECT_EQ(the_rest(), (Said{"0 answered at 12 ms", "3 answered at 22 ms", "2 answered at 32 ms",
                              "1 answered at 102 ms"}));
}

TEST_F(ClusterTest, AFullQueueTurnsAwayTheNewestOfTheLeastUrgent) {
  send(0);
  send(0);
  send(7);
  send(7);
  until(milliseconds(5));
  send(3);
  // As urgent as the worst that waits, and less: neither displaces it.
  send(7);
  send(9);
  EXPECT_EQ(until(milliseconds(7)), (Said{"3 busy at 7 ms", "5 busy at 7 ms", "6 busy at 7 ms"}));
  EXPECT_EQ(the_rest(), (Said{"0 answered at 12 ms", "1 answered at 12 ms", "4 answered at 22 ms",
                              "2 answered at 22 ms"}));
}

TEST_F(ClusterTest, TheBoundIsOfTheReplicaNotOfTheNode) {
  for (int i = 0; i < 4; ++i) send(5);
  until(milliseconds(5));
  send(9, 1);
  EXPECT_EQ(the_rest().back(), "4 answered at 122 ms");
}

TEST_F(ClusterTest, WhoIsCancelledLeavesTheQueueWhoRunsRunsOn) {
  const JobId running = send(5, 1);
  send(5, 1);
  const JobId waiting = send(5);
  until(milliseconds(5));
  cluster_->send_cancel(running, now_);
  cluster_->send_cancel(waiting, now_);
  EXPECT_EQ(the_rest(),
            (Said{"2 stopped at 7 ms", "0 answered at 102 ms", "1 answered at 102 ms"}));
}

TEST_F(ClusterTest, CountsBusySlotTimeAlsoOfWhatNobodyWaitsFor) {
  const JobId job = send(5, 1);
  until(milliseconds(5));
  cluster_->send_cancel(job, now_);
  until(milliseconds(51));
  EXPECT_EQ(cluster_->view(0, now_).busy_time, milliseconds(50));
  the_rest();
  EXPECT_EQ(cluster_->view(0, now_).busy_time, milliseconds(100));
}

TEST_F(ClusterTest, ACrashBreaksEveryConnectionAndTheNodeComesBackEmpty) {
  for (int i = 0; i < 3; ++i) send(5);
  until(milliseconds(5));
  set({.crashed = true});
  EXPECT_EQ(cluster_->view(0, now_).busy, 0u);
  EXPECT_EQ(cluster_->view(0, now_).waiting, 0u);
  send(5);
  EXPECT_EQ(until(milliseconds(20)), (Said{"0 unreachable at 6 ms", "1 unreachable at 6 ms",
                                           "2 unreachable at 6 ms", "3 unreachable at 7 ms"}));
  set({});
  send(5);
  EXPECT_EQ(the_rest(), Said{"4 answered at 32 ms"});
}

TEST_F(ClusterTest, ASilentCrashSwallowsWhatIsThereAndWhatComes) {
  const JobId lost = send(5);
  until(milliseconds(5));
  set({.silent = true});
  send(5);
  EXPECT_EQ(until(milliseconds(100)), Said{});
  set({});
  // Asked again, the node knows nothing of it.
  cluster_->send_cancel(lost, now_);
  EXPECT_EQ(the_rest(), Said{"0 stopped at 102 ms"});
}

TEST_F(ClusterTest, AFrozenNodeGoesOnWhereItWas) {
  const JobId running = send(5);
  until(milliseconds(6));
  set({.frozen = true});
  send(5);
  cluster_->send_cancel(running, now_);
  EXPECT_EQ(until(milliseconds(50)), Said{});
  set({});
  EXPECT_EQ(the_rest(), (Said{"0 answered at 56 ms", "1 answered at 61 ms"}));
}

TEST_F(ClusterTest, WhatWasSentToAFrozenNodeThatCrashesIsLostWithIt) {
  set({.frozen = true});
  send(5);
  until(milliseconds(5));
  set({.crashed = true, .frozen = true});
  EXPECT_EQ(until(milliseconds(9)), Said{"0 unreachable at 6 ms"});
  set({});
  EXPECT_EQ(the_rest(), Said{});
}

TEST_F(ClusterTest, ASlowNodeTakesLonger) {
  set({.slowness = 3});
  send(5);
  send(5);
  EXPECT_EQ(the_rest(), (Said{"0 answered at 32 ms", "1 answered at 32 ms"}));
  EXPECT_EQ(strikes_.count(FaultKind::kSlow), 1u);
}

TEST_F(ClusterTest, ALostCompletionFreesTheSlotAllTheSame) {
  set({.lost_share = 1});
  for (int i = 0; i < 4; ++i) send(5);
  EXPECT_EQ(until(milliseconds(100)), Said{});
  EXPECT_EQ(cluster_->view(0, now_).busy_time, milliseconds(40));
  EXPECT_EQ(strikes_.count(FaultKind::kLostCompletion), 1u);
}

TEST_F(ClusterTest, NothingPassesAPartitionAndTheNodeWorksOn) {
  send(5);
  until(milliseconds(5));
  set({.cut_off = true});
  send(5);
  EXPECT_EQ(until(milliseconds(100)), Said{});
  EXPECT_EQ(cluster_->view(0, now_).busy_time, milliseconds(10));
  set({});
  EXPECT_EQ(the_rest(), Said{});
  EXPECT_EQ(strikes_.count(FaultKind::kPartition), 1u);
}

TEST_F(ClusterTest, AForgottenAttemptIsKeptOnlyWhileItsNodeIsBusyWithIt) {
  const JobId running = send(5);
  const JobId lost = send(5);
  until(milliseconds(5));
  cluster_->forget(running);
  EXPECT_NE(cluster_->jobs().find(running), nullptr);
  set({.silent = true});
  EXPECT_EQ(cluster_->jobs().find(running), nullptr);
  EXPECT_NE(cluster_->jobs().find(lost), nullptr);
  cluster_->forget(lost);
  EXPECT_EQ(cluster_->jobs().live_count(), 0u);
}

}  // namespace
}  // namespace sluice::sim
