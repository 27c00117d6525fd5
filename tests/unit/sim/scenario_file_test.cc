#include "sim/scenario_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "config/error.h"
#include "unit/sim/scenario_text.h"

namespace sluice::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

// Lines 1 to 9; a case appends its own from line 10 on.
constexpr const char* kWorld = R"(models:
  detect: {class: light}
  speech: {class: medium}
node_kinds: {gpu: {slots: 4}, npu: {slots: 2}}
nodes:
  gpu-1: {kind: gpu}
  npu-1: {kind: npu, models: [detect]}
service_time:
  mean_ms: {detect: {gpu: 8, npu: 4}, speech: {gpu: 45}}
)";
constexpr const char* kTraffic = "traffic: {phases: [{duration_s: 10, rate: 100}]}\n";

Scenario read(const std::string& more, const std::string& traffic = kTraffic) {
  return parse_scenario(kWorld + more + traffic, "w.yaml");
}

std::string error_in(const std::string& text) {
  try {
    parse_scenario(text, "w.yaml");
  } catch (const config::ConfigError& e) {
    return e.what();
  }
  return "no error";
}

// The case's own text begins at line 10.
std::string error_of(const std::string& more, const std::string& traffic = kTraffic) {
  return error_in(kWorld + more + traffic);
}

std::string error_of_traffic(const std::string& traffic) {
  return error_of("", traffic);
}

// The worlds are given, and stay as they are: policies change, the stage does not. A world that was
// changed, and a reader that understands it otherwise, are both seen here.
TEST(SimScenarioFile, TheWorldsOfTheStageMeanWhatTheyMeant) {
  const std::pair<const char*, std::uint64_t> worlds[] = {
      {"reference", 0x95f8acf114c9d38b},      {"a-burst", 0x5ed0e2d0208cb04a},
      {"b-replica-loss", 0x40216279d69cd2f2}, {"b-return", 0xe21fd6cf78fc133a},
      {"c-two-tenants", 0xc046e966bc89d1b4},  {"hard", 0x3e4e5494d526d35d},
      {"overload", 0x162f140b71d8beb6}};
  for (const auto& [name, expected] : worlds) {
    const std::string text = text_of(load_scenario(fmt::format("scenarios/{}.yaml", name)));
    EXPECT_EQ(digest(text), expected) << text;
  }
}

TEST(SimScenarioFile, ReadsTheReference) {
  const Scenario s = load_scenario("scenarios/reference.yaml");
  EXPECT_EQ(s.name, "reference");
  EXPECT_THAT(s.seeds, ElementsAre(1, 2, 3, 4, 5));
  ASSERT_EQ(s.nodes.size(), 14U);
  EXPECT_EQ(s.kinds[s.nodes[0].kind].slots, 26U);
  EXPECT_THAT(s.nodes[10].models, ElementsAre(0, 2));
  EXPECT_EQ(s.service.mean[0][2], milliseconds(4) + std::chrono::microseconds(200));
  EXPECT_FALSE(s.service.mean[1][1].has_value());
  EXPECT_EQ(s.lanes[0].client_timeout, milliseconds(400));
  EXPECT_FALSE(s.lanes[1].starved_after.has_value());
  EXPECT_EQ(s.lanes[2].starved_after, seconds(2));
  ASSERT_EQ(s.streams.size(), 1U);
  EXPECT_THAT(s.streams[0].mix, ElementsAre(0.80, 0.15, 0.05));
  EXPECT_EQ(s.streams[0].priority_weights[1][4], 25);
  EXPECT_EQ(s.streams[0].phases[1].rate_to_rps, 5000);
  EXPECT_EQ(s.streams[0].arrivals.modulation.cap, 2.5);
  EXPECT_THAT(s.queues.bound, ElementsAre(180, 96, 48));
  ASSERT_EQ(s.tenants.size(), 3U);
  EXPECT_EQ(s.tenants[1].tier, core::Tier::kPremium);
  EXPECT_EQ(s.drain, seconds(30));
}

