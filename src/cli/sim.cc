#include "cli/sim.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cli/sim_random.h"
#include "core/policy.h"
#include "sim/progress.h"
#include "sim/scenario_docs.h"
#include "sim/scenario_file.h"
#include "sim/simulation.h"
#include "sim/trace.h"
#include "telemetry/version.h"
#include "workload/comparison.h"
#include "workload/report_json.h"

namespace sluice::cli {
namespace {

constexpr const char* kFooter = R"(
Virtual time: ten minutes of thousands of requests a second take seconds, and the same scenario,
policy and seed give the same figures every time. All policies meet the same requests.

A scenario, say hello.yaml:

  models:
    detect: {class: light}
  node_kinds:
    gpu: {count: 2, slots: 4}
  service_time:
    mean_ms: {detect: {gpu: 10}}
  traffic:
    phases:
      - {name: calm, duration_s: 20, rate: 400}
      - {name: rush, duration_s: 20, rate: 1000}

Then:

  sluice sim hello.yaml                                     # fixed-priority against sluice
  sluice sim hello.yaml --policy fifo --policy edf --policy sluice
  sluice sim hello.yaml --policy sluice --policy sluice,placement=score,placement.top_k=2
  sluice sim hello.yaml --seed 1 --seed 2 --seed 3          # mean ± standard deviation
  sluice sim hello.yaml --policy sluice --trace requests.csv --json report.json

Scenarios to begin with are in scenarios/; all keys: sluice sim --keys
)";

struct Arguments {
  std::string scenario;
  std::vector<std::string> policies;
  std::vector<std::uint64_t> seeds;
  std::string trace;
  std::string json;
  bool check = false;
  std::optional<std::uint64_t> random_seed;
  RandomArguments random;
};

sim::PolicySpec policy_named(const std::string& name, const sim::Scenario& scenario) {
  if (auto spec = sim::policy_spec(name, scenario)) return *std::move(spec);
  std::string known;
  for (const core::Policy& policy : core::kPolicies) {
    known += (known.empty() ? "" : ", ") + std::string(policy.name);
  }
  throw std::invalid_argument(fmt::format("no policy is called \"{}\"; known: {}", name, known));
}

std::vector<sim::PolicySpec> policies_of(const Arguments& arguments,
                                         const sim::Scenario& scenario) {
  std::vector<sim::PolicySpec> policies;
  for (const std::string& name : arguments.policies) {
    const auto same = [&](const sim::PolicySpec& spec) { return spec.name == name; };
    if (std::any_of(policies.begin(), policies.end(), same)) {
      throw std::invalid_argument(fmt::format("policy {} is named twice", name));
    }
    policies.push_back(policy_named(name, scenario));
  }
  return policies;
}

void show_violations(const std::string& what, const sim::Result& result) {
  constexpr std::size_t kShown = 10;
  for (std::size_t i = 0; i < std::min(result.violations.size(), kShown); ++i) {
    fmt::print(stderr, "{}: violated: {}\n", what, result.violations[i]);
  }
  if (result.run.violations > kShown) {
    fmt::print(stderr, "{}: {} violations in all\n", what, result.run.violations);
  }
}

workload::Run run_one(const sim::Scenario& scenario, const sim::PolicySpec& policy,
                      std::uint64_t seed, bool check, sim::Trace* trace) {
  const std::string what = fmt::format("{}, seed {}", policy.name, seed);
  sim::ProgressPrinter printer(stderr, what);
  sim::RunOptions options{.seed = seed, .check = check};
  options.progress = [&](const sim::Progress& progress) { printer.show(progress); };
  if (trace != nullptr) {
    trace->begin_run(policy.name, seed);
    options.on_ended = [trace](const sim::Ended& ended) { trace->record(ended); };
  }
  sim::Result result = sim::simulate(scenario, policy, options);
  printer.finish(result.requests);
  show_violations(what, result);
  return std::move(result.run);
}

void write_json(const std::string& path, const workload::Report& report) {
  std::ofstream out(path);
  out << workload::to_json(report).dump(2) << '\n';
  if (!out.flush()) throw std::runtime_error(fmt::format("cannot write {}", path));
}

void refuse_violations(const workload::Report& report) {
  std::uint64_t violations = 0;
  for (const workload::Run& run : report.runs) violations += run.violations;
  if (violations > 0) {
    throw std::runtime_error(fmt::format("{} violations of what must always hold", violations));
  }
}

void run_at_random(const Arguments& arguments) {
  RandomArguments random = arguments.random;
  random.seed = *arguments.random_seed;
  random.check = arguments.check;
  random.json = arguments.json;
  run_random(random);
}

void run(const Arguments& arguments) {
  if (arguments.random_seed) return run_at_random(arguments);
  const sim::Scenario scenario = sim::load_scenario(arguments.scenario);
  const auto policies = policies_of(arguments, scenario);
  const auto seeds = arguments.seeds.empty() ? std::vector<std::uint64_t>{scenario.seeds.front()}
                                             : arguments.seeds;
  std::optional<sim::Trace> trace;
  if (!arguments.trace.empty()) trace.emplace(arguments.trace, scenario);
  workload::Report report{.kind = "sim",
                          .version = std::string(telemetry::version()),
                          .scenario = scenario.name,
                          .runs = {}};
  for (const sim::PolicySpec& policy : policies) {
    for (const std::uint64_t seed : seeds) {
      report.runs.push_back(
          run_one(scenario, policy, seed, arguments.check, trace ? &*trace : nullptr));
    }
  }
  if (trace) trace->close();
  fmt::print("{}", workload::to_comparison(report));
  std::fflush(stdout);
  if (!arguments.json.empty()) write_json(arguments.json, report);
  refuse_violations(report);
}

}  // namespace

