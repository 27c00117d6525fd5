#include "cli/load.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "load/progress.h"
#include "load/runner.h"
#include "load/scenario_file.h"
#include "load/target.h"
#include "telemetry/version.h"
#include "workload/report.h"
#include "workload/report_json.h"
#include "workload/report_table.h"

namespace sluice::cli {
namespace {

constexpr const char* kFooter = R"(
Requests leave when the scenario says, whatever became of those before (open loop), and latency
counts from that moment: a server that stalls is seen as its callers see it.

A scenario, say clinic.yaml:

  phases:
    - {name: calm, duration: 10s, rate: 50/s}
    - {name: rush, duration: 5s, rate: 50/s, to: 400/s}
  classes:
    - {model: orientation, share: 9, budget: 100ms, realtime: high, tenant: clinic,
       input: {images: [data/images/line-upright.jpg], width: 192, height: 48}}
    - {model: embed, share: 1, budget: 2s, realtime: low, input: {bytes: 4KiB}}
  callers: {timeout: 5s}

Then:

  sluice load clinic.yaml --target http://127.0.0.1:8080
  sluice load clinic.yaml --target http://127.0.0.1:8080 --rate 2 --json report.json
  sluice load clinic.yaml --policy fifo   --target http://127.0.0.1:8081 \
                          --policy sluice --target http://127.0.0.1:8080   # side by side

All keys of a scenario: sluice load --keys
)";

struct Arguments {
  std::string scenario;
  std::vector<std::string> targets;
  std::vector<std::string> policies;
  std::optional<std::uint64_t> seed;
  double rate_factor = 1;
  std::string json;
};

// One run a policy; each at its own target, or all at the only one.
std::vector<load::Target> targets_of(const Arguments& arguments) {
  std::vector<load::Target> targets;
  for (const std::string& url : arguments.targets) targets.push_back(load::Target::parse(url));
  if (targets.size() == 1) targets.resize(arguments.policies.size(), targets[0]);
  if (targets.size() != arguments.policies.size()) {
    throw std::invalid_argument(
        fmt::format("{} targets for {} policies: name one target, or one for each policy",
                    targets.size(), arguments.policies.size()));
  }
  return targets;
}

// A connection is a file, and the soft limit is often 1024. Best effort: connections that are still
// too many are reported as failures.
void raise_file_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

workload::Run run_one(const load::Scenario& scenario, const load::Target& target,
                      const std::string& policy, std::uint64_t seed) {
  fmt::print(stderr, "{}: {} for {:.0f} s at {}\n", policy, scenario.name,
             to_seconds(scenario.curve.duration()), target.authority());
  load::ProgressPrinter printer(stderr);
  load::RunResult result =
      load::run(scenario, target,
                {.policy = policy,
                 .seed = seed,
                 .on_progress = [&](const load::Progress& p) { printer.show(p); },
                 .progress_every = printer.interval()});
  printer.finish();
  if (result.waited_for_connection > 0) {
    fmt::print(stderr,
               "{}: {} requests waited for one of {} connections, which their latency includes; "
               "raise callers.connections to take that bound away\n",
               policy, result.waited_for_connection, scenario.callers.connections);
  }
  return std::move(result.run);
}

void write_json(const std::string& path, const workload::Report& report) {
  std::ofstream out(path);
  out << workload::to_json(report).dump(2) << '\n';
  if (!out.flush()) throw std::runtime_error(fmt::format("cannot write {}", path));
}

// The commonest of the ways in which requests did not succeed.
std::string main_reason(const workload::Group& total) {
  std::string reason = "none was sent";
  std::uint64_t most = 0;
  const auto consider = [&](const char* outcome, const workload::Counts& counts) {
    for (const auto& [name, count] : counts) {
      if (count <= most) continue;
      most = count;
      reason = fmt::format("{} of {} {}{}", count, total.offered, outcome, name);
    }
  };
  consider("", total.outcomes);
  most = 0;  // a reason says more than an outcome
  consider("refused, ", total.refused);
  consider("failed, ", total.failed);
  return reason;
}

void check_success(const workload::Report& report) {
  for (const workload::Run& run : report.runs) {
    if (run.total.answered > 0) continue;
    throw std::runtime_error(
        fmt::format("{}: not one request succeeded: {}", run.policy, main_reason(run.total)));
  }
}

void run(Arguments arguments) {
  raise_file_limit();
  load::Scenario scenario = load::load_scenario(arguments.scenario);
  scenario.curve = scenario.curve.scaled(arguments.rate_factor);
  if (arguments.policies.empty()) arguments.policies.emplace_back("target");
  const auto targets = targets_of(arguments);
  workload::Report report{.kind = "load",
                          .version = std::string(telemetry::version()),
                          .scenario = scenario.name,
                          .runs = {}};
  const std::uint64_t seed = arguments.seed.value_or(scenario.seed);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    report.runs.push_back(run_one(scenario, targets[i], arguments.policies[i], seed));
  }
  fmt::print("{}", workload::to_table(report));
  std::fflush(stdout);
  if (!arguments.json.empty()) write_json(arguments.json, report);
  check_success(report);
}

}  // namespace

void add_load(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("load", "Send the requests of a scenario and report");
  verb->footer(kFooter);
  const auto arguments = std::make_shared<Arguments>();
  verb->add_option("scenario", arguments->scenario, "Scenario (YAML)")
      ->required()
      ->check(CLI::ExistingFile)
      ->type_name("SCENARIO");
  verb->add_option("--target", arguments->targets, "Where it goes; repeat for one a policy")
      ->required()
      ->type_name("URL")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  verb->add_option("--policy", arguments->policies,
                   "What to call a run of the report; repeat for several")
      ->type_name("NAME");
  verb->add_option("--seed", arguments->seed, "Instead of the scenario's");
  verb->add_option("--rate", arguments->rate_factor, "Times the scenario's rates")
      ->check(CLI::Range(1e-3, 1e3))
      ->capture_default_str();
  verb->add_option("--json", arguments->json, "Write the report there too")->type_name("FILE");
  verb->add_flag_callback(
      "--keys",
      [] {
        fmt::print("{}", load::scenario_reference());
        throw CLI::Success();
      },
      "Print all keys of a scenario");
  verb->callback([arguments] { run(*arguments); });
}

}  // namespace sluice::cli