TEST(SimScenarioFile, ReadsStreamsOnTopOfTheReference) {
  const Scenario s = load_scenario("scenarios/a-burst.yaml");
  ASSERT_EQ(s.streams.size(), 2U);
  EXPECT_THAT(s.streams[1].mix, ElementsAre(1, 0, 0));
  EXPECT_EQ(s.streams[0].priority_weights[0][2], 0);
  EXPECT_EQ(s.streams[0].priority_weights[0][3], 13);
  EXPECT_EQ(s.streams[1].priority_weights[0][3], 0);
  EXPECT_EQ(s.streams[1].arrivals.modulation.cv, 0.1);
  EXPECT_EQ((*s.window)[1], seconds(120));
  EXPECT_EQ((*s.background_window)[0], seconds(20));
  EXPECT_EQ(s.measures.count("reaction_s"), 1U);
}

TEST(SimScenarioFile, ReadsFaultsAndLimits) {
  const Scenario loss = load_scenario("scenarios/b-replica-loss.yaml");
  ASSERT_EQ(loss.faults.size(), 1U);
  EXPECT_EQ(loss.faults[0].kind, FaultKind::kCrashSilent);
  EXPECT_THAT(loss.faults[0].nodes, ElementsAre(4, 5));
  EXPECT_FALSE(loss.faults[0].until.has_value());
  EXPECT_EQ(load_scenario("scenarios/b-return.yaml").faults[0].until, seconds(90));
  const Scenario tenants = load_scenario("scenarios/c-two-tenants.yaml");
  EXPECT_THAT(tenants.streams[2].tenants, ElementsAre(0, 0, 1));
  EXPECT_EQ(tenants.tenants[2].limit->rate_rps, 3200);
  EXPECT_EQ(tenants.tenants[2].limit->burst, milliseconds(500));
  EXPECT_FALSE(tenants.tenants[0].limit.has_value());
}

TEST(SimScenarioFile, AWorldFromNothingHasSensibleDefaults) {
  const Scenario s = load_scenario("scenarios/hello.yaml");
  EXPECT_EQ(s.name, "hello");
  EXPECT_THAT(s.seeds, ElementsAre(1));
  ASSERT_EQ(s.nodes.size(), 2U);
  EXPECT_EQ(s.nodes[1].name, "gpu-2");
  EXPECT_THAT(s.nodes[1].models, ElementsAre(0));
  EXPECT_EQ(s.paths.size(), 1U);
  EXPECT_GT(s.lanes[0].budget, Duration::zero());
  ASSERT_EQ(s.tenants.size(), 1U);
  EXPECT_EQ(s.tenants[0].name, "default");
  EXPECT_THAT(s.streams[0].tenants, ElementsAre(1));
  EXPECT_EQ(s.streams[0].priority_weights[0][9], 1);
  EXPECT_EQ(s.queues.bound.size(), 1U);
}

TEST(SimScenarioFile, ANodeHostsWhatItsKindCanRunUnlessItSays) {
  const Scenario s = read("");
  EXPECT_THAT(s.nodes[0].models, ElementsAre(0, 1));
  EXPECT_THAT(s.nodes[1].models, ElementsAre(0));
}

TEST(SimScenarioFile, ReadsEveryArrivalProcess) {
  const auto arrivals = [](const std::string& text) {
    return read("", "traffic: {arrivals: " + text + ", phases: [{duration_s: 10, rate: 100}]}\n")
        .streams[0]
        .arrivals;
  };
  EXPECT_EQ(arrivals("{process: constant}").process, ArrivalProcess::kConstant);
  EXPECT_EQ(arrivals("{process: poisson}").process, ArrivalProcess::kPoisson);
  EXPECT_EQ(arrivals("{process: poisson_modulated}").process, ArrivalProcess::kPoisson);
  const Arrivals gamma = arrivals("{process: gamma, cv: 3}");
  EXPECT_EQ(gamma.process, ArrivalProcess::kGamma);
  EXPECT_EQ(gamma.cv, 3);
  const Arrivals bursts =
      arrivals("{on_off: {on_s: 2, off_s: 8, on: 5, off: 1, lengths: constant}}");
  ASSERT_TRUE(bursts.on_off.has_value());
  EXPECT_EQ(bursts.on_off->off, seconds(8));
  EXPECT_EQ(bursts.on_off->on_factor, 5);
  EXPECT_EQ(bursts.on_off->lengths, SpellLengths::kConstant);
}