void add_sim(CLI::App& app) {
  CLI::App* verb =
      app.add_subcommand("sim", "Play a scenario in virtual time and compare policies");
  verb->footer(kFooter);
  const auto arguments = std::make_shared<Arguments>();
  arguments->policies = {"fixed-priority", "sluice"};
  CLI::Option* const scenario = verb->add_option("scenario", arguments->scenario, "Scenario (YAML)")
                                    ->check(CLI::ExistingFile)
                                    ->type_name("SCENARIO");
  CLI::Option* const random =
      verb->add_option("--random-seed", arguments->random_seed,
                       "Instead of a scenario: a world drawn from this number")
          ->type_name("N")
          ->excludes(scenario);
  verb->add_option("--seeds", arguments->random.seeds, "So many of them, from that number on")
      ->type_name("COUNT")
      ->needs(random)
      ->capture_default_str();
  verb->add_option("--tasks", arguments->random.tasks, "About so many requests in each")
      ->type_name("COUNT")
      ->needs(random)
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--policy", arguments->policies,
                   "Who schedules, or a mixture: sluice,ordering=deadline; repeat to compare")
      ->type_name("NAME")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->capture_default_str();
  verb->add_option("--seed", arguments->seeds,
                   "Of all that is drawn, instead of the scenario's first; repeat for a spread")
      ->type_name("N")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  verb->add_option("--trace", arguments->trace, "Write a line of CSV a request there")
      ->type_name("FILE");
  verb->add_option("--json", arguments->json, "Write the report there too")->type_name("FILE");
  verb->add_flag("--check", arguments->check,
                 "Check what must always hold after each event, not only at the end; slower");
  verb->add_flag_callback(
      "--keys",
      [] {
        fmt::print("{}", sim::scenario_markdown());
        throw CLI::Success();
      },
      "Print all keys of a scenario");
  verb->callback([arguments] {
    if (!arguments->random_seed && arguments->scenario.empty()) {
      throw CLI::RequiredError("SCENARIO or --random-seed");
    }
    run(*arguments);
  });
}

}  // namespace sluice::cli
