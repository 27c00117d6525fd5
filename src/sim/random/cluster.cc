// Nodes, and what runs on them how fast.
#include <algorithm>
#include <numeric>
#include <string>

#include "sim/random/parts.h"

namespace sluice::sim {
namespace {

constexpr std::uint32_t kMostModels = 6;
constexpr std::uint32_t kMostKinds = 4;
constexpr std::uint32_t kMostNodes = 40;
constexpr std::uint32_t kMostSlots = 16;

void draw_models(Dice& dice, Scenario& scenario) {
  const std::uint32_t count = dice.whole(1, kMostModels);
  for (std::uint32_t i = 0; i < count; ++i) {
    scenario.models.push_back({.name = "model-" + std::to_string(i),
                               .weight = core::WeightClass(dice.whole(0, 2)),
                               .memory_bytes = dice.log_between(1e8, 1e10)});
    scenario.service.cv.push_back(dice.chance(0.3) ? 0 : dice.between(0.05, 1.5));
    scenario.queues.bound.push_back(dice.log_whole(1, 200));
  }
  scenario.service.distribution = ServiceDistribution(dice.whole(0, 2));
}

void draw_ways(Dice& dice, Scenario& scenario) {
  const std::uint32_t count = dice.whole(1, 3);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Duration least =
        dice.log_between(std::chrono::microseconds(20), std::chrono::milliseconds(60));
    scenario.paths.push_back({.name = "way-" + std::to_string(i),
                              .least = least,
                              .most = times(least, dice.between(1, 3))});
  }
}

// Mostly few; now and then more than the core serves in one call.
std::uint32_t draw_slots(Dice& dice) {
  return dice.chance(0.05) ? dice.whole(257, 600) : dice.log_whole(1, kMostSlots);
}

// A model takes its own time, a kind of node its own times as long, and some pairs do not go
// together; each model runs on some kind.
void draw_kinds(Dice& dice, Scenario& scenario) {
  const std::uint32_t count = dice.whole(1, kMostKinds);
  for (std::uint32_t i = 0; i < count; ++i) {
    scenario.kinds.push_back(
        {.name = "kind-" + std::to_string(i),
         .slots = draw_slots(dice),
         .memory_bytes = dice.log_between(4e9, 1e11),
         .path = dice.whole(0, static_cast<std::uint32_t>(scenario.paths.size()) - 1),
         .count = std::nullopt,
         .cancel = core::CancelMode(dice.whole(0, 1))});
  }
  scenario.service.mean.resize(scenario.models.size());
  for (auto& means : scenario.service.mean) {
    const double own = dice.log_between(1, 30);
    const std::uint32_t always = dice.whole(0, count - 1);
    for (std::uint32_t kind = 0; kind < count; ++kind) {
      const bool fits = kind == always || dice.chance(0.7);
      const Duration mean = from_ms(own * dice.log_between(0.5, 4));
      means.push_back(fits ? std::optional(mean) : std::nullopt);
    }
  }
}

void draw_nodes(Dice& dice, Scenario& scenario) {
  // Mostly few; now and then more than the core looks at one by one.
  const std::uint32_t count =
      dice.chance(0.06) ? dice.whole(33, kMostNodes) : dice.log_whole(1, kMostNodes);
  const double hosted = dice.chance(0.5) ? 1 : dice.between(0.3, 1);
  for (std::uint32_t i = 0; i < count; ++i) {
    Node node{.name = "node-" + std::to_string(i),
              .kind = i < scenario.kinds.size()
                          ? i
                          : dice.whole(0, static_cast<std::uint32_t>(scenario.kinds.size()) - 1)};
    for (std::size_t model = 0; model < scenario.models.size(); ++model) {
      const bool able = scenario.service.mean[model][node.kind].has_value();
      if (able && dice.chance(hosted)) node.models.push_back(model);
    }
    if (!node.models.empty()) scenario.nodes.push_back(std::move(node));
  }
}

}  // namespace

void draw_cluster(Dice& dice, Scenario& scenario) {
  draw_models(dice, scenario);
  draw_ways(dice, scenario);
  draw_kinds(dice, scenario);
  // A model may be left without a node; a world without nodes is none.
  while (scenario.nodes.empty()) draw_nodes(dice, scenario);
}

std::uint32_t slots_of(const Scenario& scenario) {
  std::uint32_t sum = 0;
  for (const Node& node : scenario.nodes) sum += scenario.kinds[node.kind].slots;
  return sum;
}

double mean_work_s(const Scenario& scenario) {
  double work = 0;
  double all = 0;
  for (std::size_t model = 0; model < scenario.models.size(); ++model) {
    double seconds = 0;
    double slots = 0;
    for (const Node& node : scenario.nodes) {
      const bool hosts = std::binary_search(node.models.begin(), node.models.end(), model);
      if (!hosts) continue;
      const double own = scenario.kinds[node.kind].slots;
      seconds += own * to_seconds(*scenario.service.mean[model][node.kind]);
      slots += own;
    }
    double requests = 0;
    for (const Stream& stream : scenario.streams) {
      const double mix = std::accumulate(stream.mix.begin(), stream.mix.end(), 0.0);
      requests += expected_requests(stream) * stream.mix[model] / mix;
    }
    if (slots > 0) work += requests * seconds / slots;
    all += requests;
  }
  return work / all;
}

void scale_services(Scenario& scenario, double factor) {
  for (auto& means : scenario.service.mean) {
    for (auto& mean : means) {
      if (mean) mean = std::max(times(*mean, factor), Duration(1));
    }
  }
}

}  // namespace sluice::sim
