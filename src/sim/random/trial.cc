#include "sim/random/trial.h"

#include <fmt/format.h>

#include <utility>

#include "base/check.h"
#include "sim/digest.h"

namespace sluice::sim {

std::string replay_line(const TrialOptions& options) {
  return fmt::format("sluice sim --random-seed {} --tasks {}{}", options.seed, options.tasks,
                     options.check ? " --check" : "");
}

Trial try_world(const TrialOptions& options) {
  const std::string note = "again: " + replay_line(options);
  const InvariantNote in_case(note.c_str());
  const RandomWorld world = draw_world(options.seed, options.tasks);
  Digest digest;
  Trial trial;
  RunOptions run = run_options(world, options.seed);
  run.check = options.check;
  if (!options.noise) run.noise.senseless = 0;
  if (options.restores) run.restores = *options.restores;
  run.observers = {&digest, &trial.coverage};
  trial.result = simulate(world.scenario, world.policy, run);
  trial.coverage.add_senseless(trial.result.senseless);
  trial.digest = digest.value();
  trial.actions = digest.actions();
  trial.load = world.load;
  trial.policy = world.policy.name;
  return trial;
}

}  // namespace sluice::sim
