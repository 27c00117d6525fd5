#include "load/runner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "unit/load/fake_server.h"

namespace sluice::load {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// So many requests, 1 ms apart.
Scenario scenario_of(int requests) {
  workload::RequestClass c;
  c.name = "any";
  c.model = "m";
  c.budget = milliseconds(1000);
  c.lane = "high";
  c.input = workload::BytesInput{8};
  return {.name = "test",
          .process = workload::Process::kConstant,
          // Half a gap more, so that rounding cannot cut off the last one.
          .curve = workload::RateCurve(
              {{.name = "all",
                .duration = milliseconds(requests) + std::chrono::microseconds(500),
                .rate_from_rps = 1000,
                .rate_to_rps = 1000}}),
          .classes = {c},
          .callers = {.timeout = seconds(20)}};
}

RunResult play(const Scenario& scenario, const FakeServer& server, RunOptions options = {}) {
  options.policy = "label";
  return run(scenario, Target::parse(server.url()), options);
}

// Yields to the server's thread until the condition holds; the test's own time limit ends it.
template <class Condition>
void wait_until(Condition condition) {
  while (!condition()) std::this_thread::yield();
}

TEST(Runner, SendsAllAndBelievesTheAnswers) {
  FakeServer server([](const auto&) {
    return FakeServer::Reply{
        ok("x-sluice-lane: latency\r\nx-sluice-replica: r1\r\n"
           "Server-Timing: queue;dur=3\r\n")};
  });
  const workload::Run run = play(scenario_of(100), server).run;
  EXPECT_EQ(run.policy, "label");
  EXPECT_EQ(run.total.offered, 100u);
  EXPECT_EQ(run.total.answered, 100u);
  EXPECT_EQ(run.lanes.at("latency").offered, 100u);
  EXPECT_EQ(run.replicas.at("r1").attempts, 100u);
  EXPECT_EQ(run.total.wait.max(), milliseconds(3));
  EXPECT_EQ(run.generator_late->count(), 100u);
}

TEST(Runner, AnAnswerWithoutALaneCountsWhereItWasExpected) {
  FakeServer server([](const auto&) { return FakeServer::Reply{ok()}; });
  EXPECT_EQ(play(scenario_of(10), server).run.lanes.at("high").answered, 10u);
}

TEST(Runner, SendsWhatTheClassSays) {
  std::atomic<int> right = 0;
  FakeServer server([&](const FakeServer::Request& request) {
    if (request.target() == "/v2/models/m/infer" && request["x-sluice-tenant"] == "default" &&
        request["x-sluice-budget-ms"] == "1000" && request.body().ends_with("xxxxxxxx")) {
      ++right;
    }
    return FakeServer::Reply{ok()};
  });
  play(scenario_of(10), server);
  EXPECT_EQ(right, 10);
}

// The server answers nobody until all have been sent. A generator that waits for answers before
// it sends would see one slow request; the callers see a hundred.
TEST(Runner, AStalledServerIsSeenByEveryCaller) {
  FakeServer server([](const auto&) { return FakeServer::Reply{ok()}; }, /*held=*/true);
  RunOptions options;
  options.progress_every = milliseconds(5);
  options.on_progress = [&](const Progress& progress) {
    if (progress.sent == 100) server.release();
  };
  const workload::Run run = play(scenario_of(100), server, options).run;
  EXPECT_EQ(run.total.answered, 100u);
  // Sent 1..100 ms after the start, and none answered before 100 ms.
  EXPECT_GE(run.total.latency.max(), milliseconds(99));
  EXPECT_GE(run.total.latency.quantile(0.5), milliseconds(49));
}

TEST(Runner, WaitingForAConnectionCountsAsLatency) {
  FakeServer server([](const auto&) { return FakeServer::Reply{ok()}; }, /*held=*/true);
  Scenario scenario = scenario_of(100);
  scenario.callers.connections = 2;
  RunOptions options;
  options.progress_every = milliseconds(5);
  options.on_progress = [&](const Progress& progress) {
    if (progress.sent == 100) server.release();
  };
  const RunResult result = play(scenario, server, options);
  EXPECT_EQ(result.run.total.answered, 100u);
  EXPECT_EQ(result.waited_for_connection, 98u);
  EXPECT_GE(result.run.total.latency.quantile(0.5), milliseconds(49));
  EXPECT_LE(server.accepted(), 3);  // one more: the look before the run
}

TEST(Runner, DropsWhatFindsNoConnectionWhenToldTo) {
  FakeServer server([](const auto&) { return FakeServer::Reply{ok()}; }, /*held=*/true);
  Scenario scenario = scenario_of(100);
  scenario.callers.connections = 2;
  scenario.callers.when_busy = WhenBusy::kDrop;
  RunOptions options;
  options.progress_every = milliseconds(5);
  options.on_progress = [&](const Progress& progress) {
    if (progress.sent == 100) server.release();
  };
  const RunResult result = play(scenario, server, options);
  EXPECT_EQ(result.run.total.answered, 2u);
  EXPECT_EQ(result.run.total.failed.at("no_connection"), 98u);
  EXPECT_EQ(result.waited_for_connection, 0u);
}

TEST(Runner, ACallerThatGivesUpClosesItsConnection) {
  FakeServer server([](const auto&) { return FakeServer::Reply{ok()}; }, /*held=*/true);
  Scenario scenario = scenario_of(20);
  scenario.callers.timeout = milliseconds(30);
  const workload::Run run = play(scenario, server).run;
  EXPECT_EQ(run.total.outcomes.at("cancelled"), 20u);
  EXPECT_EQ(run.total.answered, 0u);
  server.release();
  wait_until([&] { return server.ended() == server.accepted(); });
}

TEST(Runner, CallersLeaveAtRandomMomentsBeforeTheirBudgetIsOver) {
  FakeServer server([](const auto&) { return FakeServer::Reply{ok()}; }, /*held=*/true);
  Scenario scenario = scenario_of(50);
  scenario.callers.leave_share = 1;
  scenario.classes[0].budget = milliseconds(40);
  EXPECT_EQ(play(scenario, server).run.total.outcomes.at("cancelled"), 50u);
}

TEST(Runner, CountsRefusalsByReason) {
  FakeServer server([](const auto&) {
    return FakeServer::Reply{
        "HTTP/1.1 503 x\r\nContent-Type: application/problem+json\r\nContent-Length: 23\r\n\r\n"
        R"({"reason":"queue_full"})"};
  });
  const workload::Run run = play(scenario_of(10), server).run;
  EXPECT_EQ(run.total.refused.at("queue_full"), 10u);
  EXPECT_EQ(run.total.answered, 0u);
}

TEST(Runner, AnAnswerThatIsNoHttpIsAFailure) {
  for (const char* bytes :
       {"garbage\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"}) {
    FakeServer server([&](const auto&) { return FakeServer::Reply{bytes, true}; });
    EXPECT_EQ(play(scenario_of(5), server).run.total.failed.at("bad_answer"), 5u) << bytes;
  }
}

TEST(Runner, AnIdleConnectionThatWasClosedIsNoFailure) {
  // Closed after each answer, without having said so.
  FakeServer server([](const auto&) { return FakeServer::Reply{ok(), true}; });
  EXPECT_EQ(play(scenario_of(50), server).run.total.answered, 50u);
}

TEST(Runner, SameSeedSameRequests) {
  FakeServer server([](const auto&) { return FakeServer::Reply{ok()}; });
  Scenario scenario = scenario_of(100);
  scenario.process = workload::Process::kPoisson;
  scenario.classes.push_back(scenario.classes[0]);
  scenario.classes[1].model = "n";
  const auto one = play(scenario, server, {.seed = 5}).run;
  const auto two = play(scenario, server, {.seed = 5}).run;
  EXPECT_EQ(one.total.offered, two.total.offered);
  EXPECT_EQ(one.models.at("n").offered, two.models.at("n").offered);
}

TEST(Runner, SaysWhenNobodyListens) {
  std::string url;
  {
    FakeServer server([](const auto&) { return FakeServer::Reply{ok()}; });
    url = server.url();
  }
  EXPECT_THROW(run(scenario_of(1), Target::parse(url), {}), std::runtime_error);
}

}  // namespace
}  // namespace sluice::load
