// Models that come and go (R18, R25): what the file may say, and that whatever it may say the core
// can be made of.
#include <chrono>

#include <gtest/gtest.h>

#include "core/scheduler.h"
#include "unit/config/serve/reading.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

// Three models and, from line 5 on, replicas.
std::string with_replicas(const std::string& replicas) {
  return "models:\n"
         "- {name: a, memory: 6GiB, reserved: 1GiB}\n"
         "- {name: b, memory: 4GiB}\n"
         "- {name: c, memory: 2GiB}\n"
         "replicas:\n" +
         replicas;
}

// Sound files: the scheduler aborts where they are not.
ServeConfig read_whole(const std::string& text) {
  ServeConfig config = parse_serve_config(text, "sluice.yaml");
  const core::Scheduler scheduler(config.core);
  return config;
}

TEST(ResidencySection, WithoutKeysAllModelsAreAlwaysLoaded) {
  const core::Options core = read_with("").core;
  EXPECT_FALSE(core.nodes[0].managed);
  EXPECT_FALSE(core.nodes[0].manages({0}));
  EXPECT_EQ(core.nodes[0].memory_bytes, std::nullopt);
  EXPECT_EQ(core.models[0].memory_bytes, 0U);
  EXPECT_EQ(core.models[0].warm_replicas, 1U);
}

TEST(ResidencySection, SomeModelsAreManagedAndTheOthersPinned) {
  const core::Options core =
      read_whole(
          "models:\n"
          "- {name: a, memory: 6GiB, reserved: 1GiB, load_time: 3s, warm_replicas: 2}\n"
          "- {name: b, memory: 4GiB}\n"
          "- {name: c}\n"
          "replicas:\n"
          "- {url: 'http://x:1', models: [a, b, c], memory: 8GiB, managed: [b, a]}\n"
          "- {url: 'http://x:2', models: [a]}\n")
          .core;
  EXPECT_EQ(core.models[0].memory_bytes, std::uint64_t{6} << 30);
  EXPECT_EQ(core.models[0].reserved_bytes, std::uint64_t{1} << 30);
  EXPECT_EQ(core.models[0].load_time, Duration(3s));
  EXPECT_EQ(core.models[0].warm_replicas, 2U);
  EXPECT_EQ(core.nodes[0].memory_bytes, std::uint64_t{8} << 30);
  EXPECT_TRUE(core.nodes[0].manages({0}));
  EXPECT_TRUE(core.nodes[0].manages({1}));
  EXPECT_FALSE(core.nodes[0].manages({2}));
  EXPECT_EQ(core.nodes[0].pinned, (std::vector{core::ModelId{2}}));
  EXPECT_FALSE(core.nodes[1].manages({0}));
}

TEST(ResidencySection, MemoryMayBeLeftOut) {
  const core::Options core =
      read_whole(
          "models: [{name: a}]\nreplicas: [{url: 'http://x:1', models: [a], managed: [a]}]\n")
          .core;
  EXPECT_TRUE(core.nodes[0].manages({0}));
}

TEST(ResidencySection, ManagedModelsAreSomeOfItsOwn) {
  EXPECT_EQ(error_of(with_replicas("- {url: 'http://x:1', models: [a, b], managed: [a, c]}\n"
                                   "- {url: 'http://x:2', models: [c]}\n")),
            "sluice.yaml:6: replicas[0].managed: c is not one of its models");
  EXPECT_EQ(error_of(with_replicas("- {url: 'http://x:1', models: [a, b, c], managed: [a, a]}\n")),
            "sluice.yaml:6: replicas[0].managed: a is named twice");
  EXPECT_EQ(error_of(with_replicas("- {url: 'http://x:1', models: [a, b, c], managed: [d]}\n")),
            "sluice.yaml:6: replicas[0].managed[0]: \"d\" is not the name of a model; write one of "
            "a, b, c");
  EXPECT_EQ(error_of(with_replicas("- {url: 'http://x:1', models: [a, b, c], memory: 9GiB}\n")),
            "sluice.yaml:6: replicas[0].memory: is for replicas with managed models; it has none");
}

