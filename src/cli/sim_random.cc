#include "cli/sim_random.h"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sim/random/trial.h"

namespace sluice::cli {
namespace {

// What seeds together amount to.
struct Sum {
  std::uint64_t seeds = 0;
  std::uint64_t tasks = 0;
  std::uint64_t actions = 0;
  double simulated_h = 0;
  double load_h = 0;         // load × hours
  double utilisation_h = 0;  // of slots × hours
  std::map<std::string, std::uint64_t> faults;
  sim::Coverage coverage;

  void add(const sim::Trial& trial) {
    const double hours = to_seconds(trial.result.simulated) / 3600;
    ++seeds;
    tasks += trial.result.requests;
    actions += trial.actions;
    simulated_h += hours;
    load_h += trial.load * hours;
    utilisation_h += trial.result.run.utilization_share.value_or(0) * hours;
    for (const auto& [kind, count] : trial.result.run.faults) faults[kind] += count;
    coverage.add(trial.coverage);
  }
};

void show(std::uint64_t seed, const sim::Trial& trial) {
  fmt::print("seed {}: {}, {} requests, {:.0f} s, load {:.2f}, {} actions, digest {:016x}\n", seed,
             trial.policy, trial.result.requests, to_seconds(trial.result.simulated), trial.load,
             trial.actions, trial.digest);
}

void show(const Sum& sum) {
  fmt::print(
      "{} seeds, {} requests, {:.2f} simulated hours, mean load {:.2f}, utilisation {:.2f}\n",
      sum.seeds, sum.tasks, sum.simulated_h, sum.load_h / sum.simulated_h,
      sum.utilisation_h / sum.simulated_h);
  fmt::print("faults that struck:");
  for (const auto& [kind, count] : sum.faults) fmt::print(" {} {}", kind, count);
  fmt::print("\nnever:");
  for (const sim::Coverage::Branch& branch : sum.coverage.branches()) {
    if (branch.count == 0) fmt::print(" [{}]", branch.name);
  }
  fmt::print("\n");
}

void write_json(const std::string& path, const Sum& sum) {
  nlohmann::json branches;
  for (const auto& branch : sum.coverage.branches()) branches[branch.name] = branch.count;
  const nlohmann::json all{{"seeds", sum.seeds},     {"tasks", sum.tasks},
                           {"actions", sum.actions}, {"simulated_h", sum.simulated_h},
                           {"load_h", sum.load_h},   {"utilisation_h", sum.utilisation_h},
                           {"faults", sum.faults},   {"branches", branches}};
  std::ofstream out(path);
  out << all.dump(2) << '\n';
  if (!out.flush()) throw std::runtime_error(fmt::format("cannot write {}", path));
}

}  // namespace

void run_random(const RandomArguments& arguments) {
  Sum sum;
  for (std::uint64_t i = 0; i < arguments.seeds; ++i) {
    const sim::TrialOptions options{
        .seed = arguments.seed + i, .tasks = arguments.tasks, .check = arguments.check};
    const sim::Trial trial = sim::try_world(options);
    if (!trial.result.violations.empty()) {
      throw std::runtime_error(fmt::format(
          "violated {}\nagain: {}", trial.result.violations.front(), sim::replay_line(options)));
    }
    sum.add(trial);
    if (arguments.seeds <= 20) show(options.seed, trial);
  }
  show(sum);
  if (!arguments.json.empty()) write_json(arguments.json, sum);
}

}  // namespace sluice::cli