TEST(SimScenarioFile, ReadsEveryKindOfFault) {
  const Scenario s = read(
      "network: {near: {min_ms: 1, max_ms: 2}}\n"
      "faults:\n"
      "  - {at_s: 1, kind: crash, nodes: [gpu-1]}\n"
      "  - {at_s: 1, kind: crash_silent, nodes: [gpu-1], until: end}\n"
      "  - {at_s: 1, kind: freeze, nodes: [gpu-1], until: 2}\n"
      "  - {at_s: 1, kind: slow, nodes: [gpu-1], factor: 4}\n"
      "  - {at_s: 1, kind: flap, nodes: [gpu-1], period_s: 0.5}\n"
      "  - {at_s: 1, kind: lost_completion, nodes: [gpu-1], share: 10%}\n"
      "  - {at_s: 1, kind: stale_metrics, nodes: [gpu-1]}\n"
      "  - {at_s: 1, kind: lying_metrics, nodes: [gpu-1]}\n"
      "  - {at_s: 1, kind: clock_step, step_s: -2}\n"
      "  - {at_s: 1, kind: quota_away}\n"
      "  - {at_s: 1, kind: partition, path: near}\n");
  ASSERT_EQ(s.faults.size(), kFaultKindNames.size());
  for (std::size_t i = 0; i < s.faults.size(); ++i) {
    EXPECT_EQ(s.faults[i].kind, static_cast<FaultKind>(i));
  }
  EXPECT_EQ(s.faults[2].until, seconds(2));
  EXPECT_EQ(s.faults[3].factor, 4);
  EXPECT_EQ(s.faults[4].period, milliseconds(500));
  EXPECT_EQ(s.faults[5].share, 0.1);
  EXPECT_EQ(s.faults[8].step, seconds(-2));
  EXPECT_THAT(s.faults[10].nodes, ElementsAre(0, 1));
}

TEST(SimScenarioFile, TenantsHaveTheTierOfTheirNameUnlessTheySay) {
  const Scenario s = read("tenants: {vip: {}, acme: {tier: premium}, other: {}}\n");
  EXPECT_EQ(s.tenants[0].tier, core::Tier::kVip);
  EXPECT_EQ(s.tenants[1].tier, core::Tier::kPremium);
  EXPECT_EQ(s.tenants[2].tier, core::Tier::kBasic);
  EXPECT_THAT(s.streams[0].tenants, ElementsAre(1, 1, 1));
}

struct Bad {
  const char* text;
  const char* error;
};

class BadScenario : public testing::TestWithParam<Bad> {};

// Of the world above, with the text from line 10 on.
TEST_P(BadScenario, SaysWhereAndWhatIsAllowed) {
  const std::string text = GetParam().text;
  const bool has_traffic = text.find("traffic:") != std::string::npos;
  EXPECT_THAT(error_of(text, has_traffic ? "" : kTraffic), HasSubstr(GetParam().error)) << text;
}