TEST(ResidencySection, AManagedModelFitsBesideWhatIsHeld) {
  EXPECT_EQ(error_of(with_replicas(
                "- {url: 'http://x:1', models: [a, b, c], managed: [a, b, c], memory: 6GiB}\n")),
            "");
  EXPECT_EQ(error_of(with_replicas("- url: 'http://x:1'\n"
                                   "  models: [a, b, c]\n"
                                   "  managed: [a, b, c]\n"
                                   "  memory: 5GiB\n")),
            "sluice.yaml:9: replicas[0].memory: is 5GiB, but a takes 6GiB");
  // 1 GiB is a's.
  EXPECT_EQ(error_of(with_replicas(
                "- {url: 'http://x:1', models: [a, b, c], managed: [b, c, a], memory: 4GiB}\n")),
            "sluice.yaml:6: replicas[0].memory: is 4GiB, but a takes 6GiB");
  EXPECT_EQ(error_of(with_replicas(
                "- {url: 'http://x:1', models: [b, a, c], managed: [b, a, c], memory: 4GiB}\n")),
            "sluice.yaml:6: replicas[0].memory: is 4GiB, but b takes 4GiB, and 1GiB are held for "
            "its other models");
  // 2 GiB are c's, which is always there.
  EXPECT_EQ(error_of(with_replicas(
                "- {url: 'http://x:1', models: [a, b, c], managed: [a, b], memory: 7GiB}\n")),
            "sluice.yaml:6: replicas[0].memory: is 7GiB, but a takes 6GiB, and 2GiB are held for "
            "its other models");
  EXPECT_NO_FATAL_FAILURE(read_whole(
      with_replicas("- {url: 'http://x:1', models: [a, b, c], managed: [a, b], memory: 8GiB}\n")));
}

TEST(ResidencySection, WhatIsPinnedAndReservedFits) {
  EXPECT_EQ(error_of(with_replicas(
                "- {url: 'http://x:1', models: [a, b, c], managed: [a], memory: 6.5GiB}\n")),
            "sluice.yaml:6: replicas[0].memory: is 6656MiB, but its models that are not managed, "
            "and what is reserved for the others, take 7GiB");
  EXPECT_EQ(
      error_of("models: [{name: a, memory: 4GiB, reserved: 3GiB},\n"
               "         {name: b, memory: 3GiB, reserved: 2GiB}]\n"
               "replicas: [{url: 'http://x:1', models: [a, b], managed: [a, b], memory: 4GiB}]"
               "\n"),
      "sluice.yaml:3: replicas[0].memory: is 4GiB, but its models that are not managed, and "
      "what is reserved for the others, take 5GiB");
}

TEST(ResidencySection, WhatAModelTakesIsToldWhereMemoryIs) {
  EXPECT_EQ(error_of("models: [{name: a}]\n"
                     "replicas: [{url: 'http://x:1', models: [a], managed: [a], memory: 1GiB}]\n"),
            "sluice.yaml:2: replicas[0].memory: a is managed, and its own memory is not told: add "
            "it in models");
}

TEST(ResidencySection, AStandbyHasNoModelThatComesAndGoes) {
  EXPECT_EQ(error_of(with_replicas(
                "- {url: 'http://x:1', models: [a, b, c], managed: [c], standby: yes}\n")),
            "sluice.yaml:6: replicas[0].standby: is ready at once, so its models stay loaded "
            "everywhere; c is managed at x:1");
  EXPECT_EQ(error_of(with_replicas("- {url: 'http://x:1', models: [a, b, c], managed: [a]}\n"
                                   "- {url: 'http://x:2', models: [b, a], standby: yes}\n")),
            "sluice.yaml:7: replicas[1].standby: is ready at once, so its models stay loaded "
            "everywhere; a is managed at x:1");
  EXPECT_EQ(error_of(with_replicas("- {url: 'http://x:1', models: [a], standby: yes}\n"
                                   "- {url: 'http://x:2', models: [a, b, c], managed: [b, a]}\n")),
            "sluice.yaml:7: replicas[1].managed: a is a model of the standby x:1, so it stays "
            "loaded everywhere");
  EXPECT_NO_FATAL_FAILURE(
      read_whole("models: [{name: a}, {name: b}]\n"
                 "replicas:\n"
                 "- {url: 'http://x:1', models: [a], standby: yes}\n"
                 "- {url: 'http://x:2', models: [a, b], managed: [b]}\n"));
}

