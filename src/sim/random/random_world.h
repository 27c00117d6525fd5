// Worlds out of a number: whatever a scenario can say, and the core can be told, drawn at random.
#pragma once

#include <cstdint>

#include "core/options.h"
#include "sim/habits.h"
#include "sim/noise.h"
#include "sim/scenario.h"
#include "sim/simulation.h"

namespace sluice::sim {

struct RandomWorld {
  Scenario scenario;
  PolicySpec policy;
  core::Options core;
  Habits habits;
  NoiseOptions noise;
  std::uint32_t restores = 0;  // of the scheduler, see RunOptions; one world in twenty
  double load = 1;             // work that is meant to arrive ÷ work that undisturbed nodes can do
};

// 1 to 40 nodes of up to 4 kinds, up to 6 models, up to 8 tenants with limits and weights, up to 4
// streams of any process, at a load of 0.3 to 1.6; faults of every kind; a policy of the table or
// any mixture; every knob of the core anywhere in its bounds, at least now and then. About `tasks`
// requests come, 10 to 150 a second: slow nodes, so that a request takes little of the computer's
// time and much of the world's. The same seed and number of tasks give the same world on every
// machine.
RandomWorld draw_world(std::uint64_t seed, std::uint64_t tasks);

// What to run it with.
RunOptions run_options(const RandomWorld& world, std::uint64_t seed);

}  // namespace sluice::sim