INSTANTIATE_TEST_SUITE_P(
    SimScenarioFile, BadScenario,
    testing::Values(
        Bad{"trafic: {}\n", "w.yaml:10: trafic: unknown key (did you mean traffic?)"},
        Bad{"seeds: [1, -2]\n", "w.yaml:10: seeds[1]: \"-2\" is not a count"},
        Bad{"lanes: {high: {budget_ms: 0}}\n", "w.yaml:10: lanes.high.budget_ms: \"0\" is out of"},
        Bad{"lanes: {high: {budget_ms: 80ms}}\n",
            "is not a number of milliseconds; write it "
            "without a unit"},
        Bad{"lanes: {high: {levels: [0, 1]}}\n",
            "w.yaml:10: lanes.high.levels: are fixed; for "
            "this lane [0, 1, 2]"},
        Bad{"lanes: {low: {budget_ms: 900, client_timeout_ms: 800}}\n",
            "is shorter than the budget"},
        Bad{"lanes: {middle: {}}\n", "w.yaml:10: lanes.middle: unknown key"},
        Bad{"tenants: {vip: {tier: gold}}\n", "tenants.vip.tier: \"gold\" is not one of vip"},
        Bad{"tenants: {'a b': {}}\n", "w.yaml:10: tenants.a b: is not a name"},
        Bad{"tenant_limits: {acme: {rate: 5}}\n",
            "w.yaml:10: tenant_limits.acme: no tenant is "
            "called \"acme\"; known: default"},
        Bad{"tenant_limits: {default: {}}\n", "tenant_limits.default.rate: is required"},
        Bad{"network: {x: {min_ms: 3, max_ms: 2}}\n", "network.x.max_ms: is shorter than min_ms"},
        Bad{"faults: [{at_s: 1, kind: crash, nodes: [gpu-9]}]\n",
            "w.yaml:10: faults[0].nodes: no node is called \"gpu-9\" (did you mean gpu-1?); known: "
            "gpu-1, npu-1"},
        Bad{"faults:\n  - {at_s: 1, kind: melt, nodes: [gpu-1]}\n",
            "w.yaml:11: faults[0].kind: \"melt\" is not one of crash"},
        Bad{"faults: [{at_s: 1, kind: crash}]\n", "crash needs nodes, or a path to them"},
        Bad{"faults: [{at_s: 1, kind: quota_away, nodes: [gpu-1]}]\n", "strikes no node"},
        Bad{"faults: [{at_s: 1, kind: crash, nodes: [gpu-1, gpu-1]}]\n", "names a node twice"},
        Bad{"faults: [{at_s: 1, kind: crash, nodes: [gpu-1], path: local}]\n", "keep one"},
        Bad{"faults: [{at_s: 1, kind: crash, path: far}]\n", "no path of network is called"},
        Bad{"faults: [{at_s: 1, kind: crash, nodes: [gpu-1], factor: 2}]\n",
            "faults[0].factor: is for kind: slow only"},
        Bad{"faults: [{at_s: 9, until: 9, kind: crash, nodes: [gpu-1]}]\n", "is not after at_s"},
        Bad{"faults: [{at_s: 9, until: 10, kind: clock_step, step_s: 1}]\n", "is over at once"},
        Bad{"faults: [{at_s: nan, kind: crash, nodes: [gpu-1]}]\n", "\"nan\" is not a number of"},
        Bad{"faults: [{at_s: 1e300, kind: crash, nodes: [gpu-1]}]\n", "\"1e300\" is not a number"},
        Bad{"faults: 7\n", "w.yaml:10: faults: a single value where a list belongs"},
        Bad{"policies: {sluice: {}}\n", "w.yaml:10: policies.sluice: unknown key"},
        Bad{"policies: {fixed-priority: {retries: 3}}\n", "\"3\" is not one of none"},
        Bad{"policies: {fixed-priority: {replica_queue_bound: {detekt: 3}}}\n",
            "no model is called \"detekt\" (did you mean detect?)"},
        Bad{"measure: {window_s: [5]}\n", "measure.window_s: is no window"},
        Bad{"measure: {window_s: [5, 5]}\n", "begin before end"},
        Bad{"measure: {reaction_s: [1]}\n", "a list where a text belongs"},
        Bad{"published: {fixed: {x: much}}\n", "published.fixed.x: \"much\" is not a number"},
        Bad{"definitions: {x: {}}\n", "definitions.x: a map where a text belongs"}));

