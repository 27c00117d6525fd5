#include "sim/random/random_world.h"

#include <bit>

#include "sim/core_options.h"
#include "sim/random/parts.h"

namespace sluice::sim {
namespace {

constexpr double kLeastRate = 10;
constexpr double kMostRate = 150;
constexpr double kLeastLoad = 0.3;
constexpr double kMostLoad = 1.6;

Habits draw_habits(Dice& dice) {
  Habits habits;
  if (dice.chance(0.5)) return habits;
  habits.run_now = dice.chance(0.4) ? dice.between(0, 0.3) : 0;
  habits.once = dice.chance(0.5) ? dice.between(0, 1) : 0;
  habits.impatient = dice.chance(0.3) ? dice.between(0, 0.3) : 0;
  habits.hinted = dice.chance(0.3) ? dice.between(0, 1) : 0;
  habits.untaught = dice.chance(0.2) ? dice.between(0, 0.3) : 0;
  habits.mean_bytes = dice.chance(0.5) ? dice.log_between(100, 1e6) : 0;
  return habits;
}

NoiseOptions draw_noise(Dice& dice) {
  NoiseOptions noise;
  if (dice.chance(0.3)) noise.senseless = dice.log_between(0.001, 0.5);
  if (dice.chance(0.4)) noise.garbled = dice.log_between(0.001, 0.3);
  if (dice.chance(0.2)) noise.started = dice.between(0, 1);
  return noise;
}

}  // namespace

RandomWorld draw_world(std::uint64_t seed, std::uint64_t tasks) {
  Dice dice(seed);
  RandomWorld world;
  Scenario& scenario = world.scenario;
  scenario.name = "random";
  scenario.seeds = {seed};
  const Theme theme = draw_theme(dice);
  draw_cluster(dice, scenario);
  apply_to_cluster(theme, dice, scenario);
  // Dice of its own: worlds without are as they would be if there were none.
  Dice loading(~seed);
  if (theme == Theme::kNone) draw_loading(loading, scenario);
  draw_tenants(dice, scenario);
  const double rate = dice.log_between(kLeastRate, kMostRate);
  draw_streams(dice, scenario, rate, tasks);
  apply_to_traffic(theme, dice, scenario);
  world.load = dice.between(kLeastLoad, kMostLoad);
  scale_services(scenario, world.load * slots_of(scenario) / (rate * mean_work_s(scenario)));
  draw_lanes(dice, scenario);
  apply_to_lanes(theme, dice, scenario);
  draw_faults(dice, scenario);
  apply_to_faults(theme, dice, scenario);
  world.policy = draw_policy(dice);
  apply_to_policy(theme, world.policy);
  world.core = core_options(scenario, world.policy, dice.seed());
  tune(dice, scenario, world.core);
  apply_to_core(theme, dice, world.core);
  world.habits = draw_habits(dice);
  world.noise = draw_noise(dice);
  // Of its own, as above.
  Dice restoring(std::rotl(seed, 32));
  if (restoring.chance(0.05)) world.restores = restoring.log_whole(1, 50);
  return world;
}

RunOptions run_options(const RandomWorld& world, std::uint64_t seed) {
  return {.seed = seed,
          .core = world.core,
          .habits = world.habits,
          .noise = world.noise,
          .restores = world.restores};
}

}  // namespace sluice::sim
