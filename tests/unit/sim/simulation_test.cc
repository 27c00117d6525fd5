#include "sim/simulation.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "unit/sim/small_world.h"
#include "workload/report_json.h"

namespace sluice::sim {
namespace {

Result run(const Scenario& scenario, std::string_view policy, std::uint64_t seed = 1,
           Observer* observer = nullptr) {
  RunOptions options{.seed = seed, .check = true};
  if (observer != nullptr) options.observers.push_back(observer);
  Result result = simulate(scenario, *policy_spec(policy, scenario), options);
  EXPECT_EQ(result.violations, std::vector<std::string>{}) << policy << ", seed " << seed;
  return result;
}

// Three nodes that are 90 % busy, with services and ways that vary.
Scenario busy_world() {
  Scenario scenario = small_world(3);
  scenario.service.distribution = ServiceDistribution::kLognormal;
  scenario.paths[0].most = milliseconds(4);
  for (workload::Phase& phase : scenario.streams[0].phases) {
    phase.rate_from_rps = phase.rate_to_rps = 280;
  }
  return scenario;
}

TEST(Simulation, AnIdleWorldAnswersEverybodyInTime) {
  for (const core::Policy& policy : core::kPolicies) {
    Scenario scenario = small_world();
    scenario.streams[0].mix = {1, 0};
    scenario.streams[0].phases[0].rate_from_rps = 5;
    scenario.streams[0].phases[0].rate_to_rps = 5;
    const Result result = run(scenario, policy.name);
    EXPECT_GT(result.requests, 20u);
    EXPECT_EQ(result.run.total.offered, result.requests);
    EXPECT_EQ(result.run.total.in_budget, result.requests);
    EXPECT_EQ(result.run.duration, seconds(10));
    EXPECT_EQ(result.run.policy, policy.name);
  }
}

TEST(Simulation, TheSameSeedGivesTheSameBytes) {
  const Scenario scenario = busy_world();
  for (const core::Policy& policy : core::kPolicies) {
    const std::string once = workload::to_json(run(scenario, policy.name, 3).run).dump();
    EXPECT_EQ(workload::to_json(run(scenario, policy.name, 3).run).dump(), once);
    EXPECT_NE(workload::to_json(run(scenario, policy.name, 4).run).dump(), once);
  }
}

// What the core was told of each request: when it came, what it was, how long it took where it
// ran alone.
class Arrivals : public Observer {
 public:
  void after(const Step& step) override {
    if (const auto* submitted = std::get_if<core::Submitted>(&step.event)) {
      seen_.emplace_back(submitted->arrival, submitted->labels.model, *submitted->labels.priority,
                         submitted->labels.tenant);
    }
  }
  std::vector<std::tuple<TimePoint, core::ModelId, core::Priority, core::TenantId>> seen_;
};

TEST(Simulation, EveryPolicyMeetsTheSameArrivals) {
  const Scenario scenario = busy_world();
  Arrivals sluice;
  Arrivals fixed;
  run(scenario, "sluice", 2, &sluice);
  run(scenario, "fixed-priority", 2, &fixed);
  EXPECT_GT(sluice.seen_.size(), 2000u);
  EXPECT_EQ(sluice.seen_, fixed.seen_);
}

TEST(Simulation, EveryPolicyMeetsTheSameLuckOnTheWayAndInTheSlot) {
  Scenario scenario = busy_world();
  scenario.nodes.resize(1);
  scenario.streams[0].phases[0].rate_from_rps = 1;
  scenario.streams[0].phases[0].rate_to_rps = 1;
  const Result sluice = run(scenario, "sluice");
  const Result fixed = run(scenario, "fixed-priority");
  EXPECT_EQ(sluice.run.total.latency.mean(), fixed.run.total.latency.mean());
}

TEST(Simulation, RequestsWaitAtTheNodeOrAtTheScheduler) {
  Scenario scenario = small_world();
  scenario.streams[0].phases[0].rate_from_rps = 400;
  scenario.streams[0].phases[0].rate_to_rps = 400;
  const Result fixed = run(scenario, "fixed-priority");
  EXPECT_GT(fixed.run.total.failed.at("replica_busy"), 0u);
  EXPECT_EQ(fixed.run.total.refused.size(), 0u);
  const Result sluice = run(scenario, "sluice");
  EXPECT_EQ(sluice.run.total.failed.count("replica_busy"), 0u);
  EXPECT_GT(sluice.run.total.in_budget, fixed.run.total.in_budget);
}

TEST(Simulation, CallersLeaveAtTheTimeoutOfTheirLane) {
  Scenario scenario = small_world();
  scenario.service.mean = {{seconds(3)}, {seconds(3)}};
  scenario.queues.bound = {1000, 1000};
  scenario.streams[0].phases[0].rate_from_rps = 5;
  scenario.streams[0].phases[0].rate_to_rps = 5;
  const Result result = run(scenario, "fixed-priority");
  EXPECT_EQ(result.run.lanes.at("high").outcomes.count("completed"), 0u);
  EXPECT_EQ(result.run.lanes.at("latency").outcomes.count("completed"), 0u);
  EXPECT_GT(result.run.lanes.at("low").answered, 0u);
}

TEST(Simulation, WhoIsUnansweredWhenTheDrainIsOverHasFailed) {
  Scenario scenario = small_world();
  scenario.drain = Duration::zero();
  scenario.service.mean = {{seconds(30)}, {seconds(30)}};
  scenario.streams[0].phases[0].rate_from_rps = 5;
  scenario.streams[0].phases[0].rate_to_rps = 5;
  scenario.queues.bound = {1000, 1000};
  const Result result = run(scenario, "fixed-priority");
  EXPECT_GT(result.run.total.failed.at("unanswered"), 0u);
  EXPECT_EQ(result.run.total.offered, result.requests);
}

TEST(Simulation, ADeadNodesAttemptsFailWhenItIsFoundDead) {
  Scenario scenario = busy_world();
  scenario.faults = {{.kind = FaultKind::kCrashSilent, .at = seconds(5), .nodes = {0}}};
  const Result result = run(scenario, "sluice");
  EXPECT_GT(result.run.replicas.at("box-0").failures, 0u);
  // The other takes what was lost, and may turn away some of it for being full.
  EXPECT_LT(result.run.replicas.at("box-1").failures, result.run.replicas.at("box-0").failures);
  EXPECT_EQ(result.run.faults.at("crash_silent"), 1u);
}

TEST(Simulation, SaysHowFarItIs) {
  const Scenario scenario = busy_world();
  Progress last;
  int calls = 0;
  RunOptions options;
  options.progress = [&](const Progress& progress) {
    EXPECT_GE(progress.simulated, last.simulated);
    last = progress;
    ++calls;
  };
  simulate(scenario, *policy_spec("sluice", scenario), options);
  EXPECT_GT(calls, 150);
  EXPECT_LT(calls, 210);
  EXPECT_EQ(last.whole, seconds(40));
}

// peers.md 4, 5 and 7: figures that are old, wrong or not there stop nothing and flood nobody. In
// spite of them everybody is answered about as often as where nobody looks at figures.
TEST(Simulation, WrongFiguresDoLittleHarm) {
  const std::uint64_t blind = run(busy_world(), "sluice").run.total.in_budget;
  for (const char* policy : {"sluice,placement=score", "sluice,placement=score,placement.top_k=3",
                             "sluice,placement.least_score=0.3"}) {
    for (const FaultKind kind : {FaultKind::kStaleMetrics, FaultKind::kLyingMetrics}) {
      Scenario scenario = busy_world();
      scenario.faults = {{.kind = kind, .at = seconds(1), .nodes = {0}}};
      const Result result = run(scenario, policy);
      EXPECT_GT(static_cast<double>(result.run.total.in_budget), 0.97 * static_cast<double>(blind))
          << policy << ", " << kFaultKindNames[static_cast<std::size_t>(kind)];
    }
  }
}

// Whatever strikes: one outcome each, and the core's books agree with the world's after each event.
class SimulationFaults : public ::testing::TestWithParam<FaultKind> {};

TEST_P(SimulationFaults, LeaveTheBooksRight) {
  Scenario scenario = busy_world();
  Fault fault{.kind = GetParam(),
              .at = seconds(2),
              .until = seconds(8),
              .nodes = {0, 2},
              .factor = 5,
              .share = 0.3,
              .period = milliseconds(1700),
              .step = seconds(3)};
  scenario.faults = {fault};
  fault.nodes = {1};
  fault.at = seconds(5);
  fault.step = seconds(-4);
  scenario.faults.push_back(fault);
  std::vector<std::string> policies{"sluice,placement=score,placement.least_score=0.4"};
  for (const core::Policy& policy : core::kPolicies) policies.emplace_back(policy.name);
  for (const std::string& policy : policies) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Result result = run(scenario, policy, seed);
      EXPECT_EQ(result.run.total.offered, result.requests);
      if (GetParam() != FaultKind::kQuotaServiceAway && policy == "sluice") {
        EXPECT_GT(result.run.faults.at(std::string(kFaultKindNames[int(GetParam())])), 1u);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, SimulationFaults,
                         ::testing::Values(FaultKind::kCrash, FaultKind::kCrashSilent,
                                           FaultKind::kFreeze, FaultKind::kSlow, FaultKind::kFlap,
                                           FaultKind::kLostCompletion, FaultKind::kStaleMetrics,
                                           FaultKind::kLyingMetrics, FaultKind::kClockStep,
                                           FaultKind::kQuotaServiceAway, FaultKind::kPartition),
                         [](const auto& kind) {
                           return std::string(kFaultKindNames[static_cast<int>(kind.param)]);
                         });

}  // namespace
}  // namespace sluice::sim