INSTANTIATE_TEST_SUITE_P(
    SimTrafficSection, BadScenario,
    testing::Values(
        Bad{"traffic: {}\n", "w.yaml:10: traffic.phases: is required"},
        Bad{"traffic: {phases: []}\n", "w.yaml:10: traffic.phases: is empty"},
        Bad{"traffic: {phases: [{rate: 5}]}\n", "traffic.phases[0].duration_s: is required"},
        Bad{"traffic: {phases: [{duration_s: 5}]}\n", "stands without a rate"},
        Bad{"traffic: {phases: [{duration_s: 5, rate_to: 5}]}\n", "stands without a rate"},
        Bad{"traffic: {phases: [{duration_s: 5, rate: 5, rate_to: 5}]}\n", "keep one"},
        Bad{"traffic: {phases: [{duration_s: 5, rate: nan}]}\n",
            "traffic.phases[0].rate: \"nan\" is not a number"},
        Bad{"traffic: {phases: [{duration_s: 5, rate: inf}]}\n", "\"inf\" is not a number"},
        Bad{"traffic: {phases: [{duration_s: 5, rate: -1}]}\n", "\"-1\" is out of bounds"},
        Bad{"traffic: {phases: [{duration_s: 5, rate: 1e9}]}\n", "\"1e9\" is out of bounds"},
        Bad{"traffic: {phases: [{duration_s: 1e12, rate: 1}]}\n", "is not a number of seconds"},
        Bad{"traffic: {phases: [{duration_s: 5, rate: 0}]}\n", "send less than one request"},
        Bad{"traffic: {phases: [{duration_s: 2e6, rate: 1e7}]}\n", "requests; at most 1e+11"},
        Bad{"traffic: {phases: [{name: x, duration_s: 5, rate: 1}, {name: x, duration_s: 5, rate: "
            "1}]}\n",
            "two are called \"x\""},
        Bad{"traffic: {streams: []}\n", "traffic.streams: is empty"},
        Bad{"traffic:\n  phases: [{duration_s: 5, rate: 1}]\n  streams: [{name: s, phases: "
            "[{duration_s: 5, rate: 1}]}]\n",
            "w.yaml:11: traffic.phases: stand beside streams; keep one"},
        Bad{"traffic: {streams: [{name: s, phases: [{duration_s: 5, rate: 1}]}, {name: s, phases: "
            "[{duration_s: 5, rate: 1}]}]}\n",
            "traffic.streams: two are called \"s\""},
        Bad{"traffic: {streams: [{name: s, tenant: acme, phases: [{duration_s: 5, rate: 1}]}]}\n",
            "traffic.streams[0].tenant: no tenant is called \"acme\""},
        Bad{"traffic: {streams: [{name: s, levels: [10], phases: [{duration_s: 5, rate: 1}]}]}\n",
            "traffic.streams[0].levels[0]: \"10\" is out of bounds"},
        Bad{"traffic: {mix: {detect: 0}, phases: [{duration_s: 5, rate: 1}]}\n",
            "traffic.mix: adds up to nothing"},
        Bad{"traffic: {mix: {sing: 1}, phases: [{duration_s: 5, rate: 1}]}\n",
            "traffic.mix.sing: no model is called \"sing\"; known: detect, speech"},
        Bad{"traffic: {priority_weights: {detect: [1, 2]}, phases: [{duration_s: 5, rate: 1}]}\n",
            "traffic.priority_weights.detect: has 2 weights; write ten"},
        Bad{"traffic: {priority_weights: {detect: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}, phases: "
            "[{duration_s: 5, rate: 1}]}\n",
            "traffic.priority_weights: leave detect without a priority level"},
        Bad{"traffic: {arrivals: {process: pareto}, phases: [{duration_s: 5, rate: 1}]}\n",
            "is not one of constant, poisson, gamma, poisson_modulated"},
        Bad{"traffic: {arrivals: {cv: 2}, phases: [{duration_s: 5, rate: 1}]}\n",
            "traffic.arrivals.cv: is for process: gamma only"},
        Bad{"traffic: {arrivals: {modulation: {mean: 2}}, phases: [{duration_s: 5, rate: 1}]}\n",
            "\"2\" is out of bounds; write 1 to 1"},
        Bad{"traffic: {arrivals: {on_off: {on: 0}}, phases: [{duration_s: 5, rate: 1}]}\n",
            "nothing arrives"}));

TEST(SimScenarioFile, RefusesTrafficThatLastsForYears) {
  std::string phases;
  for (int i = 0; i < 13; ++i) phases += "{duration_s: 2600000, rate: 1}, ";
  EXPECT_THAT(error_of_traffic("traffic: {phases: [" + phases + "]}\n"),
              HasSubstr("last more than 366 days"));
}

TEST(SimScenarioFile, RefusesClustersThatDoNotFitTogether) {
  const std::string tail = "service_time: {mean_ms: {a: {k: 5}}}\n" + std::string(kTraffic);
  EXPECT_THAT(
      error_in("models: {a: {}}\nnode_kinds: {k: {}}\nnodes: {n: {kind: j}}\n" + tail),
      HasSubstr(
          "w.yaml:3: nodes.n.kind: no kind of node is called \"j\" (did you mean k?); known: k"));
  EXPECT_THAT(
      error_in("models: {a: {}}\nnode_kinds: {k: {}}\nnodes: {n: {kind: k, models: [b]}}\n" + tail),
      HasSubstr("w.yaml:3: nodes.n.models: no model is called \"b\""));
  EXPECT_THAT(
      error_in("models: {a: {}, b: {}}\nnode_kinds: {k: {}}\nnodes: {n: {kind: k, models: [b]}}\n" +
               tail),
      HasSubstr("nodes.n.models: service_time.mean_ms.b says nothing of a k"));
  EXPECT_THAT(error_in("models: {a: {}, b: {}}\nnode_kinds: {k: {}}\n" + tail),
              HasSubstr("w.yaml:1: models: no node hosts b"));
  EXPECT_THAT(error_in("models: {a: {}}\nnode_kinds: {k: {}, j: {}}\n" + tail),
              HasSubstr("w.yaml:2: node_kinds: j can run no model"));
  EXPECT_THAT(error_in("models: {a: {memory_gb: 9}}\nnode_kinds: {k: {memory_gb: 8}}\nnodes:\n  n: "
                       "{kind: k, models: [a]}\n" +
                       tail),
              HasSubstr("w.yaml:4: nodes.n.models: need 9 GB, but a k has 8"));
  EXPECT_THAT(
      error_in("models: {a: {}}\nnode_kinds: {k: {count: 2}}\nnodes: {n: {kind: k}}\n" + tail),
      HasSubstr("w.yaml:3: nodes: lists 1 of kind k, whose count is 2"));
  EXPECT_THAT(error_in("models: {a: {}}\nnode_kinds: {k: {path: far}}\n" + tail),
              HasSubstr("node_kinds.k.path: no path of network is called \"far\"; known: local"));
}

