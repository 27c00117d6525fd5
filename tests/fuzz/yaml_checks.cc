#include "fuzz/yaml_checks.h"

#include <cstdint>
#include <string>

#include "base/check.h"
#include "config/error.h"
#include "config/serve_config.h"
#include "core/scheduler.h"
#include "sim/core_options.h"
#include "sim/policy_spec.h"
#include "sim/scenario_file.h"

namespace sluice::fuzz {
namespace {

constexpr const char* kFile = "fuzzed.yaml";

void run(const core::Options& options) {
  constexpr std::uint64_t kMostTasks = 1'000'000;
  std::uint64_t tasks = 0;
  for (const core::LaneOptions& lane : options.lanes) tasks += lane.capacity;
  for (const core::NodeOptions& node : options.nodes) tasks += node.slots;
  if (tasks > kMostTasks) return;
  core::Scheduler(options).check_invariants();
}

template <class Read>
void expect_read_or_refused(Read read) {
  try {
    read();
  } catch (const config::ConfigError& error) {
    SLUICE_CHECK(std::string_view(error.what()).find(".yaml") != std::string_view::npos,
                 "an error does not name the file");
  }
}

}  // namespace

void check_serve_config(std::string_view text) {
  expect_read_or_refused([&] { run(config::parse_serve_config(std::string(text), kFile).core); });
}

void check_scenario(std::string_view text) {
  expect_read_or_refused([&] {
    const sim::Scenario scenario = sim::parse_scenario(std::string(text), kFile);
    for (const char* name : {"sluice", "fixed-priority"}) {
      const auto policy = sim::policy_spec(name, scenario);
      SLUICE_CHECK(policy.has_value(), "a policy of the table is not known");
      run(sim::core_options(scenario, *policy, 1));
    }
  });
}

}  // namespace sluice::fuzz