TEST(ResidencySection, APlaceIsManagedByOne) {
  EXPECT_EQ(error_of(with_replicas("- {url: 'http://x:1', models: [a, b, c], managed: [a]}\n"
                                   "- {name: y, url: 'http://x:1', models: [b]}\n")),
            "sluice.yaml:7: replicas[1].url: is that of x:1, too; one of them has managed models, "
            "and then a place is one replica");
  EXPECT_EQ(error_of("models: [{name: a}]\n"
                     "replicas:\n"
                     "- {url: 'http://x:1/m', models: [a], managed: [a]}\n"
                     "- {url: 'http://x:1/n', models: [a], managed: [a]}\n"),
            "");
}

TEST(ResidencySection, ModelsAskForWhatReplicasCanGive) {
  EXPECT_EQ(error_of("models:\n- {name: a, memory: 1GiB, reserved: 2GiB}\n"
                     "replicas: [{url: 'http://x:1', models: [a], managed: [a]}]\n"),
            "sluice.yaml:2: models[0].reserved: is more than its memory");
  EXPECT_EQ(error_of("models: [{name: a, memory: 1GiB, reserved: 1GiB}]\n"
                     "replicas: [{url: 'http://x:1', models: [a], managed: [a]}]\n"),
            "sluice.yaml:1: models: a: reserved, but no replica with memory manages it");
  EXPECT_EQ(error_of("models: [{name: a, warm_replicas: 2}]\n"
                     "replicas: [{url: 'http://x:1', models: [a], managed: [a]}]\n"),
            "sluice.yaml:1: models: a: warm_replicas is 2, but 1 replicas serve it");
  EXPECT_EQ(error_of("models:\n- {name: a, memory: 17TiB}\n"
                     "replicas: [{url: 'http://x:1', models: [a]}]\n"),
            "sluice.yaml:2: models[0].memory: \"17TiB\" is out of bounds; write 0 to 16TiB");
}

TEST(ResidencySection, Options) {
  const core::ResidencyOptions o =
      read_with(
          "residency: {idle: 30s, load_timeout: 5min, unload_timeout: 10s, backoff: 2s,\n"
          "  longest_backoff: 2s, loads_per_replica: 3,\n"
          "  demand: {from: 1/min, until: 1/h, memory: 5min}}\n")
          .core.residency;
  EXPECT_EQ(o.idle, Duration(30s));
  EXPECT_EQ(o.load_timeout, Duration(5min));
  EXPECT_EQ(o.unload_timeout, Duration(10s));
  EXPECT_EQ(o.backoff, Duration(2s));
  EXPECT_EQ(o.longest_backoff, Duration(2s));
  EXPECT_EQ(o.loads_per_node, 3U);
  EXPECT_DOUBLE_EQ(o.demand_from_per_s, 1.0 / 60);
  EXPECT_DOUBLE_EQ(o.demand_until_per_s, 1.0 / 3600);
  EXPECT_EQ(o.demand_memory, Duration(5min));
}

TEST(ResidencySection, OptionsAreInOrder) {
  EXPECT_EQ(error_with("residency: {backoff: 5s, longest_backoff: 1s}\n"),
            "sluice.yaml:4: residency.longest_backoff: is shorter than backoff");
  EXPECT_EQ(error_with("residency: {backoff: 2min}\n"),
            "sluice.yaml:4: residency.backoff: is longer than longest_backoff");
  EXPECT_EQ(error_with("residency: {demand: {from: 1/s, until: 1/s}}\n"),
            "sluice.yaml:4: residency.demand.until: is not below from");
  EXPECT_EQ(error_with("residency: {demand: {from: 0.001/s}}\n"),
            "sluice.yaml:4: residency.demand.from: is not above until");
  EXPECT_EQ(error_with("residency: {load_timeout: 0s}\n"),
            "sluice.yaml:4: residency.load_timeout: \"0s\" is out of bounds; write 1ms to 24h");
}

}  // namespace
}  // namespace sluice::config
