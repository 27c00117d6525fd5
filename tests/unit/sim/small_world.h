// A world to start from: everything constant, so that times can be told by hand.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/scenario.h"

namespace sluice::sim {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Models "quick" (10 ms) and "long" (100 ms) on nodes of two slots each, 1 ms away each way.
// Each model may have two requests waiting at a node. 100 requests a second for ten seconds, of any
// priority; callers wait 400 ms, 2 s and 20 s.
inline Scenario small_world(std::size_t nodes = 1) {
  Scenario scenario;
  scenario.name = "small";
  scenario.models = {{.name = "quick", .weight = core::WeightClass::kLight, .memory_bytes = 1e9},
                     {.name = "long", .weight = core::WeightClass::kHeavy, .memory_bytes = 3e9}};
  scenario.paths = {{.name = "near", .least = milliseconds(1), .most = milliseconds(1)}};
  scenario.kinds = {{.name = "box", .slots = 2, .memory_bytes = 8e9, .path = 0}};
  for (std::size_t i = 0; i < nodes; ++i) {
    scenario.nodes.push_back({.name = "box-" + std::to_string(i), .kind = 0, .models = {0, 1}});
  }
  scenario.tenants = {{.name = "vip", .tier = core::Tier::kVip}, {.name = "basic"}};
  scenario.service.distribution = ServiceDistribution::kConstant;
  scenario.service.cv = {0.2, 0.5};
  scenario.service.mean = {{milliseconds(10)}, {milliseconds(100)}};
  scenario.lanes = {LaneRules{milliseconds(80), milliseconds(400), std::nullopt},
                    LaneRules{milliseconds(150), seconds(2), std::nullopt},
                    LaneRules{milliseconds(800), seconds(20), seconds(2)}};
  Stream stream;
  stream.name = "all";
  stream.mix = {0.9, 0.1};
  stream.priority_weights.resize(2);
  for (auto& weights : stream.priority_weights) weights.fill(1);
  stream.tenants = {0.5, 0.5};
  stream.phases = {
      {.name = "steady", .duration = seconds(10), .rate_from_rps = 100, .rate_to_rps = 100}};
  scenario.streams = {stream};
  scenario.drain = seconds(30);
  scenario.queues.bound = {2, 2};
  return scenario;
}

}  // namespace sluice::sim