TEST(SimScenarioFile, ReadsModelsThatComeAndGo) {
  const Scenario s = parse_scenario(
      "models: {a: {memory_gb: 6, load_ms: 1500, load_failure_share: 0.1, warm_replicas: 2},\n"
      "         b: {memory_gb: 2, reserved_gb: 2}}\n"
      "node_kinds: {k: {memory_gb: 8, managed: yes}}\n"
      "nodes: {n: {kind: k}}\n"
      "service_time: {mean_ms: {a: {k: 5}, b: {k: 5}}}\n" +
          std::string(kTraffic),
      "w.yaml");
  EXPECT_TRUE(s.kinds[0].managed);
  EXPECT_EQ(s.models[0].load_time, std::chrono::milliseconds(1500));
  EXPECT_EQ(s.models[0].load_failures, 0.1);
  EXPECT_EQ(s.models[0].warm_replicas, 2u);
  EXPECT_EQ(s.models[1].reserved_bytes, 2e9);
}

// All models of a managed node need not fit at once, but each has to, beside what is reserved.
TEST(SimScenarioFile, ChecksTheMemoryOfManagedNodes) {
  const auto with = [](const std::string& b) {
    return "models: {a: {memory_gb: 7}, b: {" + b +
           "}}\nnode_kinds: {k: {memory_gb: 8, managed: yes}}\n" +
           "nodes: {n: {kind: k}}\nservice_time: {mean_ms: {a: {k: 5}, b: {k: 5}}}\n" +
           std::string(kTraffic);
  };
  EXPECT_EQ(error_in(with("memory_gb: 7")), "no error");
  EXPECT_THAT(
      error_in(with("memory_gb: 9")),
      HasSubstr("w.yaml:3: nodes.n.models: b needs 9 GB beside what is reserved, but a k has 8"));
  EXPECT_THAT(error_in(with("memory_gb: 1, reserved_gb: 2")), HasSubstr("a needs 9 GB"));
}

TEST(SimScenarioFile, BoundsWhatItMakes) {
  const std::string tail = "service_time: {mean_ms: {a: {k: 5}}}\n" + std::string(kTraffic);
  EXPECT_THAT(error_in("models: {a: {}}\nnode_kinds: {k: {count: 1000000}}\n" + tail),
              HasSubstr("node_kinds.k.count: \"1000000\" is out of bounds; write 1 to 20k"));
  EXPECT_THAT(error_in("models: {a: {}}\nnode_kinds: {k: {slots: 1e9}}\n" + tail),
              HasSubstr("is out of bounds"));
  std::string models = "models:\n";
  for (int i = 0; i < 1025; ++i) models += fmt::format("  m{}: {{}}\n", i);
  EXPECT_THAT(error_in(models + "node_kinds: {k: {}}\n" + tail),
              HasSubstr("more than 1024 models"));
}

TEST(SimScenarioFile, AMissingSectionIsMissedByItsName) {
  EXPECT_THAT(error_in("name: x\n"), HasSubstr("w.yaml:1: models: is required"));
  EXPECT_THAT(error_in(kWorld), HasSubstr("traffic: is required"));
  EXPECT_THAT(error_in(""), HasSubstr("w.yaml: is empty"));
  EXPECT_THAT(error_in("[]"), HasSubstr("a list where a map"));
}

}  // namespace
}  // namespace sluice::sim
