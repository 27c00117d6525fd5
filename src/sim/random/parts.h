// The parts of a random world, in the order in which they are drawn.
#pragma once

#include "sim/random/dice.h"
#include "sim/random/random_world.h"

namespace sluice::sim {

// Models, kinds, nodes and ways; service times only in proportion to each other.
void draw_cluster(Dice& dice, Scenario& scenario);

// Now and then, what is in the memory of nodes: the cluster is drawn.
void draw_loading(Dice& dice, Scenario& scenario);

// The knobs of that; no dice are thrown where no node is managed.
void tune_loading(Dice& dice, core::Options& options);

// Now and then, nodes on paths of their own and the knobs of switching.
void tune_paths(Dice& dice, core::Options& options);

// Of the stream, spells of on and off counted in.
double expected_requests(const Stream& stream);
// Slots × time that one request takes on average, as they are now; of those that some node has.
double mean_work_s(const Scenario& scenario);
std::uint32_t slots_of(const Scenario& scenario);

// Makes all service times so many times longer.
void scale_services(Scenario& scenario, double factor);

// Who sends what: tenants, the lanes' budgets, streams with this many requests a second on average,
// `tasks` in all.
void draw_tenants(Dice& dice, Scenario& scenario);
void draw_streams(Dice& dice, Scenario& scenario, double rate_rps, std::uint64_t tasks);
void draw_lanes(Dice& dice, Scenario& scenario);

// What breaks, over the whole of the traffic; everything is whole again when that ends.
void draw_faults(Dice& dice, Scenario& scenario);

PolicySpec draw_policy(Dice& dice);

// Sound, whatever it does; its name differs from those of the rules that there are.
core::Rule draw_rule(Dice& dice, const core::Options& options, double rate_rps);

// Worlds that are made for what is rare: each part is drawn first, and then bent.
enum class Theme : std::uint8_t {
  kNone,
  kFlood,  // hundreds wait, then may all run at once, then all run out of time at once
  kLate,   // nobody is turned away or let go, and answers come after their time
};
Theme draw_theme(Dice& dice);
void apply_to_cluster(Theme theme, Dice& dice, Scenario& scenario);
void apply_to_traffic(Theme theme, Dice& dice, Scenario& scenario);
void apply_to_lanes(Theme theme, Dice& dice, Scenario& scenario);
void apply_to_faults(Theme theme, Dice& dice, Scenario& scenario);
void apply_to_policy(Theme theme, PolicySpec& spec);
void apply_to_core(Theme theme, Dice& dice, core::Options& options);

// From what the scenario says to anything within the knobs' bounds.
void tune(Dice& dice, const Scenario& scenario, core::Options& options);

}  // namespace sluice::sim
